import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { CLIENT_LIMITS } from '../../src/surfaces/http/connections/client-limits.ts'
import { openAppBed } from '../harness/beds/app.ts'
import { FOUND, SEARCH } from './bed.ts'
import { openRaw, rawPost, statusesIn } from './raw-client.ts'

const LIMITS = { headersMs: 200, requestMs: 400, checkEveryMs: 50, stalledMs: 300 }
const bed = await openAppBed({ clientLimits: LIMITS })
bed.vendor.answerWith(() => ({ body: FOUND }))
const url = await bed.app.listen({ port: 0, host: '127.0.0.1' })

/** Opens a connection, sends `parts` with `everyMs` between them, and gives what came until the server ended it. */
async function trickle(parts: readonly string[], everyMs: number): Promise<string> {
  const client = await openRaw(url)
  let next = 0
  // After reading the received bytes: a write to a connection that the server has closed discards them.
  const timer = setInterval(() => {
    setImmediate(() => {
      client.write(parts[next] ?? '')
      next += 1
    })
  }, everyMs)
  const said = await client.closed()
  clearInterval(timer)
  return said
}

const request = rawPost(SEARCH, bed.liveKey, `{"query":"x"${' '.repeat(200)}}`)
const bodyAt = request.indexOf('\r\n\r\n') + 4

for (const [name, parts] of [
  ['sends nothing', []],
  ['stops in its headers', [request.slice(0, 40)]],
  ['sends its headers a letter at a time', request.slice(0, bodyAt).split('')],
  ['stops in its body', [request.slice(0, -2)]],
  [
    'sends its body a letter at a time, too slowly',
    [request.slice(0, bodyAt), ...request.slice(bodyAt).split('')],
  ],
] as const) {
  test(`a client that ${name} gets 408 and a closed connection, and reaches no vendor`, async () => {
    const said = await trickle(parts, 20)
    assert.deepEqual(statusesIn(said), [408])
    assert.match(said, /"code":"request_timeout"/)
    assert.match(said, /connection: close/i)
    assert.equal(bed.vendor.requests.length, 0)
  })
}

test('a call that takes longer than its request may is not cut off', async () => {
  bed.vendor.answerWith(
    () =>
      new Promise((done) =>
        setTimeout(() => done({ body: FOUND }), LIMITS.requestMs + 4 * LIMITS.checkEveryMs),
      ),
  )
  const client = await openRaw(url)
  client.write(request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  assert.deepEqual(statusesIn(await client.closed()), [200])
})

test('a client that does not read its answer loses its connection', async () => {
  const opened = once(bed.app.server, 'connection') as Promise<[Socket]>
  const client = await openRaw(url)
  const [served] = await opened
  client.socket.pause()
  client.write('GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(100))
  await once(served, 'close')
  assert.ok(served.destroyed)
})

test('a gateway as it is run gives a slow line time for a whole mebibyte, and a silent one not', () => {
  assert.ok(
    CLIENT_LIMITS.headersMs <= 15_000 &&
      CLIENT_LIMITS.requestMs >= 20_000 &&
      CLIENT_LIMITS.requestMs <= 60_000,
  )
})
