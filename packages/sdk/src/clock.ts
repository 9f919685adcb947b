/** Time for the client. Tests replace it. */
export type Clock = {
  /** Milliseconds that never go back. */
  now(): number
  /** Resolves after `ms`. Rejects with the reason of the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Aborts after `ms`. */
  deadline(ms: number): AbortSignal
}

export const systemClock: Clock = {
  now: () => performance.now(),
  // Node.js rejects fractions.
  deadline: (ms) => AbortSignal.timeout(Math.ceil(ms)),
  wait: (ms, signal) =>
    new Promise((done, fail) => {
      const leave = (): void => {
        clearTimeout(timer)
        fail(signal.reason as Error)
      }
      if (signal.aborted) return fail(signal.reason as Error)
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', leave)
        done()
      }, ms)
      signal.addEventListener('abort', leave, { once: true })
    }),
}
