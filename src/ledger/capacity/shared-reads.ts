/** Runs a read, or shares the result of an equal one that starts later than this call. */
export type ShareReads = <Result>(key: string, read: () => Promise<Result>) => Promise<Result>

type Reads = { readonly running: Promise<unknown>; next?: Promise<unknown> }

/**
 * Equal reads run one after another. All that arrive during one share the next, so a crowd of refused
 * calls costs few queries and none sees a state from before its arrival.
 */
export function createSharedReads(): ShareReads {
  const reads = new Map<string, Reads>()

  function start<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const running = read()
    const entry: Reads = { running }
    reads.set(key, entry)
    const end = (): void => {
      if (entry.next === undefined) reads.delete(key)
    }
    running.then(end, end)
    return running
  }

  return <Result>(key: string, read: () => Promise<Result>): Promise<Result> => {
    const entry = reads.get(key)
    if (entry === undefined) return start(key, read)
    const next = (): Promise<Result> => start(key, read)
    return (entry.next ??= entry.running.then(next, next)) as Promise<Result>
  }
}
