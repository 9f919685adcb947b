/** Tells the client how far a call is. Does nothing for a client that did not ask. */
export type Progress = {
  /** Runs `work`, and meanwhile tells every few seconds how long it has taken of at most `totalSeconds`, and what `describe` says. */
  during<T>(
    totalSeconds: number,
    describe: () => Promise<string> | string,
    work: () => Promise<T>,
  ): Promise<T>
}

export type ProgressTell = (facts: {
  readonly progress: number
  readonly total: number
  readonly message: string
}) => void

export const silent: Progress = { during: (_totalSeconds, _describe, work) => work() }

export function createProgress(tell: ProgressTell, everyMs: number): Progress {
  return {
    async during(totalSeconds, describe, work) {
      const startedMs = performance.now()
      let told = 0
      const beat = async (): Promise<void> => {
        const message = await describe()
        const progress = Math.round(performance.now() - startedMs) / 1000
        // The protocol wants progress to grow with every notification.
        if (progress <= told) return
        told = progress
        tell({ progress, total: Math.max(totalSeconds, progress), message })
      }
      // A beat that fails is left out: the work itself says what is wrong.
      const timer = setInterval(() => void beat().catch(() => undefined), everyMs)
      try {
        return await work()
      } finally {
        clearInterval(timer)
      }
    },
  }
}
