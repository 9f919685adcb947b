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

const LOOK_MS = 250
/** Looks without new work until the process counts as idle, and the most looks. */
const IDLE_LOOKS = 4
const MOST_LOOKS = 240

/** Resolves after a second without new work. `count` returns the work begun so far; `pause` waits for some milliseconds. */
export async function untilIdle(
  count: () => number,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  let before = count()
  for (let look = 0, unchanged = 0; look < MOST_LOOKS && unchanged < IDLE_LOOKS; look += 1) {
    await pause(LOOK_MS)
    const begun = count()
    unchanged = begun === before ? unchanged + 1 : 0
    before = begun
  }
}
