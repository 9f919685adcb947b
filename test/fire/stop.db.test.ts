import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { FOUND, openFireBed, SEARCH } from './bed.ts'
import { ask, tally } from './client.ts'
import { openRaw, rawPost, statusesIn } from './raw-client.ts'

const IN_FLIGHT = 200
// A third of what a stop gives to those who do not read their answers; a busy machine needs seconds.
const SOON_MS = 60_000
const bed = await openFireBed()

/** Resolves when the port is closed. */
async function refused(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const until = performance.now() + SOON_MS
  while (performance.now() < until) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(Number(port), hostname)
      socket
        .once('error', () => done(false))
        .once('connect', () => {
          socket.destroy()
          done(true)
        })
    })
    if (!isOpen) return
  }
  assert.fail(`${url} still takes connections`)
}

test('a stop under load finishes accepted calls, rejects later ones and exits with 0', async () => {
  const account = await bed.account('100000')
  const gateway = await bed.start()
  const idle = await openRaw(gateway.url)
  const atVendor = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  let asked = 0
  bed.vendor.answerWith(async () => {
    asked += 1
    if (asked === IN_FLIGHT + 1) atVendor.resolve()
    await letGo.promise
    return { body: FOUND }
  })
  const calls = Array.from({ length: IN_FLIGHT }, () =>
    ask({ url: gateway.url, key: account.key, path: SEARCH, body: { query: 'x' } }),
  )
  const pipelining = await openRaw(gateway.url)
  pipelining.write(rawPost(SEARCH, account.key, '{"query":"x"}'))
  await atVendor.promise

  const ended = gateway.end('SIGTERM')
  await refused(gateway.url)
  await idle.closed()
  pipelining.write(rawPost(SEARCH, account.key, '{"query":"late"}'))
  letGo.resolve()

  // The connection may end with the answer to the call before; if there is another answer, it is a refusal.
  const [first, ...later] = (await pipelining.closed()).split(/(?=^HTTP)/m)
  assert.deepEqual(statusesIn(first ?? ''), [200])
  for (const answer of later) assert.match(answer, /^HTTP\/1\.1 503 [^]*"code":"shutting_down"/)
  assert.deepEqual(tally(await Promise.all(calls)), { 200: IN_FLIGHT })
  const answeredMs = performance.now()
  assert.equal(await ended, 0)
  // The calls have ended; closing connections waits for no caller.
  assert.ok(performance.now() - answeredMs < SOON_MS, `${performance.now() - answeredMs} ms`)
  assert.equal(asked, IN_FLIGHT + 1)
  assert.deepEqual(await account.wallet(), {
    balance: 1_000_000_000n - BigInt(IN_FLIGHT + 1) * 10_000n,
    held: 0n,
  })
  await bed.assertSound()
})

test('a client that never ends its request does not keep a stop waiting', async () => {
  const gateway = await bed.start()
  const account = await bed.account('200')
  const halves = await Promise.all(
    [
      'POST /api/run/semantic/search HTTP/1.1\r\nhost: ga',
      rawPost(SEARCH, account.key, '{"query"', { 'content-length': '100' }),
    ].map(async (half) => {
      const client = await openRaw(gateway.url)
      client.write(half)
      return client
    }),
  )
  await ask({ url: gateway.url, key: account.key, path: '/api/v1/balance' })
  const stoppedMs = performance.now()
  assert.equal(await gateway.end('SIGTERM'), 0)
  assert.ok(performance.now() - stoppedMs < SOON_MS, `${performance.now() - stoppedMs} ms`)
  for (const half of halves)
    assert.deepEqual(
      statusesIn(await half.closed()).filter((status) => status < 400),
      [],
    )
})
