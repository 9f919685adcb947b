import { uptime } from 'node:os'

/** The clocks of one machine that nobody can set. */
export type OwnClock = {
  /** Milliseconds that never go back. They stand still while the machine is suspended. */
  readonly monotonicMs: () => number
  /** Milliseconds since the machine started, those it was suspended included. Null where the system does not count them. */
  readonly sinceBootMs: () => number | null
}

export const ownClock: OwnClock = {
  monotonicMs: () => performance.now(),
  // On Linux from /proc/uptime. Elsewhere Node.js derives it from the wall clock.
  sinceBootMs: () => (process.platform === 'linux' ? uptime() * 1000 : null),
}

// /proc/uptime counts hundredths of a second, and the two clocks are read one after the other.
const SHORTEST_SLEEP_MS = 1_000

/** Returns for how long the machine was suspended since the last question. */
export function createSleepMeter({ monotonicMs, sinceBootMs }: OwnClock): () => number {
  let before: number | null = null
  return () => {
    const bootMs = sinceBootMs()
    const sleptMs = bootMs === null ? null : bootMs - monotonicMs()
    const sinceMs = sleptMs === null || before === null ? 0 : sleptMs - before
    if (before === null || Math.abs(sinceMs) >= SHORTEST_SLEEP_MS) before = sleptMs
    return sinceMs >= SHORTEST_SLEEP_MS ? sinceMs : 0
  }
}
