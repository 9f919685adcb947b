import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { finished, Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../errors/app-error.ts'
import type { Parcel } from './store.ts'

const WRITE_BYTES = 1024 * 1024

// What goes wrong with this machine's disk, as against the sender's line.
const DISK_FAULTS: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'EMFILE', 'ENFILE', 'EEXIST', 'ENOTDIR', 'ENOENT'])

/** More bytes came than may come; the source is ended and nothing is kept. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

const ignore = (): void => {}

export type Receiving = { readonly folder: string; readonly maxBytes: number; readonly signal: AbortSignal; readonly idleMs: number }

/**
 * Streams a source to a file in `folder` and measures it on the way. Throws TooManyBytes as soon as it passes
 * `maxBytes`, AppError request_timeout when nothing comes for `idleMs`, AppError
 * overloaded when the disk takes no more, the signal's reason, and whatever the source throws; the source
 * itself is left as it is then. The caller removes the file with `discard`, unless a store took it.
 */
export async function receive(source: Readable, { folder, maxBytes, signal, idleMs }: Receiving): Promise<Parcel> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw ownFault(error)
  })
  const path = join(folder, randomUUID())
  const hash = createHash('sha256')
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), idleMs)
  let sizeBytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      timer.refresh()
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) return done(new TooManyBytes(`more than ${maxBytes} bytes`))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  // What it says after it was given up on concerns nobody; unheard, it would end the process.
  source.on('error', ignore)
  // Not part of the pipeline, which would destroy it: a request whose body is refused is still to be answered.
  const detach = finished(source, { writable: false }, (error) => {
    if (error !== null && error !== undefined) meter.destroy(error)
  })
  try {
    source.pipe(meter)
    await pipeline(meter, createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WRITE_BYTES }), { signal: AbortSignal.any([signal, silence.signal]) })
  } catch (error) {
    source.unpipe(meter)
    await discard({ path })
    if (silence.signal.aborted) throw new AppError('request_timeout', `Nothing came for ${idleMs / 1000} seconds.`)
    throw signal.aborted ? signal.reason : ownFault(error)
  } finally {
    clearTimeout(timer)
    detach()
  }
  return { path, sizeBytes, sha256: hash.digest() }
}

function ownFault(error: unknown): unknown {
  if (!DISK_FAULTS.has((error as NodeJS.ErrnoException).code)) return error
  return new AppError('overloaded', 'This gateway has no room for the file at the moment.', { retryAfterSeconds: 30, cause: error })
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
