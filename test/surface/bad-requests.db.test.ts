/** Every route with an unusual path, query, body and headers. bad-input.db.test.ts covers the inputs of actions. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { createFakeBrowsers } from '../harness/fake-browsers.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { cookieOf, sendForm } from '../harness/clients/forms.ts'
import { sampleOf } from '../harness/sample.ts'

type Asked = {
  readonly method: Method
  readonly url: string
  readonly payload?: string
  readonly headers?: Readonly<Record<string, string>>
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The body of a response. A stream of events has no end, so only its head is checked. */
async function bodyOf(reply: {
  readonly headers: Readonly<Record<string, unknown>>
  stream(): Readable
}): Promise<string> {
  const stream = reply.stream()
  if (String(reply.headers['content-type']).includes('event-stream')) {
    stream.destroy()
    return ''
  }
  return (await buffer(stream)).toString('utf8')
}

const routes: { readonly method: Method; readonly url: string }[] = []
function listen(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat())
      if (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(one))
        routes.push({ method: one as Method, url })
  })
}

/** As parts of an address: a NUL, half of a character, no UTF-8 at all, markup, too much, and what numbers and dates are not. */
const IN_ADDRESSES = [
  '%00',
  'a%00b',
  '%ed%a0%80',
  '%ff',
  '%3Cscript%3E%22%27',
  'x'.repeat(2_000),
  '-1',
  '1e3',
  '99999999999999999999',
  'NaN',
  '',
  '2026-13-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  'AA',
  'e30',
  'bnVsbA',
  'WyJhIiwiYiJd',
  '{}',
  '1&limit=2',
]
const QUERIES = [
  'limit',
  'cursor',
  'from',
  'to',
  'until',
  'since',
  'before',
  'after',
  'status',
  'kind',
  'service',
  'action',
  'agent_id',
  'external_id',
  'format',
  'endpoint',
  'model',
  'category',
  'q',
  'query',
  'token',
  'next',
  'expires',
  'signature',
  'code',
  'state',
  'error',
  '__proto__',
]
const OWN = /^\/(api\/v1|balance)/
const PAGES = /^\/(balance|browsers|credit|keys|account|sign-in|sign-up|welcome)/
const VALUES: readonly unknown[] = [
  'a\u0000b',
  '\ud800',
  'x'.repeat(5_000),
  '<script>alert(1)</script>',
  '',
  1e308,
  -1,
  0.1,
  true,
  null,
  [],
  ['\u0000'],
  {},
  { '\u0000': { $gt: '' } },
]
const FIELDS = [
  'label',
  'external_id',
  'ceiling_cents',
  'ceiling_period',
  'paused',
  'grace_seconds',
  'url',
  'method',
  'headers',
  'body',
  'max_cost_cents',
  'model',
  'messages',
  'stream',
  'max_tokens',
  'email',
  'password',
  'key',
  'cents',
  'id',
  'name',
  'token',
  'next',
  'credential',
  'issuer',
  'jsonrpc',
  'params',
  'toString',
]
const TEXTS = [
  '{',
  'null',
  '"\\u0000"',
  '[]',
  '\u0000',
  '\ufeff{}',
  '{"label":"a","label":"\\u0000"}',
  '{"label":1e999}',
  '['.repeat(5_000),
  `{"__proto__":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`,
]
const HEADERS: readonly Record<string, string>[] = [
  { 'idempotency-key': 'x'.repeat(256) },
  { 'idempotency-key': '\u00ff' },
  { 'idempotency-key': ' ' },
  { accept: ',;q=\u00ff,*/*;q=zz' },
  { accept: 'application/problem+json' },
  { 'accept-encoding': 'gzip;q=abc,\u007f' },
  { 'content-type': 'application/json;charset=utf-16' },
  { 'content-type': '/' },
  { 'content-type': '' },
  { range: 'bytes=9-1,-0' },
  { 'if-none-match': '"' },
  { 'if-modified-since': 'never' },
  { authorization: 'Bearer \u00ff' },
  { authorization: 'Basic Og==' },
  { cookie: '__Host-tollgate=%00; a=\u00ff; =' },
  { 'x-forwarded-for': '\u00ff' },
  { 'sec-fetch-site': 'x' },
  { origin: 'null' },
  { 'payment-signature': 'AAAA' },
  { 'stripe-signature': 't=NaN,v1=\u00ff' },
]

