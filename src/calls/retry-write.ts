import { AppError } from '../errors/app-error.ts'

// A frozen process keeps a lock for ten seconds, and each attempt waits three for it.
const WRITE_ATTEMPTS = 5

/** For a write that repeats safely, of something that has happened already. */
export async function writeDown<T>(write: () => Promise<T>, attempts = WRITE_ATTEMPTS): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (attempts === 1 || !(error instanceof AppError) || error.code !== 'overloaded') throw error
    return writeDown(write, attempts - 1)
  }
}
