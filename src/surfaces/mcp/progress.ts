/** Notifies the client of the progress of a call. */
export type Progress = {
  /** Runs `work` and sends a notification every few seconds: how many of `totalSeconds` have passed, and the text from `describe`. */
  during<T>(
    totalSeconds: number,
    describe: () => Promise<string> | string,
    work: () => Promise<T>,
  ): Promise<T>
}

export type NotifyProgress = (facts: {
  readonly progress: number
  readonly total: number
  readonly message: string
}) => void

/** For clients that did not ask for progress. */
export const noProgress: Progress = { during: (_totalSeconds, _describe, work) => work() }

export function createProgress(notify: NotifyProgress, everyMs: number): Progress {
  return {
    async during(totalSeconds, describe, work) {
      const startedMs = performance.now()
      let lastProgress = 0
      const beat = async (): Promise<void> => {
        const message = await describe()
        const progress = Math.round(performance.now() - startedMs) / 1000
        // MCP requires that progress grows with every notification.
        if (progress <= lastProgress) return
        lastProgress = progress
        notify({ progress, total: Math.max(totalSeconds, progress), message })
      }
      // A failed notification is skipped. The work itself reports errors.
      const timer = setInterval(() => void beat().catch(() => undefined), everyMs)
      try {
        return await work()
      } finally {
        clearInterval(timer)
      }
    },
  }
}
