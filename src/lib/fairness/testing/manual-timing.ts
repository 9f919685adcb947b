/** Timers that run when a test advances their clock. */
import type { SlotTiming } from '../fair-slots.ts'

export type ManualTiming = {
  readonly timing: SlotTiming
  nowMs(): number
  /** Runs the timers that become due, each with its effects, in the order of their times. */
  advance(ms: number): Promise<void>
  /** Rejects with the reason of the signal if it aborts earlier. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

export function manualTiming(): ManualTiming {
  let now = 0
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  const after: SlotTiming['after'] = (ms, run) => {
    const timer = { atMs: now + ms, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  return {
    nowMs: () => now,
    timing: { now: () => now, after },
    async advance(ms) {
      const endMs = now + ms
      for (;;) {
        await new Promise((turn) => setImmediate(turn))
        const due = [...timers].filter(({ atMs }) => atMs <= endMs)
        const [next] = due.sort((one, other) => one.atMs - other.atMs)
        if (next === undefined) break
        now = next.atMs
        timers.delete(next)
        next.run()
      }
      now = endMs
    },
    pause: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const stop = after(ms, resolve)
        signal.addEventListener('abort', () => {
          stop()
          reject(signal.reason as Error)
        })
      }),
  }
}
