import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { beforeEach, describe, it } from 'node:test'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import type { Caller } from '../../../keys/caller.ts'
import { sendWhenDone } from '../send-when-done.ts'
import { limitLargeBodies } from './limit-large-bodies.ts'
import { acceptJsonBodies } from './json-body.ts'
import { renderError } from '../render-error.ts'

const MIB = 1024 * 1024

let app: FastifyInstance
let url: string
/** Calls of /later that have begun and wait for the test. */
let begun: { readonly reply: FastifyReply; readonly finish: () => void }[]
let wakes: (() => void)[]

async function nextBegun(count: number): Promise<void> {
  while (begun.length < count) await new Promise<void>((wake) => wakes.push(wake))
}

beforeEach(async () => {
  begun = []
  wakes = []
  app = Fastify()
  app.setErrorHandler(renderError)
  limitLargeBodies(app, { mostBytes: 4 * MIB, bodyLimitBytes: MIB })
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, _reply, done) => {
    const account = request.headers['x-account']
    if (typeof account === 'string') request.caller = { accountId: account } as Caller
    done()
  })
  acceptJsonBodies(app)
  app.post('/later', { bodyLimit: 3 * MIB }, (_request, reply) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    begun.push({ reply, finish: () => resolve(undefined) })
    for (const wake of wakes.splice(0)) wake()
    sendWhenDone(reply, {
      work: promise,
      send: () => reply.send({ late: true }),
      over: () => undefined,
    })
  })
  app.patch('/at-once', async () => ({ ok: true }))
  app.put('/stream', { config: { streamsBody: true } }, async () => ({ ok: true }))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = app
  cleanUp(() => opened.close())
})

const bodyOf = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2))
const send = (
  path: string,
  method: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
const statusOf = async (path: string, method: string, body: string): Promise<number> =>
  (await send(path, method, body)).status

/** Starts a call of /later and resolves once its body is complete. */
function begin(bytes: number, headers: Record<string, string> = {}): ClientRequest {
  const request = httpRequest(`${url}/later`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': bytes, ...headers },
  })
  request.on('error', () => undefined)
  cleanUp(() => request.destroy())
  return request.end(bodyOf(bytes))
}

/** A call of /later without Content-Length. */
function beginInChunks(): ClientRequest {
  const request = httpRequest(`${url}/later`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  })
  request.on('error', () => undefined)
  cleanUp(() => request.destroy())
  return request
}

describe('large bodies in progress', () => {
  it('share one limit for all routes; small and streamed bodies do not count', async () => {
    begin(3 * MIB)
    await nextBegun(1)
    assert.equal(await statusOf('/at-once', 'PATCH', bodyOf(MIB)), 200, 'up to the bound')
    begin(MIB)
    await nextBegun(2)
    const refused = await send('/at-once', 'PATCH', bodyOf(300_000))
    assert.deepEqual(
      [
        refused.status,
        refused.headers.get('retry-after'),
        ((await refused.json()) as { error: { code: string } }).error.code,
      ],
      [503, '1', 'overloaded'],
    )
    assert.equal(await statusOf('/at-once', 'PATCH', bodyOf(250_000)), 200)
    assert.equal(await statusOf('/stream', 'PUT', bodyOf(MIB)), 200)
    const answered = once(begun[1]?.reply.raw ?? app.server, 'close')
    begun[1]?.finish()
    await answered
    assert.equal(
      await statusOf('/at-once', 'PATCH', bodyOf(300_000)),
      200,
      'after an answer there is room again',
    )
  })

  it('in chunks are rejected at the byte that has no place, before they are complete', async () => {
    begin(3 * MIB)
    await nextBegun(1)
    const request = beginInChunks()
    request.write(`"${'x'.repeat(MIB + 1)}`)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    assert.equal(response.statusCode, 503)
    request.destroy()
    beginInChunks().end('"x"')
    await nextBegun(2)
  })

  it('in chunks count the bytes that have arrived', async () => {
    beginInChunks().end('"x"')
    await nextBegun(1)
    beginInChunks().end(bodyOf(2 * MIB + 300_000))
    await nextBegun(2)
    begin(MIB)
    await nextBegun(3)
    assert.equal(await statusOf('/at-once', 'PATCH', bodyOf(MIB)), 503, 'a large one does')
    const closed = begun.map(({ reply }) => once(reply.raw, 'close'))
    for (const { finish } of begun) finish()
    await Promise.all(closed)
    begin(3 * MIB)
    await nextBegun(4)
    assert.deepEqual(
      [
        await statusOf('/at-once', 'PATCH', bodyOf(MIB)),
        await statusOf('/later', 'POST', bodyOf(MIB + 1)),
      ],
      [200, 503],
      'each gave back what it held, and no more',
    )
  })

  it('of one slow account leave capacity to other accounts', async () => {
    const [mine, other] = [{ 'x-account': 'mine' }, { 'x-account': 'other' }]
    begin(2 * MIB, mine)
    await nextBegun(1)
    const refused = await send('/at-once', 'PATCH', bodyOf(300_000), mine)
    assert.deepEqual(
      [
        refused.status,
        refused.headers.get('retry-after'),
        ((await refused.json()) as { error: { code: string } }).error.code,
      ],
      [429, '1', 'rate_limited'],
    )
    assert.equal(
      (await send('/at-once', 'PATCH', bodyOf(250_000), mine)).status,
      200,
      'small ones are not counted',
    )
    begin(2 * MIB, other)
    await nextBegun(2)
    const closed = begun.map(({ reply }) => once(reply.raw, 'close'))
    for (const { finish } of begun) finish()
    await Promise.all(closed)
    assert.equal(
      (await send('/at-once', 'PATCH', bodyOf(MIB), mine)).status,
      200,
      'each gave back what it held',
    )
  })

  it('count until the work is done, even after the caller hung up', async () => {
    const request = begin(3 * MIB)
    await nextBegun(1)
    begin(MIB)
    await nextBegun(2)
    const closed = once(begun[0]?.reply.raw ?? app.server, 'close')
    request.destroy()
    await closed
    assert.equal(await statusOf('/at-once', 'PATCH', bodyOf(MIB)), 503)
    begun[0]?.finish()
    assert.equal(await statusOf('/at-once', 'PATCH', bodyOf(MIB)), 200)
  })
})
