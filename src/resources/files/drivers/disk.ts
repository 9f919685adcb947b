import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../../errors/app-error.ts'
import { makeFolders } from '../../../lib/files/make-folders.ts'
import type { ByteRange, Store } from '../store.ts'

// Read ahead in larger steps than a stream's default: fewer turns of the event loop for each megabyte.
const READ_BYTES = 256 * 1024

/** Objects as files under `folder`, spread over 256 subfolders. Parcels must lie on the same file system. */
export function createDiskStore(folder: string): Store {
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), key)
  return {
    async keep(key, parcel) {
      const path = pathOf(key)
      try {
        const made = await makeFolders(dirname(path))
        await flush(parcel.path)
        await rename(parcel.path, path)
        await flush(dirname(path))
        if (made !== undefined) await flushNames(dirname(made), dirname(path))
      } catch (error) {
        throw unavailable(error)
      }
    },
    async open(key, range) {
      const handle = await openObject(pathOf(key))
      return (
        handle?.createReadStream({
          highWaterMark: READ_BYTES,
          ...(range === null ? {} : { start: range.first, end: range.last }),
        }) ?? null
      )
    },
    async openPieces(key, range) {
      const handle = await openObject(pathOf(key))
      return handle === null ? null : (take) => handOver(handle, range, take)
    },
    async remove(key) {
      await rm(pathOf(key), { force: true }).catch((error: unknown) => {
        throw unavailable(error)
      })
    },
  }
}

function openObject(path: string): Promise<FileHandle | null> {
  return open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return null
    throw unavailable(error)
  })
}

/** Reads one piece while the one before is taken, in two buffers in turn: a new one for each would keep the collector busy. */
async function handOver(
  handle: FileHandle,
  range: ByteRange | null,
  take: (piece: Buffer) => Promise<void>,
): Promise<void> {
  let taking = Promise.resolve()
  try {
    let at = range?.first ?? 0
    const end = range === null ? Number.POSITIVE_INFINITY : range.last + 1
    const room = Math.min(READ_BYTES, end - at)
    const buffers = [Buffer.allocUnsafeSlow(room), Buffer.allocUnsafeSlow(room)] as const
    for (let turn = 0; at < end; turn += 1) {
      const buffer = buffers[(turn % 2) as 0 | 1]
      const { bytesRead } = await handle.read(buffer, 0, Math.min(room, end - at), at)
      await taking
      if (bytesRead === 0) return
      at += bytesRead
      taking = take(buffer.subarray(0, bytesRead))
      // Heard below; here only so that it is no surprise while the next piece is read.
      taking.catch(() => {})
    }
    await taking
  } finally {
    await handle.close()
  }
}

/** Until this returns, a power cut may take what was written, or the name it was given. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** Folders that were made now are named in the ones above them, up to the one that was there before. */
async function flushNames(top: string, folder: string): Promise<void> {
  for (let above = dirname(folder); above.length >= top.length; above = dirname(above)) {
    await flush(above)
    if (above === top) return
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function unavailable(cause: unknown): AppError {
  return new AppError('overloaded', 'The disk that keeps the files cannot be used at the moment.', {
    retryAfterSeconds: 5,
    cause,
  })
}
