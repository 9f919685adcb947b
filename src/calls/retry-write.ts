import { AppError } from '../errors/app-error.ts'

// A frozen process holds a lock for ten seconds, and each attempt waits three seconds for it.
const WRITE_ATTEMPTS = 5

/** Retries a write that repeats safely while the database is overloaded. */
export async function retryWrite<T>(
  write: () => Promise<T>,
  attempts = WRITE_ATTEMPTS,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (attempts === 1 || !(error instanceof AppError) || error.code !== 'overloaded') throw error
    return retryWrite(write, attempts - 1)
  }
}
