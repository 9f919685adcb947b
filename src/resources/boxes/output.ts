import { GatheredBytes } from '../../lib/gathered-bytes.ts'
import type { OutputStream } from './agent-connection.ts'

/** Of each output stream of a program; the rest is cut. */
const MOST_BYTES = 1024 * 1024
/** The agent drops what exceeds the limit. A program that has replaced the agent is killed here. */
const TOLERATED_BYTES = 1024 * 1024

export type Output = {
  readonly limit: number
  /** Stores output up to the limit. `onFlood`: the sender ignores the limit. */
  add(stream: OutputStream, bytes: Buffer, onFlood: () => void): void
  read(): { readonly stdout: Buffer; readonly stderr: Buffer }
}

/** `onOutput` receives standard output instead of storing it. */
export function createOutput(limit = MOST_BYTES, onOutput?: (bytes: Buffer) => void): Output {
  const stored = { stdout: new GatheredBytes(), stderr: new GatheredBytes() }
  const totals: Record<OutputStream, number> = { stdout: 0, stderr: 0 }
  return {
    limit,
    add(stream, bytes, onFlood) {
      const free = limit - totals[stream]
      totals[stream] += bytes.length
      if (free > 0 && stream === 'stdout' && onOutput !== undefined)
        onOutput(bytes.subarray(0, free))
      else if (free > 0) stored[stream].add(Buffer.from(bytes.subarray(0, free)))
      if (totals[stream] > limit + TOLERATED_BYTES) onFlood()
    },
    read: () => ({ stdout: stored.stdout.bytes, stderr: stored.stderr.bytes }),
  }
}
