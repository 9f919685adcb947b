/** The contract of every store; the drivers' tests check it. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import type { ByteRange, ReceivedFile, Store } from '../store.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-received-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

export const newKey = (): string => randomBytes(24).toString('hex')

export async function read(
  store: Store,
  key: string,
  range: ByteRange | null = null,
): Promise<Buffer | null> {
  const stream = await store.open(key, range)
  return stream === null ? null : buffer(stream)
}

/** Reads the same bytes through `openPieces`, if the store has it. */
async function readPieces(
  store: Store,
  key: string,
  range: ByteRange | null,
): Promise<Buffer | null> {
  if (store.openPieces === undefined) return read(store, key, range)
  const pieces = await store.openPieces(key, range)
  if (pieces === null) return null
  const taken: Buffer[] = []
  await pieces(async (piece) => {
    // A consumer may be slow.
    await new Promise((turn) => setImmediate(turn))
    taken.push(Buffer.from(piece))
  })
  return Buffer.concat(taken)
}

export function receivedOf(bytes: Buffer): ReceivedFile {
  const path = join(folder, randomBytes(8).toString('hex'))
  writeFileSync(path, bytes)
  return { path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}

type StorePromise = readonly [string, (store: Store) => Promise<void>]

const returnsBytes = (size: number): StorePromise => [
  `returns ${size} bytes unchanged`,
  async (store) => {
    const [key, bytes] = [newKey(), randomBytes(size)]
    await store.put(key, receivedOf(bytes))
    assert.deepEqual(await read(store, key), bytes)
    assert.deepEqual(await readPieces(store, key, null), bytes)
  },
]

export const storePromises: readonly StorePromise[] = [
  returnsBytes(0),
  returnsBytes(1),
  returnsBytes(262_144),
  returnsBytes(1_300_000),
  [
    'returns a range of an object',
    async (store) => {
      const [key, bytes] = [newKey(), randomBytes(1_000)]
      await store.put(key, receivedOf(bytes))
      for (const [first, last] of [
        [0, 1],
        [10, 19],
        [999, 999],
        [0, 999],
      ] as const) {
        for (const way of [read, readPieces])
          assert.deepEqual(await way(store, key, { first, last }), bytes.subarray(first, last + 1))
      }
    },
  ],
  [
    'returns null for an unused or removed key',
    async (store) => {
      const key = newKey()
      assert.equal(await read(store, key), null)
      await store.remove(key)
      await store.put(key, receivedOf(Buffer.from('x')))
      await store.remove(key)
      assert.equal(await read(store, key), null)
      assert.equal(await read(store, key, { first: 0, last: 1 }), null)
      assert.equal(await readPieces(store, key, null), null)
      await store.remove(key)
    },
  ],
]