describe('every route', () => {
  let bed: AppBed
  let asked: readonly { readonly method: Method; readonly url: string }[]
  let cookie = ''
  before(async () => {
    subscribe('fastify.initialization', listen)
    bed = await openAppBed({
      metricsToken: 'a-token-of-this-test',
      browsers: createFakeBrowsers().own,
    })
    unsubscribe('fastify.initialization', listen)
    bed.vendor.answerWith(() => ({ status: 404, body: {} }))
    cookie = cookieOf(
      await sendForm(bed.app, { url: '/balance/sign-in', fields: { key: bed.liveKey } }),
    )
    // After signing out, no page recognizes the session.
    asked = sampleOf(
      routes.filter(({ url }) => !url.includes('sign-out')),
      12,
    )
  })

  /** Once with a session of the pages, once with a key. */
  async function send(request: Asked): Promise<void> {
    const who = PAGES.test(request.url)
      ? { cookie, 'sec-fetch-site': 'same-origin' }
      : { authorization: `Bearer ${bed.liveKey}` }
    const headers = { ...who, ...request.headers }
    const reply = await bed.app.inject({ ...request, headers, payloadAsStream: true })
    const body = await bodyOf(reply)
    const told = `${request.method} ${request.url.slice(0, 150)} ${(request.payload ?? '').slice(0, 150)} ${JSON.stringify(request.headers ?? {})} -> ${reply.statusCode} ${body.slice(0, 300)}`
    assert.ok(reply.statusCode < 500 || reply.statusCode === 503, told)
    assert.ok(!body.includes('"code":"internal"'), told)
    if (String(reply.headers['content-type']).includes('html'))
      assert.ok(!body.includes('<script>'), told)
    if (
      String(reply.headers['content-type']).includes('json') &&
      reply.headers['content-encoding'] === undefined
    )
      assert.doesNotThrow(() => JSON.parse(body) as unknown, told)
    assert.ok(
      [undefined, '0'].includes(reply.headers['x-charged-micros'] as string | undefined),
      told,
    )
  }

  it('answers names in its address that nothing has', async () => {
    for (const { method, url } of asked) {
      if (!/[:*]/.test(url)) continue
      for (const text of IN_ADDRESSES)
        await send({
          method,
          url: url.replaceAll(/:[A-Za-z]+|\*/g, text),
          ...(method === 'GET'
            ? {}
            : { payload: '{}', headers: { 'content-type': 'application/json' } }),
        })
    }
  })

  it('answers queries of any kind, combined and one at a time for private lists', async () => {
    for (const { method, url } of asked) {
      if (method !== 'GET' || /[:*]/.test(url)) continue
      for (const text of sampleOf(IN_ADDRESSES, 4)) {
        await send({
          method,
          url: `${url}?${QUERIES.map((name) => `${name}=${text.slice(0, 100)}`).join('&')}`,
        })
        if (OWN.test(url))
          for (const name of QUERIES) await send({ method, url: `${url}?${name}=${text}` })
      }
    }
  })

  it('answers bodies of any kind, as JSON and, on pages, as a form', async () => {
    for (const { method, url } of asked) {
      if (method === 'GET') continue
      const at = url.replaceAll(/:[A-Za-z]+|\*/g, 'x')
      for (const value of VALUES) {
        const fields = FIELDS.map((name) => [name, value] as const)
        await send({
          method,
          url: at,
          payload: JSON.stringify(Object.fromEntries(fields)),
          headers: { 'content-type': 'application/json' },
        })
        if (PAGES.test(url))
          await send({
            method,
            url: at,
            payload: new URLSearchParams(
              Object.fromEntries(fields.map(([name, one]) => [name, String(one)])),
            ).toString(),
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
      }
      for (const payload of TEXTS)
        await send({ method, url: at, payload, headers: { 'content-type': 'application/json' } })
    }
  })

  it('answers headers of any kind', async () => {
    for (const { method, url } of asked)
      for (const headers of HEADERS)
        await send({
          method,
          url: url.replaceAll(/:[A-Za-z]+|\*/g, 'x'),
          ...(method === 'GET' ? {} : { payload: '{}' }),
          headers: {
            ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
        })
  })

  it('and the books balance, with nothing held', async () => {
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
    const { rows } = await bed.database.query<{ held: bigint }>(
      'select sum(held_micros)::bigint as held from wallets',
    )
    assert.equal(rows[0]?.held, 0n)
  })
})
