/** Logs one outage of the database: its start, a reminder now and then, and its end. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import type { DatabaseAway } from '../../errors/database-away.ts'
import type { Clock } from '../../lib/clock.ts'

const LOOK_EVERY_MS = 1_000
const REMIND_EVERY_MS = 30_000

export type DatabaseOutage = {
  /** Counts a failure caused by the outage, so that it needs no log line of its own. Returns false when nothing watches. */
  counts(failure: DatabaseAway): boolean
  /** Starts logging outages, and polls the database during one. */
  watch(database: Pick<Database, 'query'>, logger: Pick<Logger, 'error' | 'warn'>): void
  /** Stops logging. */
  close(): void
}

type Outage = { readonly sinceMs: number; failures: number; reason: string; isLogged: boolean }
type Watcher = {
  readonly database: Pick<Database, 'query'>
  readonly logger: Pick<Logger, 'error' | 'warn'>
}

export type OutageDeps = {
  readonly now: Clock
  /** Waits before the next poll; throws when the signal aborts. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
}

/** Outages that follow each other within half a minute are logged at the end of it, as one. */
export function createDatabaseOutage({ now, pause = waitToLook }: OutageDeps): DatabaseOutage {
  const stopping = new AbortController()
  let watcher: Watcher | null = null
  let outage: Outage | null = null
  let loggedMs = Number.NEGATIVE_INFINITY

  function logOutage(
    { logger }: Watcher,
    { sinceMs, failures, reason }: Outage,
    words: string,
  ): void {
    loggedMs = now()
    logger.error({ reason, failures, away_seconds: Math.round((loggedMs - sinceMs) / 1000) }, words)
  }

  function isTimeToLog(): boolean {
    return now() - loggedMs >= REMIND_EVERY_MS
  }

  async function follow(current: Outage, watching: Watcher): Promise<void> {
    for (;;) {
      if (isTimeToLog()) {
        logOutage(
          watching,
          current,
          current.isLogged
            ? 'the database is still unreachable'
            : 'the database is unreachable; until it returns, the log repeats this every half minute with the number of failures',
        )
        current.isLogged = true
      }
      const failedBefore = current.failures
      await pause(stopping.signal)
      const answers = await watching.database.query('select 1').then(
        () => true,
        () => false,
      )
      // A database whose disk is full answers but cannot serve writes.
      const isBack = answers && current.failures === failedBefore
      if (isBack && current.isLogged) break
    }
    loggedMs = now()
    watching.logger.warn(
      { failures: current.failures, away_seconds: Math.round((loggedMs - current.sinceMs) / 1000) },
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
      outage = { sinceMs: now(), failures: 1, reason: reasonOf(failure), isLogged: false }
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
