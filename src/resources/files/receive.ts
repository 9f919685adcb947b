import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Parcel } from './store.ts'

const WRITE_BYTES = 1024 * 1024

/** More bytes came than may come; the source is ended and nothing is kept. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

/**
 * Streams a source to a file in `folder` and measures it on the way. Throws TooManyBytes as soon as it passes
 * `maxBytes`, and whatever the source throws. The caller removes the file with `discard`, unless a store took it.
 */
export async function receive(source: Readable, { folder, maxBytes, signal }: { readonly folder: string; readonly maxBytes: number; readonly signal: AbortSignal }): Promise<Parcel> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const hash = createHash('sha256')
  let sizeBytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) return done(new TooManyBytes(`more than ${maxBytes} bytes`))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await pipeline(source, meter, createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WRITE_BYTES }), { signal })
  } catch (error) {
    await discard({ path })
    throw error
  }
  return { path, sizeBytes, sha256: hash.digest() }
}

export async function discard({ path }: Pick<Parcel, 'path'>): Promise<void> {
  await rm(path, { force: true })
}

/** Removes what processes that died left in `folder`: parcels last written before `beforeMs`. */
export async function discardOld(folder: string, beforeMs: number): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  let count = 0
  for (const name of names) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => null)
    if (facts === null || facts.mtimeMs >= beforeMs) continue
    await discard({ path })
    count += 1
  }
  return count
}
