import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import { readInBatches, type BatchedSource } from './batched-source.ts'
import type { ReceivedFile } from './store.ts'

const SYNC_BYTES = 16 * 1024 * 1024
const MIN_FREED_BYTES = 16 * 1024

// Errors of this machine's disk, not of the sender's connection.
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

export { TooManyBytes } from './batched-source.ts'

const ignore = (): void => {}

export type Receiving = {
  readonly folder: string
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly idleMs: number
  /** Whether the chunks are used only here: their memory is freed as soon as they are written. */
  readonly ownsChunks?: boolean
}

/**
 * Streams a source to a file in `folder` and measures it. Throws TooManyBytes as soon as it exceeds
 * `maxBytes`, AppError `request_timeout` after a silence of `idleMs`, AppError `overloaded` when
 * the disk is full, the signal's reason, and errors of the source. Never destroys the source. The
 * caller removes the file with `discard`, unless a store took it.
 */
export async function receive(
  source: Readable,
  { folder, maxBytes, signal, idleMs, ownsChunks = false }: Receiving,
): Promise<ReceivedFile> {
  // Later errors of the source do not matter; without a listener, they would end the process.
  source.on('error', ignore)
  await makeFolders(folder).catch((error: unknown) => {
    throw ownFault(error)
  })
  const path = join(folder, randomUUID())
  const inflow = readInBatches(source, { maxBytes, signal, idleMs })
  try {
    return { path, ...(await writeDown(path, inflow, ownsChunks)) }
  } catch (error) {
    await discard({ path })
    throw ownFault(error)
  } finally {
    inflow.end()
  }
}

/** Hashes a batch while the operating system writes it. */
async function writeDown(
  path: string,
  inflow: BatchedSource,
  ownsChunks: boolean,
): Promise<Omit<ReceivedFile, 'path'>> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  const syncs = createSyncs(file)
  let sizeBytes = 0
  try {
    for (let batch = await inflow.next(); batch !== null; batch = await inflow.next()) {
      const writing = writeAll(file, batch)
      for (const chunk of batch) hash.update(chunk)
      const bytes = await writing
      if (ownsChunks) batch.forEach(freeMemory)
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

/**
 * Frees large chunks immediately. The garbage collector would scan the whole heap every 30 MB or
 * so.
 */
function freeMemory({ buffer, byteLength }: Buffer): void {
  if (
    byteLength >= MIN_FREED_BYTES &&
    byteLength === buffer.byteLength &&
    buffer instanceof ArrayBuffer
  )
    buffer.transfer(0)
}

async function writeAll(file: FileHandle, batch: readonly Buffer[]): Promise<number> {
  const { bytesWritten } = await file.writev(batch)
  const bytes = batch.reduce((sum, { length }) => sum + length, 0)
  // A full disk writes a part; writing the rest then throws.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten))
  return bytes
}

type Syncs = { wrote(bytes: number): void; settled(): Promise<void> }

/** Syncs written bytes while others arrive, so that little is left to sync at the end. */
function createSyncs(file: FileHandle): Syncs {
  let unsynced = 0
  let syncing: Promise<void> | null = null
  let failure: { readonly error: unknown } | null = null
  return {
    wrote(bytes) {
      unsynced += bytes
      if (unsynced < SYNC_BYTES || syncing !== null) return
      unsynced = 0
      syncing = file
        .datasync()
        .catch((error: unknown) => void (failure = { error }))
        .finally(() => (syncing = null))
    },
    async settled() {
      await syncing
      // The operating system reports lost bytes only once.
      if (failure !== null) throw failure.error
    },
  }
}

function ownFault(error: unknown): unknown {
  if (!DISK_FAULTS.has((error as NodeJS.ErrnoException).code)) return error
  return new AppError('overloaded', 'This gateway has no disk space for the file at the moment.', {
    retryAfterSeconds: 30,
    cause: error,
  })
}

export async function discard({ path }: Pick<ReceivedFile, 'path'>): Promise<void> {
  await rm(path, { force: true })
}

/**
 * Removes files of dead processes in `folder`, last written before `beforeMs`. Returns their
 * number.
 */
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
