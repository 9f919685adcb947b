/** What every store promises; the tests of the drivers hold each of them to it. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import type { ByteRange, Parcel, Store } from '../store.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-parcels-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

export const newKey = (): string => randomBytes(24).toString('hex')

export async function read(store: Store, key: string, range: ByteRange | null = null): Promise<Buffer | null> {
  const stream = await store.open(key, range)
  return stream === null ? null : buffer(stream)
}

export function parcelOf(bytes: Buffer): Parcel {
  const path = join(folder, randomBytes(8).toString('hex'))
  writeFileSync(path, bytes)
  return { path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}

type StorePromise = readonly [string, (store: Store) => Promise<void>]

const givesBack = (size: number): StorePromise => [`gives ${size} bytes back as they were kept`, async (store) => {
  const [key, bytes] = [newKey(), randomBytes(size)]
  await store.keep(key, parcelOf(bytes))
  assert.deepEqual(await read(store, key), bytes)
}]

export const storePromises: readonly StorePromise[] = [
  givesBack(0),
  givesBack(1),
  givesBack(300_000),
  ['gives a part of an object', async (store) => {
    const [key, bytes] = [newKey(), randomBytes(1_000)]
    await store.keep(key, parcelOf(bytes))
    for (const [first, last] of [[0, 1], [10, 19], [999, 999], [0, 999]] as const) assert.deepEqual(await read(store, key, { first, last }), bytes.subarray(first, last + 1))
  }],
  ['has nothing under a key that was never used, or was removed', async (store) => {
    const key = newKey()
    assert.equal(await read(store, key), null)
    await store.remove(key)
    await store.keep(key, parcelOf(Buffer.from('x')))
    await store.remove(key)
    assert.equal(await read(store, key), null)
    assert.equal(await read(store, key, { first: 0, last: 1 }), null)
    await store.remove(key)
  }],
]
