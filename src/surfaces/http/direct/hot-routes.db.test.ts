/** Requests that are served without Fastify get the responses that Fastify gives. */
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import Fastify from 'fastify'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { openAppBed, type AppBed } from '../../../../test/harness/beds/app.ts'
import { renderError } from '../render-error.ts'
import type { RouteReply, RouteRequest } from '../route-objects.ts'
import { createCallStarts } from './call-starts.ts'
import { HotRequest } from './hot-objects.ts'
import { HotRoutes } from './hot-routes.ts'
import { serveDirectly } from './serve-directly.ts'

const SEARCH = '/api/run/semantic/search'
const CHAT = '/api/llm/v1/chat/completions'
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const COMPLETION = {
  id: 'c',
  model: 'test/model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 },
}
const ASKED = { model: 'test/model', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }

type Request = {
  readonly name: string
  readonly path?: string
  readonly body?: string | object
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}

let bed: AppBed
let url: string
before(async () => {
  bed = await openAppBed({ trustedProxies: ['127.0.0.1'], metricsToken: 'figures' })
  url = await bed.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => {
  bed.vendor.answerWith(({ path }) => ({ body: path.startsWith('/llm') ? COMPLETION : FOUND }))
})

/** The response as its client reads it, without ids, times and the framing of the message. */
function seen(status: number, headers: Readonly<Record<string, unknown>>, body: string) {
  const { date: _, connection: _c, 'keep-alive': _k, 'transfer-encoding': _t, ...rest } = headers
  const text = (value: unknown): string =>
    String(value).replaceAll(/req_\w+|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'ID')
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(rest)
        .filter(([name]) => name !== 'ratelimit' && name !== 'x-credits-remaining-cents')
        .map(([name, value]) => [name, text(value)]),
    ),
    names: Object.keys(rest).toSorted(),
    body: text(body),
  }
}

async function compare({ path = SEARCH, body = { query: 'x' }, headers = {} }: Request) {
  const sent = {
    authorization: `Bearer ${bed.liveKey}`,
    'content-type': 'application/json',
    ...headers,
  }
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const byFastify = await bed.app.inject({ method: 'POST', url: path, headers: sent, payload })
  const direct = await fetch(url + path, { method: 'POST', headers: sent, body: payload })
  const text = await direct.text()
  const given = seen(direct.status, Object.fromEntries(direct.headers), text)
  assert.deepEqual(given, seen(byFastify.statusCode, byFastify.headers, byFastify.payload))
  return given
}

const REQUESTS: readonly Request[] = [
  { name: 'a call', status: 200 },
  { name: 'an action that does not exist', path: '/api/run/semantic/dance' },
  { name: 'a service that does not exist', path: '/api/run/unknown/dance' },
  { name: 'a field that does not exist', body: { query: 'x', colour: 'red' } },
  { name: 'a query parameter', path: `${SEARCH}?query=x` },
  { name: 'a body that is no JSON', body: '{"query":' },
  { name: 'a body that is no object', body: '[1]' },
  { name: 'an empty body', body: '' },
  { name: 'a body that is text', headers: { 'content-type': 'text/plain' } },
  { name: 'a declared charset', headers: { 'content-type': 'application/json; charset=UTF-8' } },
  { name: 'a compressed body', headers: { 'content-encoding': 'gzip' } },
  { name: 'an unknown key', headers: { authorization: `Bearer tg_live_${'a'.repeat(40)}` } },
  { name: 'a key without its value', headers: { authorization: 'Bearer ' } },
  { name: 'a key in lower case', headers: { authorization: 'bearer tg_live_x' } },
  {
    name: 'an error as problem details',
    path: '/api/run/a/b',
    headers: { accept: 'application/problem+json' },
  },
  { name: 'a wait that is no number', headers: { prefer: 'wait=soon' } },
  { name: 'a wait', headers: { prefer: 'wait=3' } },
  { name: 'a timeout that is no number', headers: { 'x-request-timeout-ms': 'soon' } },
  { name: 'a cassette with a wrong name', headers: { 'x-tollgate-cassette': '///' } },
  { name: 'an empty idempotency key', headers: { 'idempotency-key': '' } },
  { name: 'a slash too many', path: '/api/run//semantic/search' },
  { name: 'an escape in the address', path: '/api/run/semantic/sea%72ch' },
  { name: 'a completion', path: CHAT, body: ASKED, status: 200 },
  {
    name: 'a completion of a model that does not exist',
    path: CHAT,
    body: { ...ASKED, model: 'x' },
  },
  { name: 'a message', path: '/api/llm/v1/messages', body: ASKED },
  { name: 'a message without messages', path: '/api/llm/v1/messages', body: { model: 'x' } },
  { name: 'a response', path: '/api/llm/v1/responses', body: { model: 'test/model', input: 'Hi' } },
  {
    name: 'a legacy completion',
    path: '/api/llm/v1/completions',
    body: { model: 'test/model', prompt: 'Hi' },
  },
  { name: 'no key at the router', path: CHAT, body: ASKED, headers: { authorization: '' } },
]

