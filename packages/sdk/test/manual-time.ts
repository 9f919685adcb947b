import type { Clock } from '../src/clock.ts'

export type ManualTime = Clock & {
  /** The waits between attempts, in milliseconds. They end immediately. */
  readonly waits: number[]
  /** Moves the time, and with it the deadlines. */
  advance(ms: number): void
}

export function manualTime(): ManualTime {
  const waits: number[] = []
  const deadlines: { readonly atMs: number; readonly controller: AbortController }[] = []
  let nowMs = 0
  const advance = (ms: number): void => {
    nowMs += ms
    for (const { atMs, controller } of deadlines)
      if (atMs <= nowMs) controller.abort(new DOMException('Too late.', 'TimeoutError'))
  }
  return {
    waits,
    advance,
    now: () => nowMs,
    wait: async (ms, signal) => {
      waits.push(ms)
      advance(ms)
      signal.throwIfAborted()
    },
    deadline(ms) {
      const controller = new AbortController()
      deadlines.push({ atMs: nowMs + ms, controller })
      return controller.signal
    },
  }
}
