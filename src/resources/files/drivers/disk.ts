import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../../errors/app-error.ts'
import type { Store } from '../store.ts'

// Read ahead in larger steps than a stream's default: fewer turns of the event loop for each megabyte.
const READ_BYTES = 256 * 1024

/** Objects as files under `folder`, spread over 256 subfolders. Parcels must lie on the same file system. */
export function createDiskStore(folder: string): Store {
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), key)
  return {
    async keep(key, parcel) {
      const path = pathOf(key)
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await flush(parcel.path)
        await rename(parcel.path, path)
        await flush(dirname(path))
      } catch (error) {
        throw unavailable(error)
      }
    },
    async open(key, range) {
      const handle = await open(pathOf(key), 'r').catch((error: unknown) => {
        if (isMissing(error)) return null
        throw unavailable(error)
      })
      return handle?.createReadStream({ highWaterMark: READ_BYTES, ...(range === null ? {} : { start: range.first, end: range.last }) }) ?? null
    },
    async remove(key) {
      await rm(pathOf(key), { force: true }).catch((error: unknown) => {
        throw unavailable(error)
      })
    },
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

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function unavailable(cause: unknown): AppError {
  return new AppError('overloaded', 'The disk that keeps the files cannot be used at the moment.', { retryAfterSeconds: 5, cause })
}
