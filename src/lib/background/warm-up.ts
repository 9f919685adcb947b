/** Work that a process does in the background after its start, so that no request waits for it. */
export type WarmUp = {
  readonly add: (task: () => Promise<unknown>) => void
  /** Runs the tasks one after another. A failed task does not stop the others; its error is passed to `onError`. */
  readonly run: (onError: (error: unknown) => void) => Promise<void>
}

export function createWarmUp(): WarmUp {
  const tasks: (() => Promise<unknown>)[] = []
  return {
    add: (task) => void tasks.push(task),
    run: async (onError) => {
      for (const task of tasks) await task().catch(onError)
    },
  }
}
