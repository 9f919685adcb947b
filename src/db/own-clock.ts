import { uptime } from 'node:os'

/** Clocks of this machine that cannot be set. */
export type OwnClock = {
  /** Milliseconds that never go back. They stop while the machine is suspended. */
  readonly monotonicMs: () => number
  /**
   * Milliseconds since the boot, including suspended time. Null if the system has no such clock.
   */
  readonly sinceBootMs: () => number | null
}

export const ownClock: OwnClock = {
  monotonicMs: () => performance.now(),
  // On Linux from /proc/uptime. Elsewhere Node.js derives it from the wall clock.
  sinceBootMs: () => (process.platform === 'linux' ? uptime() * 1000 : null),
}

// /proc/uptime counts hundredths of a second, and the two clocks are read one after another.
const SHORTEST_SLEEP_MS = 1_000

/** Returns a function that returns the suspended time since its last call. */
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
