import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { newSecret } from '../../src/keys/format.ts'
import { openAppBed } from '../harness/beds/app.ts'
import { FOUND, openFireBed, SEARCH } from './bed.ts'
import { ask, tally } from './client.ts'
import { openRaw, rawPost, statusesIn, type RawClient } from './raw-client.ts'
import { HEAP_LINE } from './report-heap.ts'

const BODY = '{"query":"x"}'
const PRICE = 10_000n
const bed = await openFireBed()
const REPORT_HEAP = pathToFileURL(join(import.meta.dirname, 'report-heap.ts')).href
const gateway = await bed.start({ NODE_OPTIONS: `--expose-gc --import ${REPORT_HEAP}` })
const { url, process: child } = gateway

/** The gateway's live memory in bytes, after garbage collection. */
async function keptBytes(): Promise<number> {
  const reports = (): RegExpExecArray[] => [...gateway.output().matchAll(HEAP_LINE)]
  const before = reports().length
  child.kill('SIGUSR2')
  while (reports().length === before)
    await once(child.stderr ?? assert.fail('the gateway has no output'), 'data')
  return Number(reports().at(-1)?.[1])
}

test('callers that disconnect are charged exactly for deliveries, and no hold is left', async () => {
  const account = await bed.account('1000')
  const [everybodyIsThere, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  bed.vendor.answerWith(async () => {
    asked += 1
    const failing = asked % 4 === 0
    if (asked === 100) everybodyIsThere.resolve()
    await letGo.promise
    return failing ? { status: 500 } : { body: FOUND }
  })
  const callers = await Promise.all(Array.from({ length: 100 }, () => openRaw(url)))
  for (const caller of callers) caller.write(rawPost(SEARCH, account.key, BODY))
  await everybodyIsThere.promise
  for (const { socket } of callers) socket.resetAndDestroy()
  assert.deepEqual(await account.wallet(), { balance: 1000n * PRICE, held: 100n * PRICE })
  letGo.resolve()
  await bed.nothingHeld()
  assert.deepEqual(await account.wallet(), { balance: 1000n * PRICE - 75n * PRICE, held: 0n })
  await bed.assertSound()
})

test('pipelined calls are answered in their order, each charged once', async () => {
  const account = await bed.account('1000')
  bed.vendor.answerWith(({ body }) => ({
    body: { ...FOUND, requestId: (body as { query: string }).query },
  }))
  const client = await openRaw(url)
  client.write(
    Array.from({ length: 20 }, (_, place) =>
      rawPost(SEARCH, account.key, `{"query":"number ${place}."}`),
    ).join(''),
  )
  const said = await client.received('"request_id"', 20)
  assert.deepEqual(
    [...said.matchAll(/number (\d+)\./g)].map(([, place]) => Number(place)),
    Array.from({ length: 20 }, (_, place) => place),
  )
  assert.deepEqual(await account.wallet(), { balance: 980n * PRICE, held: 0n })
})

test('a body announced with Expect: 100-continue is requested and charged once', async () => {
  const account = await bed.account('100')
  const client = await openRaw(url)
  const request = rawPost(SEARCH, account.key, BODY, {
    expect: '100-continue',
    connection: 'close',
  })
  client.write(request.slice(0, -BODY.length))
  await client.received('HTTP/1.1 100 Continue\r\n\r\n')
  client.write(BODY)
  assert.deepEqual(statusesIn(await client.closed()), [100, 200])
  assert.deepEqual(await account.wallet(), { balance: 99n * PRICE, held: 0n })
})

const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`
const CHUNKED = { 'transfer-encoding': 'chunked' }
const withoutLength = (request: string): string => request.replace(/content-length: \d+\r\n/, '')

const MALFORMED: readonly (readonly [string, (key: string) => string, number])[] = [
  [
    'a chunked body of more than a mebibyte',
    (key) => `${withoutLength(rawPost(SEARCH, key, '', CHUNKED))}${chunk.repeat(17)}`,
    413,
  ],
  [
    'a body announced as larger than a mebibyte, of which nothing is sent',
    (key) => rawPost(SEARCH, key, '', { 'content-length': '5000000' }),
    413,
  ],
  [
    'a chunk whose length is no number',
    (key) => `${withoutLength(rawPost(SEARCH, key, '', CHUNKED))}invalidSetting\r\n`,
    400,
  ],
  ['both a length and chunks', (key) => rawPost(SEARCH, key, `0\r\n\r\n${BODY}`, CHUNKED), 400],
  ['two different lengths', (key) => rawPost(SEARCH, key, BODY, { 'Content-Length': '5' }), 400],
  [
    'a length that is no number',
    (key) => rawPost(SEARCH, key, BODY, { 'content-length': '13x' }),
    400,
  ],
  ['a length below zero', (key) => rawPost(SEARCH, key, BODY, { 'content-length': '-1' }), 400],
  [
    'more headers than fit',
    (key) => rawPost(SEARCH, key, BODY, { 'x-filler': 'x'.repeat(20_000) }),
    431,
  ],
  [
    'no host',
    (key) => rawPost(SEARCH, key, BODY, { connection: 'close' }).replace(/\r\nhost: [^\r]*/i, ''),
    400,
  ],
  [
    'two hosts',
    (key) => rawPost(SEARCH, key, BODY, { connection: 'close', Host: 'elsewhere.example' }),
    400,
  ],
  ['a line that is not HTTP', () => 'EHLO gate.example\r\n\r\n', 400],
  [
    'a length shorter than the body',
    (key) => rawPost(SEARCH, key, BODY, { 'content-length': '5', connection: 'close' }),
    400,
  ],
]

test('a body that contradicts its headers is rejected, not charged, and reaches no vendor', async () => {
  const account = await bed.account('100')
  const asked = bed.vendor.requests.length
  for (const [name, request, status] of MALFORMED) {
    const client = await openRaw(url)
    client.write(request(account.key))
    const said = await client.closed()
    assert.deepEqual(statusesIn(said).slice(0, 1), [status], `${name}: ${said.slice(0, 400)}`)
    const { ok, error } = JSON.parse(/\r\n\r\n(\{.*?\})(?:HTTP|$)/s.exec(said)?.[1] ?? '{}') as {
      ok: boolean
      error: { fix: string }
    }
    assert.ok(!ok && error.fix.length > 10, name)
  }
  assert.equal(bed.vendor.requests.length, asked)
  assert.deepEqual(await account.wallet(), { balance: 100n * PRICE, held: 0n })
})

test('2000 idle connections and 500 unfinished requests delay no other caller', async () => {
  const account = await bed.account('1000')
  bed.vendor.answerWith(() => ({ body: FOUND }))
  const idle = await Promise.all(Array.from({ length: 2000 }, () => openRaw(url)))
  const slow = await Promise.all(Array.from({ length: 500 }, () => openRaw(url)))
  for (const [place, client] of slow.entries())
    client.write(rawPost(SEARCH, account.key, BODY).slice(0, place % 2 === 0 ? 40 : -3))
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      ask({ url, key: account.key, path: SEARCH, body: { query: 'x' } }),
    ),
  )
  assert.deepEqual(tally(answers), { 200: 100 })
  for (const { socket } of [...idle, ...slow]) socket.destroy()
  assert.deepEqual(await account.wallet(), { balance: 900n * PRICE, held: 0n })
})

test('60 000 made-up keys are rejected and leave nothing in memory', async () => {
  const [CLIENTS, BATCH] = [20, 100]
  // Every fiftieth has a right checksum and costs a look-up, more than are remembered as unknown; the rest are refused before that.
  const madeUp = (place: number): string =>
    place % 50 === 0 ? newSecret('live') : `tg_live_${String(place).padStart(38, '0')}`
  let made = 0
  async function flood(client: RawClient, batches: number): Promise<void> {
    for (let batch = 1; batch <= batches; batch += 1) {
      const requests = Array.from(
        { length: BATCH },
        () =>
          `GET /api/v1/balance HTTP/1.1\r\nhost: gate\r\nauthorization: Bearer ${madeUp((made += 1))}\r\n\r\n`,
      )
      client.write(requests.join(''))
      await client.received('HTTP/1.1 401', BATCH)
      client.forget()
    }
  }
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => openRaw(url)))
  // The first flood fills bounded caches. A leak would grow with every further flood: 20 000 hashes take about 2 MiB.
  const sizes: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(clients.map((client) => flood(client, 10)))
    sizes.push(await keptBytes())
  }
  assert.equal(made, 60_000)
  const grown = sizes.slice(1).map((size, place) => size - (sizes[place] ?? 0))
  assert.ok(
    Math.min(...grown) < 1_048_576,
    `every flood of 20 000 left more behind: ${grown.join(', ')} bytes`,
  )
})

test('200 clients that pipeline 20 large documents each, without a key, keep paid calls going', async () => {
  const account = await bed.account('200')
  bed.vendor.answerWith(() => ({ body: FOUND }))
  const clients = await Promise.all(Array.from({ length: 200 }, () => openRaw(url)))
  let documentBytes = 0
  for (const { socket } of clients)
    socket.on('data', (bytes: Buffer) => (documentBytes += bytes.length))
  for (const client of clients)
    client.write('GET /openapi.json HTTP/1.1\r\nhost: gate\r\n\r\n'.repeat(20))
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      ask({ url, key: account.key, path: SEARCH, body: { query: 'x' } }),
    ),
  )
  assert.deepEqual(tally(answers), { 200: 50 })
  const whole = (await (await fetch(`${url}/openapi.json`)).arrayBuffer()).byteLength
  // Served one after the other before anything else, these would have been 4000.
  assert.ok(
    documentBytes < 400 * whole,
    `${Math.round(documentBytes / whole)} documents were sent before 50 calls were answered`,
  )
  for (const { socket } of clients) socket.destroy()
})

test('256 silent or half-sent connections do not block a gateway with a limit of 128', async () => {
  const small = await openAppBed({ mostConnections: 128 })
  small.vendor.answerWith(() => ({ body: FOUND }))
  const address = await small.app.listen({ port: 0, host: '127.0.0.1' })
  const half = await Promise.all(Array.from({ length: 256 }, () => openRaw(address)))
  for (const [place, client] of half.entries())
    client.write(rawPost(SEARCH, small.liveKey, BODY).slice(0, [0, 40, -3][place % 3]))
  for (let wave = 0; wave < 5; wave += 1) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        ask({ url: address, key: small.liveKey, path: SEARCH, body: { query: 'x' } }),
      ),
    )
    assert.deepEqual(tally(answers), { 200: 8 })
  }
  for (const { socket } of half) socket.destroy()
})
