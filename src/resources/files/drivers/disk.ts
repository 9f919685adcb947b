import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../../errors/app-error.ts'
import { makeFolders } from '../../../lib/files/make-folders.ts'
import type { ByteRange, Store } from '../store.ts'

// Larger reads than a stream's default need fewer event loop turns per megabyte.
const READ_BYTES = 256 * 1024

/**
 * Stores objects as files under `folder`, in 256 subfolders. Received files must be on the same
 * file system.
 */
export function createDiskStore(folder: string): Store {
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), key)
  return {
    async put(key, received) {
      const path = pathOf(key)
      try {
        const made = await makeFolders(dirname(path))
        await flush(received.path)
        await rename(received.path, path)
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

/**
 * Reads the next piece while the previous one is consumed. Alternates two buffers to avoid garbage.
 */
async function handOver(
  handle: FileHandle,
  range: ByteRange | null,
  take: (piece: Buffer) => Promise<void>,
): Promise<void> {
  let taking = Promise.resolve()
  try {
    let at = range?.first ?? 0
    const end = range === null ? Number.POSITIVE_INFINITY : range.last + 1
    const pieceBytes = Math.min(READ_BYTES, end - at)
    const buffers = [
      Buffer.allocUnsafeSlow(pieceBytes),
      Buffer.allocUnsafeSlow(pieceBytes),
    ] as const
    for (let piece = 0; at < end; piece += 1) {
      const buffer = buffers[(piece % 2) as 0 | 1]
      const { bytesRead } = await handle.read(buffer, 0, Math.min(pieceBytes, end - at), at)
      await taking
      if (bytesRead === 0) return
      at += bytesRead
      taking = take(buffer.subarray(0, bytesRead))
      // Awaited below. This only prevents an unhandled rejection during the next read.
      taking.catch(() => {})
    }
    await taking
  } finally {
    await handle.close()
  }
}

/** Syncs a file or folder. Before that, a power failure may lose its bytes or its name. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** Syncs the parents of new folders, up to the first one that existed before. */
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
  return new AppError('overloaded', 'The disk with the files is unavailable at the moment.', {
    retryAfterSeconds: 5,
    cause,
  })
}
