/** Parsing and rejection of large bodies. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, it } from 'node:test'
import Fastify, { type FastifyRequest } from 'fastify'
import type { Caller } from '../../../keys/caller.ts'
import { acceptJsonBodies } from './json-body.ts'
import { limitRejectedBodies } from './limit-rejected-bodies.ts'
import { LargeBodyQueue } from './large-body-queue.ts'
import { renderError } from '../render-error.ts'
import { hasMoreValuesThan } from './value-count.ts'

const MIB = 1024 * 1024

describe('large bodies', () => {
  it('are parsed in order, one per turn of the event loop; small ones immediately', async () => {
    const queue = new LargeBodyQueue()
    const read: number[] = []
    for (let place = 0; place < 4; place += 1) queue.run(2 * MIB, () => void read.push(place))
    queue.run(MIB, () => void read.push(-1))
    assert.deepEqual(read, [-1])
    let before = read.length
    while (read.length < 5) {
      await turn()
      assert.ok(read.length - before <= 1)
      before = read.length
    }
    assert.deepEqual(read, [-1, 0, 1, 2, 3])
  })

  it('count values correctly when strings have escaped quotes', () => {
    const count = (text: string, most: number): boolean =>
      hasMoreValuesThan(Buffer.from(text), most)
    for (const text of [
      '["a\\"b,c","d"]',
      '["\\\\","d"]',
      '["\\\\\\",x","d"]',
      '["a","d"]',
      '["","d"]',
    ])
      assert.deepEqual([count(text, 2), count(text, 1)], [false, true], text)
    assert.equal(count('["never ends, and, has, commas', 1), false)
  })

  it('in chunks count as large only above 1 MiB', async () => {
    const app = Fastify({ bodyLimit: 4 * MIB })
    app.setErrorHandler(renderError)
    acceptJsonBodies(app)
    app.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
      request.caller = { accountId: 'one' } as unknown as Caller
      done()
    })
    limitRejectedBodies(app, () => 1_000_000)
    app.post('/call', (_request, reply) => reply.code(402).send({}))
    const send = async (bytes: number): Promise<number> => {
      const payload = Readable.from([Buffer.from(JSON.stringify('x'.repeat(bytes - 2)))])
      const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
      return (await app.inject({ method: 'POST', url: '/call', headers, payload })).statusCode
    }
    for (let sent = 0; sent < 21; sent += 1) assert.equal(await send(13), 402)
    for (let sent = 0; sent < 20; sent += 1) assert.equal(await send(MIB + 1), 402)
    assert.equal(await send(MIB + 1), 429)
    assert.equal(await send(13), 402)
    await app.close()
  })

  it('are rejected unread for a minute after many rejected bodies of an account', async () => {
    let nowMs = 1_000_000
    let served = 0
    const app = Fastify({ bodyLimit: 4 * MIB })
    app.setErrorHandler(renderError)
    app.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
      request.caller = { accountId: String(request.headers['x-account']) } as unknown as Caller
      done()
    })
    limitRejectedBodies(app, () => nowMs)
    app.post('/call', (_request, reply) => {
      served += 1
      return reply.code(402).send({})
    })
    const send = async (account: string, bytes = 2 * MIB): Promise<number> =>
      (
        await app.inject({
          method: 'POST',
          url: '/call',
          headers: { 'x-account': account, 'content-type': 'application/json' },
          payload: JSON.stringify({ text: 'a'.repeat(bytes) }),
        })
      ).statusCode
    for (let count = 0; count < 20; count += 1) assert.equal(await send('a'), 402)
    assert.deepEqual(
      [await send('a'), await send('a', 100), await send('b'), served],
      [429, 402, 402, 22],
    )
    nowMs += 60_001
    assert.equal(await send('a'), 402)
    await app.close()
  })
})
