import type { Clock } from '../../src/lib/clock.ts'

/** Stands still until it is moved. */
export type ManualClock = Clock & { advance(ms: number): void; set(ms: number): void }

export function manualClock(startMs: number): ManualClock {
  let now = startMs
  return Object.assign(() => now, {
    advance(ms: number) {
      now += ms
    },
    set(ms: number) {
      now = ms
    },
  })
}
