import type { After } from '../../src/ledger/capacity/waiter.ts'
import type { ManualClock } from './manual-clock.ts'

/** Timers that run when the test advances the time. */
export type ManualTimers = {
  readonly after: After
  /** Advances the clock, and runs the timers that are due, in their order. */
  advance(ms: number): void
}

export function manualTimers(clock: ManualClock): ManualTimers {
  const pending = new Set<{ readonly dueMs: number; readonly work: () => void }>()
  return {
    after(ms, work) {
      const timer = { dueMs: clock() + ms, work }
      pending.add(timer)
      return () => void pending.delete(timer)
    },
    advance(ms) {
      clock.advance(ms)
      for (const timer of [...pending].toSorted((a, b) => a.dueMs - b.dueMs)) {
        if (timer.dueMs > clock() || !pending.delete(timer)) continue
        timer.work()
      }
    },
  }
}
