import { appendFileSync, renameSync, statSync } from 'node:fs'

const LARGEST_BYTES = 16 * 1024 * 1024

/**
 * Writes a server's log to a file, and older lines to `<path>.1`. On a full disk it drops lines, so
 * that the server and its owner continue.
 */
export function createServerLog(
  path: string,
  largestBytes = LARGEST_BYTES,
): (chunk: Buffer) => void {
  return (chunk) => {
    try {
      const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 }
      if (size > 0 && size + chunk.length > largestBytes) renameSync(path, `${path}.1`)
      appendFileSync(path, chunk, { mode: 0o600 })
    } catch {
      // The next write may succeed.
    }
  }
}
