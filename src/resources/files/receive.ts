import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import { createInflow, type Inflow } from './inflow.ts'
import type { Parcel } from './store.ts'

const SYNC_BYTES = 16 * 1024 * 1024
const WORTH_GIVING_BACK = 16 * 1024

// What goes wrong with this machine's disk, as against the sender's line.
const DISK_FAULTS: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EIO',
  'EMFILE',
  'ENFILE',
  'EEXIST',
  'ENOTDIR',
  'ENOENT',
])

export { TooManyBytes } from './inflow.ts'

const ignore = (): void => {}

export type Receiving = {
  readonly folder: string
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly idleMs: number
  /** Nobody else holds the memory of the chunks: it is given back as soon as they are written. */
  readonly ownsChunks?: boolean
}

/**
 * Streams a source to a file in `folder` and measures it on the way. Throws TooManyBytes as soon as it passes
 * `maxBytes`, AppError request_timeout when nothing comes for `idleMs`, AppError
 * overloaded when the disk takes no more, the signal's reason, and whatever the source throws; the source
 * itself is left as it is then. The caller removes the file with `discard`, unless a store took it.
 */
export async function receive(
  source: Readable,
  { folder, maxBytes, signal, idleMs, ownsChunks = false }: Receiving,
): Promise<Parcel> {
  // What it says after it was given up on concerns nobody; unheard, it would end the process.
  source.on('error', ignore)
  await makeFolders(folder).catch((error: unknown) => {
    throw ownFault(error)
  })
  const path = join(folder, randomUUID())
  const inflow = createInflow(source, { maxBytes, signal, idleMs })
  try {
    return { path, ...(await writeDown(path, inflow, ownsChunks)) }
  } catch (error) {
    await discard({ path })
    throw ownFault(error)
  } finally {
    inflow.end()
  }
}

/** Writes and hashes side by side: a batch is hashed while the operating system takes it. */
async function writeDown(
  path: string,
  inflow: Inflow,
  ownsChunks: boolean,
): Promise<Omit<Parcel, 'path'>> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  const syncs = createSyncs(file)
  let sizeBytes = 0
  try {
    for (let batch = await inflow.next(); batch !== null; batch = await inflow.next()) {
      const writing = writeAll(file, batch)
      for (const chunk of batch) hash.update(chunk)
      const bytes = await writing
      if (ownsChunks) batch.forEach(giveBack)
      sizeBytes += bytes
      syncs.wrote(bytes)
    }
    await syncs.settled()
    return { sizeBytes, sha256: hash.digest() }
  } finally {
    await syncs.settled().catch(ignore)
    await file.close()
  }
}

/** Large chunks left to the collector would make it look through the whole heap every 30 MB or so. */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (
    byteLength >= WORTH_GIVING_BACK &&
    byteLength === buffer.byteLength &&
    buffer instanceof ArrayBuffer
  )
    buffer.transfer(0)
}

async function writeAll(file: FileHandle, batch: readonly Buffer[]): Promise<number> {
  const { bytesWritten } = await file.writev(batch)
  const bytes = batch.reduce((sum, { length }) => sum + length, 0)
  // A full disk takes a part; writing the rest says so.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten))
  return bytes
}

type Syncs = { wrote(bytes: number): void; settled(): Promise<void> }

/** Has what was written go to the disk while more is coming, so that little is left to wait for at the end. */
function createSyncs(file: FileHandle): Syncs {
  let unsynced = 0
  let underWay: Promise<void> | null = null
  let failure: { readonly error: unknown } | null = null
  return {
    wrote(bytes) {
      unsynced += bytes
      if (unsynced < SYNC_BYTES || underWay !== null) return
      unsynced = 0
      underWay = file
        .datasync()
        .catch((error: unknown) => void (failure = { error }))
        .finally(() => (underWay = null))
    },
    async settled() {
      await underWay
      // The operating system tells of lost bytes once, to the first who asks.
      if (failure !== null) throw failure.error
    },
  }
}

function ownFault(error: unknown): unknown {
  if (!DISK_FAULTS.has((error as NodeJS.ErrnoException).code)) return error
  return new AppError('overloaded', 'This gateway has no room for the file at the moment.', {
    retryAfterSeconds: 30,
    cause: error,
  })
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
