/** What every store promises; each driver's test runs it. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import type { Parcel, Store } from '../store.ts'

/** `open` is called inside the tests, so that it may use what `before` made. */
export function describeStore(name: string, open: () => Store): void {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-store-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const newKey = (): string => randomBytes(24).toString('hex')
  const read = async (key: string, range: { first: number; last: number } | null = null): Promise<Buffer | null> => {
    const stream = await open().open(key, range)
    return stream === null ? null : buffer(stream)
  }

  describe(name, () => {
    for (const size of [0, 1, 300_000]) {
      it(`gives ${size} bytes back as they were kept`, async () => {
        const [key, bytes] = [newKey(), randomBytes(size)]
        await open().keep(key, parcelOf(folder, bytes))
        assert.deepEqual(await read(key), bytes)
      })
    }

    it('gives a part of an object', async () => {
      const [key, bytes] = [newKey(), randomBytes(1_000)]
      await open().keep(key, parcelOf(folder, bytes))
      for (const [first, last] of [[0, 1], [10, 19], [999, 999], [0, 999]] as const) assert.deepEqual(await read(key, { first, last }), bytes.subarray(first, last + 1))
    })

    it('has nothing under a key that was never used, or was removed', async () => {
      const key = newKey()
      assert.equal(await read(key), null)
      await open().remove(key)
      await open().keep(key, parcelOf(folder, Buffer.from('x')))
      await open().remove(key)
      assert.equal(await read(key), null)
      assert.equal(await read(key, { first: 0, last: 1 }), null)
      await open().remove(key)
    })
  })
}

export function parcelOf(folder: string, bytes: Buffer): Parcel {
  const path = join(folder, randomBytes(8).toString('hex'))
  writeFileSync(path, bytes)
  return { path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}
