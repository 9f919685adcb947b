/** Unix milliseconds. Passed in wherever time matters, so that tests decide what time it is. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** A clock for tests: stands still until it is moved. */
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

export function toRfc3339(ms: number): string {
  return new Date(ms).toISOString()
}