describe('a request that is served without Fastify answers as with it', () => {
  for (const request of REQUESTS)
    it(`to ${request.name}`, async () => {
      const { status } = await compare(request)
      if (request.status !== undefined) assert.equal(status, request.status)
    })

  it('to a test key', async () => {
    const { body } = await compare({
      name: '',
      headers: { authorization: `Bearer ${bed.testKey}` },
    })
    assert.match(body, /"test":true/)
  })

  it('to a key that may be used from one address', async () => {
    const made = await bed.post('/api/v1/agents', {
      label: 'office',
      allowed_ips: ['203.0.113.7'],
    })
    const { key } = made.json<{ data: { key: string } }>().data
    const authorization = `Bearer ${key}`
    const from = (address: string) =>
      compare({ name: '', headers: { authorization, 'x-forwarded-for': address } })
    assert.equal((await from('203.0.113.7:4711')).status, 200)
    assert.equal((await from('203.0.113.8')).status, 403)
  })

  it('to repetitions with the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'one' }
    const first = await bed.post(SEARCH, { query: 'x' }, headers)
    assert.equal(first.statusCode, 200)
    const again = await compare({ name: '', headers })
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal((await compare({ name: '', headers, body: { query: 'y' } })).status, 422)
  })

  it('to a vendor that fails', async () => {
    bed.vendor.answerWith(() => ({ status: 500, body: { error: 'down' } }))
    assert.equal((await compare({ name: '' })).status, 502)
  })
})

it('such a request does not reach Fastify', async () => {
  const app = Fastify()
  const hot = new HotRoutes(app, { newId: () => 'id', ipOf: () => '' })
  const seenGuards: boolean[] = []
  hot.guard(app, (request, _reply, done) => {
    seenGuards.push(request instanceof HotRequest)
    done()
  })
  app.post(
    '/run/:name',
    { config: { renderError } },
    (request: RouteRequest, reply: RouteReply) =>
      void reply.send(
        `${(request.params as { name: string }).name} ${JSON.stringify(request.body)}`,
      ),
  )
  const service = serveDirectly(app.server, {
    addresses: ['/run/'],
    now: Date.now,
    starts: createCallStarts({ load: { capacity: () => 1, countRejection: () => {} } }),
    groupOf: () => '',
    limits: { headersMs: 60_000, requestMs: 60_000, checkEveryMs: 60_000, stalledMs: 60_000 },
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  cleanUp(async () => {
    service.closeIdle()
    app.server.closeAllConnections()
    await app.close()
  })
  const send = async (headers: Record<string, string>): Promise<string> =>
    (await fetch(`${address}/run/a`, { method: 'POST', headers, body: '{"b":1}' })).text()
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
  assert.equal(await send(headers), 'a {"b":1}')
  assert.equal(await send({ ...headers, authorization: 'Basic x' }), 'a {"b":1}')
  assert.deepEqual(seenGuards, [true, false])
})

it('failures of such requests are counted and logged', async () => {
  const failed = { authorization: `Bearer ${bed.liveKey}`, 'content-type': 'application/json' }
  const count = async (): Promise<number> => {
    const { payload } = await bed.get('/metrics', { authorization: 'Bearer figures' })
    return Number(/tollgate_http_errors_total\{code="unknown_action"\} (\d+)/.exec(payload)?.[1])
  }
  const before = await count()
  const answer = await fetch(`${url}/api/run/semantic/dance`, {
    method: 'POST',
    headers: failed,
    body: '{}',
  })
  const { request_id: id } = (await answer.json()) as { readonly request_id: string }
  assert.equal(await count(), before + 1)
  const { payload } = await bed.get(`/api/v1/calls/${id}`)
  assert.match(payload, /"dance"/)
})
