import { appendFileSync, renameSync, statSync } from 'node:fs'

const LARGEST_BYTES = 16 * 1024 * 1024

/**
 * Keeps what a server says in a file, and what it said before in `<path>.1`. What a full disk does not take is dropped:
 * the server goes on, and so does whoever runs it.
 */
export function serverLog(path: string, largestBytes = LARGEST_BYTES): (chunk: Buffer) => void {
  return (chunk) => {
    try {
      const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 }
      if (size > 0 && size + chunk.length > largestBytes) renameSync(path, `${path}.1`)
      appendFileSync(path, chunk, { mode: 0o600 })
    } catch {
      // The next one may find room.
    }
  }
}
