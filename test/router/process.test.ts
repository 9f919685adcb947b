/** The router in a gateway as an operator runs it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataFolder, startGateway } from '../harness/clients/gateway-process.ts'
import { openLeavingCaller } from '../harness/clients/leaving-caller.ts'
import {
  completion,
  eventsOf,
  startModelServer,
  type Asked,
} from '../harness/vendors/model-upstream.ts'

const upstream = await startModelServer()
const gateway = await startGateway({
  DATA_DIR: dataFolder(),
  UPSTREAM_LLM_URL: upstream.url,
  UPSTREAM_LLM_KEY: 'upstream-secret-key',
})
const key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
const USAGE = { prompt_tokens: 5, completion_tokens: 2 }

const ask = (body: object): Promise<Response> =>
  fetch(`${gateway.url}/api/llm/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'maker/small',
      messages: [{ role: 'user', content: 'Hello.' }],
      ...body,
    }),
  })

test('a live key reaches the upstream of the environment and is charged for its tokens', async () => {
  upstream.answerWith((asked) => completion(asked, 'Good.', USAGE))
  const answer = await ask({})
  assert.deepEqual(
    [
      answer.status,
      answer.headers.get('x-charged-micros'),
      answer.headers.get('ratelimit') !== null,
    ],
    [200, '2', true],
  )
  assert.equal(upstream.asked[0]?.headers.authorization, 'Bearer upstream-secret-key')
})

test('rejects a tier without models and an unknown model', async () => {
  assert.equal((await ask({ model: 'core/best' })).status, 503)
  assert.equal((await ask({ model: 'maker/none' })).status, 404)
})

test('answers unknown addresses of the router as chat-completions errors with the right address', async () => {
  const headers = { authorization: `Bearer ${key}` }
  for (const [method, path, status, code, message] of [
    [
      'POST',
      '/v1/chat/completions',
      404,
      'not_found',
      `The base address for clients is ${gateway.url}/api/llm/v1.`,
    ],
    [
      'GET',
      '/api/llm',
      404,
      'not_found',
      `The base address for clients is ${gateway.url}/api/llm/v1.`,
    ],
    ['POST', '/api/llm/v1/images/edits?x=1', 404, 'not_found', 'images/generations'],
    ['POST', '/api/llm/v1/audio/transcriptions', 404, 'not_found', 'input_audio'],
    ['GET', '/api/llm/v1/files', 404, 'not_found', 'no "files". The router has chat/completions'],
    ['GET', '/api/llm/v1/chat/completions', 405, 'method_not_allowed', 'POST'],
  ] as const) {
    const answer = await fetch(`${gateway.url}${path}`, { method, headers })
    const { error } = (await answer.json()) as {
      error: { code: string; type: string; message: string }
    }
    assert.deepEqual(
      [
        answer.status,
        error.code,
        error.type.endsWith('_error'),
        answer.headers.get('x-should-retry'),
      ],
      [status, code, true, 'false'],
    )
    assert.ok(error.message.includes(message), error.message)
  }
})

test('a stop lets a stream end as if nothing were, and settles it', async () => {
  const asked = Promise.withResolvers<Asked>()
  upstream.answerWith((one) => {
    one.response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(eventsOf(['Good'], USAGE).slice(0, 2).join(''))
    asked.resolve(one)
  })
  const answer = await ask({ stream: true, stream_options: { include_usage: true } })
  const ended = gateway.end('SIGTERM')
  const { response } = await asked.promise
  response.end(eventsOf(['Good', '.'], USAGE).slice(2).join(''))
  const text = await answer.text()
  assert.match(text, /"cost":0.000002/)
  assert.ok(text.endsWith('data: [DONE]\n\n') && !text.includes('error'))
  assert.equal(await ended, 0)
})

test('a stop settles a stream whose caller has left, and the next start replays it', async () => {
  const folder = dataFolder()
  const settings = {
    DATA_DIR: folder,
    UPSTREAM_LLM_URL: upstream.url,
    UPSTREAM_LLM_KEY: 'upstream-secret-key',
  }
  const first = await startGateway(settings)
  const ownKey = /tg_live_[0-9A-Za-z]{38}/.exec(first.output())?.[0] ?? ''
  const body = {
    model: 'maker/small',
    messages: [{ role: 'user', content: 'Hello.' }],
    stream: true,
  }
  const asked = Promise.withResolvers<Asked>()
  const before = upstream.asked.length
  upstream.answerWith((one) => {
    one.response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(eventsOf(['Good'], USAGE).slice(0, 2).join(''))
    asked.resolve(one)
  })
  const caller = openLeavingCaller(
    { url: `${first.url}/api/llm/v1`, key: ownKey },
    { body, idempotencyKey: 'left' },
  )
  const { response } = await asked.promise
  await caller.received(1)
  await caller.leave()
  const ended = first.end('SIGTERM')
  await refused(first.url)
  response.end(eventsOf(['Good', '.'], USAGE).slice(2).join(''))
  assert.equal(await ended, 0)

  const second = await startGateway(settings)
  const again = await fetch(`${second.url}/api/llm/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ownKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'left',
    },
    body: JSON.stringify(body),
  })
  assert.equal(await again.text(), eventsOf(['Good', '.'], null).join(''))
  assert.deepEqual(
    [again.headers.get('idempotency-replayed'), upstream.asked.length],
    ['true', before + 1],
  )
  await second.end('SIGTERM')
})

/** Resolves when the port is closed. */
async function refused(url: string): Promise<void> {
  while (
    await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    )
  )
    await new Promise((turn) => setImmediate(turn))
}
