/** Chat streams, jobs, events and budgets against prepared answers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Tollgate, TollgateError } from '../src/index.ts'
import { manualTime } from './manual-time.ts'
import { refusal, startScriptedGateway, type Answer } from './scripted-gateway.ts'

const CHAT = { model: 'core/cheap', messages: [{ role: 'user', content: 'Hello.' }] }
const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: 'gen_1', model: 'm', choices: [{ index: 0, finish_reason: null, delta: { content } }] })}\n\n`
const USAGE = `data: ${JSON.stringify({ id: 'gen_1', model: 'm', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: 0.01 } })}\n\n`
const DONE = 'data: [DONE]\n\n'
const events = (body: string): Answer => ({
  headers: { 'content-type': 'text/event-stream' },
  body,
})

async function open(answers: readonly Answer[]) {
  const gateway = await startScriptedGateway(answers)
  const clock = manualTime()
  return { gateway, clock, tollgate: new Tollgate({ key: 'tg_test_x', url: gateway.url, clock }) }
}

describe('a stream', () => {
  test('continues after each loss with the same key, without repeating a chunk', async () => {
    const { gateway, tollgate } = await open([
      events(chunk('a')),
      refusal(409, { code: 'idempotency_in_progress', retryable: true }, { 'retry-after': '1' }),
      events(chunk('a') + chunk('b')),
      events(chunk('a') + chunk('b') + chunk('c') + USAGE + DONE),
    ])
    const stream = tollgate.chat.stream(CHAT)
    assert.equal(await stream.text(), 'abc')
    assert.equal(stream.usage?.cost, 0.01)
    const keys = gateway.requests.map(({ headers }) => headers['idempotency-key'])
    assert.deepEqual([keys.length, new Set(keys).size], [4, 1])
  })

  test('that is lost near its deadline fails with the key for a replay', async () => {
    const { gateway, tollgate } = await open([events(chunk('a')), events(chunk('a') + DONE)])
    await assert.rejects(
      tollgate.chat.stream(CHAT, { timeoutMs: 100, idempotencyKey: 'k' }).text(),
      {
        name: 'TollgateError',
        code: 'stream_failed',
        idempotencyKey: 'k',
      },
    )
    assert.equal(gateway.requests.length, 1)
  })

  test('is not sent again without a key', async () => {
    for (const first of [events(chunk('a')), 'cut'] as const) {
      const { gateway, tollgate } = await open([first, events(DONE)])
      await assert.rejects(tollgate.chat.stream(CHAT, { resumable: false }).text(), TollgateError)
      assert.equal(gateway.requests.length, 1)
      assert.equal(gateway.requests[0]?.headers['idempotency-key'], undefined)
    }
  })

  test('reports an error in the stream, and accepts a whole response', async () => {
    const broken = await open([
      events(
        `${chunk('a')}data: {"error":{"message":"Broke off.","code":"upstream_error"}}\n\n${DONE}`,
      ),
    ])
    await assert.rejects(broken.tollgate.chat.stream(CHAT).text(), {
      code: 'upstream_error',
      message: 'Broke off.',
    })
    const choices = [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'x' } },
    ]
    const whole = await open([{ body: { id: 'gen_1', model: 'm', choices } }])
    assert.equal(await whole.tollgate.chat.stream(CHAT).text(), 'x')
  })
})

const envelope = (data: object): Answer => ({
  body: { ok: true, data, charged_cents: 0, charged_micros: 0, request_id: 'req_1' },
})

describe('a job', () => {
  const running = { job_id: 'job_1', status: 'running', finished_at: null }

  test('is read until its end, first without a wait', async () => {
    const { gateway, tollgate } = await open([
      envelope(running),
      envelope({ ...running, status: 'succeeded', finished_at: 'now', result: { rows: [] } }),
    ])
    assert.deepEqual((await tollgate.waitFor('job_1')).result, { rows: [] })
    assert.deepEqual(
      gateway.requests.map(({ body }) => JSON.parse(body) as unknown),
      [
        { job_id: 'job_1', wait_s: 0 },
        { job_id: 'job_1', wait_s: 30 },
      ],
    )
  })

  test('that failed rejects with its code, fix and charge', async () => {
    const error = { code: 'all_blocked', message: 'Walls.', fix: 'Use a browser.', retryable: true }
    const { tollgate } = await open([
      envelope({ ...running, status: 'failed', finished_at: 'now', charged_micros: 0, error }),
    ])
    await assert.rejects(tollgate.waitFor('job_1'), {
      code: 'all_blocked',
      fix: 'Use a browser.',
      retryable: true,
      details: { job_id: 'job_1' },
    })
  })
})

test('reads events page by page, from the cursor of each page', async () => {
  const page = (ids: readonly string[]): Answer => ({
    body: { ok: true, data: ids.map((id) => ({ id })), next_after: ids.at(-1) ?? null },
  })
  const { gateway, tollgate } = await open([page(['evt_1', 'evt_2']), page(['evt_3']), page([])])
  const ids: string[] = []
  for await (const { id } of tollgate.events({ types: ['job.*'], follow: false })) ids.push(id)
  assert.deepEqual(ids, ['evt_1', 'evt_2', 'evt_3'])
  assert.deepEqual(
    gateway.requests.map(({ url }) => new URL(url, 'http://x').searchParams.get('after')),
    [null, 'evt_2', 'evt_3'],
  )
})

test('ends the key of a budget after the work, also when the work fails', async () => {
  const { gateway, tollgate } = await open([
    { status: 201, body: { ok: true, data: { id: 'agk_1', key: 'tg_test_child' } } },
    envelope({}),
    { body: { ok: true, data: {} } },
  ])
  await assert.rejects(
    tollgate.withBudget(50, async (child) => {
      await child.core.onescrape({ urls: [] })
      throw new RangeError('the work failed')
    }),
    /the work failed/,
  )
  const [mint, call, end] = gateway.requests
  assert.deepEqual(JSON.parse(mint?.body ?? ''), { ttl_s: 3600, ceiling_cents: 50 })
  assert.equal(call?.headers.authorization, 'Bearer tg_test_child')
  assert.equal(end?.url, '/api/v1/agents/me/children/agk_1')
})

test('sends the content of a file to its link, without the key of the account', async () => {
  const file = { file_id: 'file_1', size: 2 }
  const store = await startScriptedGateway(['cut', { body: { ok: true, data: file } }])
  const put = `${store.url}/files/1?signature=x`
  const { tollgate } = await open([envelope({ file_id: 'file_1', put_url: put })])
  const { data } = await tollgate.files.upload('ab', { filename: 'a.txt' })
  assert.deepEqual(data, file)
  assert.deepEqual(
    store.requests.map(({ body, headers }) => [body, headers.authorization]),
    [
      ['ab', undefined],
      ['ab', undefined],
    ],
  )
})
