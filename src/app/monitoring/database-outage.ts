/** One outage of the database in the log: told when it begins, seldom while it lasts, and when it is over. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import type { DatabaseAway } from '../../errors/database-away.ts'
import type { Clock } from '../../lib/clock.ts'

const LOOK_EVERY_MS = 1_000
const REMIND_EVERY_MS = 30_000

export type DatabaseOutage = {
  /** Counts what failed for want of the database, so that it needs no line of its own. False while nobody watches: then it does. */
  counts(failure: DatabaseAway): boolean
  /** Tells of outages from now on, and asks whether the database is back while it is away. */
  watch(database: Pick<Database, 'query'>, logger: Pick<Logger, 'error' | 'warn'>): void
  /** Tells no more. */
  close(): void
}

type Outage = { readonly sinceMs: number; failures: number; reason: string; isTold: boolean }
type Watcher = {
  readonly database: Pick<Database, 'query'>
  readonly logger: Pick<Logger, 'error' | 'warn'>
}

export type OutageSettings = {
  readonly now: Clock
  /** Waits before the database is asked again; throws when the signal aborts. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
}

/**
 * Outages that follow each other within half a minute are told at the end of it, as one.
 */
export function createDatabaseOutage({ now, pause = waitToLook }: OutageSettings): DatabaseOutage {
  const stopping = new AbortController()
  let watcher: Watcher | null = null
  let outage: Outage | null = null
  let toldMs = Number.NEGATIVE_INFINITY

  function tell({ logger }: Watcher, { sinceMs, failures, reason }: Outage, words: string): void {
    toldMs = now()
    logger.error({ reason, failures, away_seconds: Math.round((toldMs - sinceMs) / 1000) }, words)
  }

  function isTimeToTell(): boolean {
    return now() - toldMs >= REMIND_EVERY_MS
  }

  async function follow(current: Outage, told: Watcher): Promise<void> {
    for (;;) {
      if (isTimeToTell()) {
        tell(
          told,
          current,
          current.isTold
            ? 'the database still cannot be reached'
            : 'the database cannot be reached; while it is away this is told every half minute, with the number of what failed',
        )
        current.isTold = true
      }
      const failedBefore = current.failures
      await pause(stopping.signal)
      const answers = await told.database.query('select 1').then(
        () => true,
        () => false,
      )
      // With its disk full it answers, and is of no use to whoever writes.
      const isBack = answers && current.failures === failedBefore
      if (isBack && current.isTold) break
    }
    toldMs = now()
    told.logger.warn(
      { failures: current.failures, away_seconds: Math.round((toldMs - current.sinceMs) / 1000) },
      'the database is back',
    )
  }

  return {
    counts(failure) {
      if (watcher === null || stopping.signal.aborted) return false
      if (outage !== null) {
        outage.failures += 1
        outage.reason = reasonOf(failure)
        return true
      }
      outage = { sinceMs: now(), failures: 1, reason: reasonOf(failure), isTold: false }
      void follow(outage, watcher)
        // Stopped.
        .catch(() => {})
        .finally(() => (outage = null))
      return true
    },
    watch(database, logger) {
      watcher = { database, logger }
    },
    close: () => stopping.abort(),
  }
}

function reasonOf(failure: Error): string {
  let reason: Error = failure
  while (reason.cause instanceof Error) reason = reason.cause
  return reason.message
}

async function waitToLook(signal: AbortSignal): Promise<void> {
  await delay(LOOK_EVERY_MS, undefined, { signal, ref: false })
}
