/** Work that a process does in the background after its start, so that no request waits for it. */
export type WarmUp = {
  readonly add: (task: () => Promise<unknown>) => void
  /**
   * Runs the tasks one after another, each once `idle` resolves. A failed task does not stop the others;
   * its error is passed to `onError`.
   */
  readonly run: (idle: () => Promise<void>, onError: (error: unknown) => void) => Promise<void>
}

export function createWarmUp(): WarmUp {
  const tasks: (() => Promise<unknown>)[] = []
  return {
    add: (task) => void tasks.push(task),
    run: async (idle, onError) => {
      for (const task of tasks) {
        await idle()
        await task().catch(onError)
      }
    },
  }
}

/** How long no call may begin until the process counts as idle, and the longest time it waits for that. */
const IDLE_MS = 1_000
const MOST_LOOKS = 60

/** Resolves after a second without new work. `count` returns the work begun so far; `pause` waits for some milliseconds. */
export async function untilIdle(
  count: () => number,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  for (let look = 0, before = -1; look < MOST_LOOKS; look += 1) {
    const begun = count()
    if (begun === before) return
    before = begun
    await pause(IDLE_MS)
  }
}
