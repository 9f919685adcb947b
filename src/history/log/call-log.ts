import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { LoggedCall, OmittedCalls } from './logged-call.ts'
import { MinuteShares } from './minute-shares.ts'
import { writeCalls } from './write-calls.ts'

export type CallLog = {
  /** Queues the call for the next write. Never waits, never throws. */
  readonly record: (call: LoggedCall) => void
  /** Writes the queue. Resolves when every call recorded before is written or lost. */
  readonly flush: () => Promise<void>
  readonly counts: () => CallLogCounts
  /** Writes the rest, and stops. */
  readonly close: () => Promise<void>
}

export type CallLogCounts = {
  readonly written: number
  /** Calls beyond the rows of their key and minute, which have a common row. */
  readonly omitted: number
  /** Calls without a trace: too many accounts made calls in one minute, or the database rejected them. */
  readonly lost: number
}

export type CallLogDeps = {
  readonly database: Pick<Database, 'query'>
  readonly now: Clock
  /** Called for a batch that could not be written, at most once per outage. */
  readonly onFailure: (error: unknown) => void
  /** Runs with each write. */
  readonly alsoWrite?: () => Promise<void>
  /** Milliseconds between two writes. */
  readonly everyMs?: number
}

const MOST_QUEUED = 5_000
const MOST_PER_WRITE = 500
const WRITE_EVERY_MS = 500

/**
 * Logs calls that have no transaction. Calls only append to a queue; a timer writes it in batches,
 * without a commit of any call. Memory and rows are bounded: see `MinuteShares`.
 */
export function createCallLog(deps: CallLogDeps): CallLog {
  const { database, now, onFailure } = deps
  const shares = new MinuteShares(now())
  const counts = { written: 0, omitted: 0, lost: 0 }
  let queue: LoggedCall[] = []
  /** Counts that could not be written yet. */
  const unwritten = new Map<Id, OmittedCalls>()
  let writing: Promise<void> | null = null
  let isFailing = false

  function record(call: LoggedCall): void {
    const place = shares.admit(call, { nowMs: now(), hasRoom: queue.length < MOST_QUEUED })
    if (place === 'row') queue.push(call)
    else if (place !== 'booked') counts[place === 'counted' ? 'omitted' : 'lost'] += 1
  }

  function keepUnwritten(omitted: readonly OmittedCalls[]): void {
    for (const one of omitted)
      if (unwritten.size < MOST_QUEUED) unwritten.set(one.id, one)
      else counts.lost += one.count
  }

  async function write(changed: readonly OmittedCalls[]): Promise<void> {
    const batch = queue.slice(0, MOST_PER_WRITE)
    queue = queue.slice(batch.length)
    for (const one of changed) unwritten.set(one.id, one)
    const omitted = [...unwritten.values()]
    unwritten.clear()
    if (batch.length === 0 && omitted.length === 0) return
    try {
      await writeCalls(database, batch, omitted)
      counts.written += batch.length
      isFailing = false
    } catch (error) {
      counts.lost += batch.length
      keepUnwritten(omitted)
      if (!isFailing) onFailure(error)
      isFailing = true
    }
  }

  async function drain(isRead: boolean): Promise<void> {
    await write(shares.take(now(), isRead))
    while (queue.length > 0) await write([])
    await deps.alsoWrite?.().catch(onFailure)
  }

  function drainOnce(isRead: boolean): Promise<void> {
    writing ??= drain(isRead).finally(() => {
      writing = null
    })
    return writing
  }

  /** A write in progress may have started before the last call. */
  async function flush(): Promise<void> {
    await writing
    await drainOnce(true)
  }

  const timer = setInterval(() => void drainOnce(false), deps.everyMs ?? WRITE_EVERY_MS)
  timer.unref()

  return {
    record,
    flush,
    counts: () => counts,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
