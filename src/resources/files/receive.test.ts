import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { AppError } from '../../errors/app-error.ts'
import { readInBatches } from './batched-source.ts'
import { receive, TooManyBytes, type Receiving } from './receive.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-receive-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))
const how = (facts: Partial<Receiving> = {}): Receiving => ({
  folder,
  maxBytes: 10_000_000,
  signal: new AbortController().signal,
  idleMs: 10_000,
  ...facts,
})
/** Chunks with their own memory, as from a connection. */
const chunksOf = (...sizes: number[]): Buffer[] =>
  sizes.map((size) => Buffer.from(new Uint8Array(randomBytes(size)).buffer))
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('a received file', () => {
  it('has all bytes in order with size and hash, from large, tiny and too many chunks', async () => {
    for (const chunks of [
      chunksOf(1),
      chunksOf(...Array.from({ length: 50 }, () => 65_536), 17),
      chunksOf(...Array.from({ length: 3_000 }, () => 3)),
      [],
    ]) {
      const bytes = Buffer.concat(chunks)
      const received = await receive(Readable.from(chunks), how())
      assert.deepEqual(
        [received.sizeBytes, received.sha256.toString('hex'), sha256(readFileSync(received.path))],
        [bytes.length, sha256(bytes), sha256(bytes)],
      )
      rmSync(received.path)
    }
  })

  it('frees the memory of owned chunks only', async () => {
    const [own, others] = [chunksOf(65_536, 20_000, 100), chunksOf(65_536)]
    const whole = Buffer.concat(own)
    const received = await receive(Readable.from(own), how({ ownsChunks: true }))
    assert.ok(readFileSync(received.path).equals(whole))
    assert.deepEqual(
      own.map(({ length }) => length),
      [0, 0, 100],
    )
    const part = Buffer.alloc(100_000).subarray(0, 50_000)
    rmSync(received.path)
    for (const [chunks, ownsChunks] of [
      [others, false],
      [[part], true],
    ] as const)
      rmSync((await receive(Readable.from(chunks), how({ ownsChunks }))).path)
    assert.deepEqual([others[0]?.length, part.length], [65_536, 50_000])
  })

  it('starts the idle timer again after the sender waited for the disk', async (t) => {
    // The runner's mock timers do not support refresh.
    let [nowMs, dueMs] = [0, 0]
    let ring = (): void => {}
    t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
      const refresh = (): void => void (dueMs = nowMs + ms)
      ring = run
      refresh()
      return { refresh }
    })
    const pass = (ms: number): void => {
      nowMs += ms
      if (nowMs >= dueMs) ring()
    }
    const source = new PassThrough()
    const inflow = readInBatches(source, {
      maxBytes: 100,
      signal: new AbortController().signal,
      idleMs: 1_000,
    })
    const next = async (): Promise<string | undefined> =>
      (await inflow.next())?.map(String).join('')
    source.write('one')
    assert.equal(await next(), 'one')
    source.write('two')
    await new Promise((turn) => setImmediate(turn))
    // The first batch was being written for this long.
    pass(900)
    assert.equal(await next(), 'two')
    pass(900)
    source.write('three')
    assert.equal(await next(), 'three')
    pass(1_000)
    await assert.rejects(
      next(),
      (error) => error instanceof AppError && error.code === 'request_timeout',
    )
    inflow.end()
    source.destroy()
  })

  for (const [name, facts, end, expected] of [
    [
      'too many bytes',
      { maxBytes: 10 },
      (source: PassThrough) => source.write('more than that'),
      (error: unknown) => error instanceof TooManyBytes,
    ],
    [
      'silence',
      { idleMs: 1 },
      () => {},
      (error: unknown) => error instanceof AppError && error.code === 'request_timeout',
    ],
    [
      'a source that breaks',
      {},
      (source: PassThrough) => source.destroy(new RangeError('broken')),
      /broken/,
    ],
    [
      'a source that is closed without an end',
      {},
      (source: PassThrough) => source.destroy(),
      /Premature close/,
    ],
    ['an order to stop', { signal: AbortSignal.abort(new RangeError('stop')) }, () => {}, /stop/],
  ] as const) {
    it(`is removed after ${name}`, async () => {
      const source = new PassThrough()
      source.write('some')
      const received = receive(source, how(facts))
      setImmediate(() => end(source))
      await assert.rejects(received, expected)
      assert.deepEqual(readdirSync(folder), [])
      source.destroy()
    })
  }
})
