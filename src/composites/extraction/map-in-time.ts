import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { mapConcurrently } from '../../reader/lanes/lane-call.ts'

type Timed<Item, Result> = {
  readonly items: readonly Item[]
  /** When the call started, by the clock of its tools. */
  readonly startedMs: number
  readonly work: (item: Item, signal: AbortSignal) => Promise<Result>
  /** The result of an item for which no time is left. */
  readonly late: Result
}

const CONCURRENCY = 8
/** For the answer, after the last item. */
const RESERVED_MS = 1_000

/**
 * Runs `work` over items until the time limit of the call. Returns results in the order of the
 * items. Rejects with the reason of the caller's signal.
 */
export function mapInTime<Item, Result>(
  { signal, now, timeoutMs }: Pick<CallTools, 'signal' | 'now' | 'timeoutMs'>,
  { items, startedMs, work, late }: Timed<Item, Result>,
): Promise<Result[]> {
  const leftMs = Math.max(0, timeoutMs - RESERVED_MS - (now() - startedMs))
  const limit = AbortSignal.any([signal, AbortSignal.timeout(leftMs)])
  const isLate = (): boolean => limit.aborted && !signal.aborted
  return mapConcurrently(items, CONCURRENCY, async (item) => {
    if (isLate()) return late
    try {
      return await work(item, limit)
    } catch (error) {
      if (isLate()) return late
      throw error
    }
  })
}
