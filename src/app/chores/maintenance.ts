import type { Logger } from 'pino'
import type { CardDesk } from '../../accounts/card-desk.ts'
import { collectReversals } from '../../accounts/card-reversals.ts'
import { sweepCheckouts } from '../../accounts/cards/checkouts.ts'
import { forgetKeptEvents } from '../../accounts/cards/kept-events.ts'
import { runTopups } from '../../accounts/cards/run-topups.ts'
import { forgetChanges } from '../../audit/list-changes.ts'
import { forgetExpiredOAuth } from '../../auth/oauth/forget-expired.ts'
import { sweepAnswers } from '../../calls/idempotency/answers.ts'
import { sweepSales } from '../../calls/selling/sales.ts'
import { sweepPayments } from '../../calls/payments/queue.ts'
import { sweepReferences } from '../../calls/perform/vendor-references.ts'
import { sweepCassettes } from '../../cassettes/list-cassettes.ts'
import { forgetCrawls } from '../../composites/crawls/crawl-store.ts'
import { forgetSearches } from '../../composites/emails/email-searches.ts'
import { forgetConversations } from '../../composites/consult/stored-conversations.ts'
import { forgetOldYields } from '../../composites/onescrape/yield-store.ts'
import type { Database } from '../../db/database.ts'
import { deleteOldJobs } from '../../jobs/finish.ts'
import { deleteOldEvents } from '../../events/list-events.ts'
import { writeCatalogChanges } from '../../events/write-catalog-changes.ts'
import { writeExpiries } from '../../events/write-expiries.ts'
import { closeExpired } from '../../keys/children/close-tree.ts'
import { keepCallLog } from '../../history/log/log-partitions.ts'
import type { Clock } from '../../lib/clock.ts'
import { makePartitions } from '../../ledger/partitions.ts'
import { endBrowsers, forgetBrowsers } from '../../resources/browsers/end-browsers.ts'
import { sweepSnapshots } from '../../resources/sessions/delete-snapshots.ts'
import { forgetSessions, maintainSessions } from '../../resources/sessions/maintain-sessions.ts'
import { tearDownSessions } from '../../resources/sessions/tear-down.ts'
import { sweepInboxes } from '../../resources/inboxes/create-inbox.ts'
import { endInterruptedSends, forgetMessages } from '../../resources/inboxes/forget-messages.ts'
import { sweepRepositories } from '../../resources/git/repositories.ts'
import { sweepFiles } from '../../resources/files/sweep.ts'
import { createCountingPass, forgetHours } from '../../operate/totals/count-transactions.ts'
import type { Engine } from '../wiring/engine.ts'

export type Maintenance = { stop(): Promise<void> }

const EVERY_MS = {
  holds: 5_000,
  sessions: 5_000,
  // A revocation ends sessions within five seconds.
  revoked: 2_500,
  payments: 15_000,
  totals: 20_000,
  checkouts: 5_000,
  topups: 5_000,
  answers: 60_000,
  files: 60_000,
  conversations: 600_000,
  references: 600_000,
  childKeys: 600_000,
  jobs: 600_000,
  yields: 3_600_000,
  changes: 3_600_000,
  partitions: 3_600_000,
}

const CHORE_WITHIN_MS = 60_000
// A call that creates a repository takes a minute at most.
const UNFINISHED_MS = 3_600_000

/** Chores that any number of processes can run concurrently: release abandoned holds and delete expired data. */
export function startMaintenance(
  {
    calls,
    files,
    sessions,
    git,
    inboxes,
  }: Pick<Engine, 'calls' | 'files' | 'sessions' | 'git' | 'inboxes'>,
  {
    logger,
    callLogDays,
    cards,
  }: {
    readonly logger: Logger
    readonly callLogDays: number
    readonly cards: CardDesk | null
  },
): Maintenance {
  const { ledger, now } = calls
  // Some of them delete thousands of rows.
  const database: Database = { ...calls.database, ...calls.database.withDeadline(CHORE_WITHIN_MS) }
  const logError = (error: unknown, what: string): void => logger.error({ err: error }, what)
  const count = createCountingPass({ database, onError: logError })
  const browsers = { database, now, target: calls.lanes.targetOf('browser'), own: calls.browsers }
  const chores = [
    repeat('sweep holds', EVERY_MS.holds, logger, async () => {
      const released = await ledger.sweep()
      if (released > 0) logger.warn({ released }, 'released holds that their process left open')
    }),
    repeat('maintain sessions', EVERY_MS.revoked, logger, () => maintainSessions(sessions)),
    repeat('tear down sessions', EVERY_MS.revoked, logger, () => tearDownSessions(sessions)),
    repeat('sweep snapshots', EVERY_MS.sessions, logger, () => sweepSnapshots(sessions)),
    repeat('end browser sessions', EVERY_MS.revoked, logger, () => endBrowsers(browsers)),
    repeat('queue payments', EVERY_MS.payments, logger, async () => {
      const queued = (await sweepPayments(database, now())) + (await sweepSales(database, now()))
      if (queued > 0)
        logger.error(
          { queued },
          'payments of ended processes need a decision: see ./tollgate payments list and payments sales',
        )
    }),
    repeat('collect reversals', EVERY_MS.payments, logger, () =>
      collectReversals({ database, now }),
    ),
    repeat('count transactions', EVERY_MS.totals, logger, count),
    repeat('forget hours', EVERY_MS.changes, logger, () => forgetHours(database, now())),
    repeat('forget answers', EVERY_MS.answers, logger, () => sweepAnswers(database, now())),
    repeat('delete expired cassettes', EVERY_MS.references, logger, () =>
      sweepCassettes({ database, now }),
    ),
    repeat('forget references', EVERY_MS.references, logger, () =>
      sweepReferences(database, now()),
    ),
    repeat('close expired child keys', EVERY_MS.childKeys, logger, async () => {
      await closeExpired(database, now())
    }),
    repeat('forget OAuth codes', EVERY_MS.childKeys, logger, () =>
      forgetExpiredOAuth(database, now()),
    ),
    repeat('forget conversations', EVERY_MS.conversations, logger, () =>
      forgetConversations(database, now()),
    ),
    repeat('forget crawls', EVERY_MS.references, logger, () => forgetCrawls(database, now())),
    repeat('forget sessions', EVERY_MS.jobs, logger, async () =>
      sessions === undefined ? undefined : forgetSessions(sessions),
    ),
    repeat('forget browser sessions', EVERY_MS.jobs, logger, () => forgetBrowsers(browsers)),
    repeat('delete old jobs', EVERY_MS.jobs, logger, () => deleteOldJobs(database, now())),
    repeat('write expiries of keys', EVERY_MS.holds, logger, () => writeExpiries(database, now())),
    repeat('write changes of the catalog', EVERY_MS.answers, logger, () =>
      writeCatalogChanges(database, now()),
    ),
    repeat('delete old events', EVERY_MS.jobs, logger, () => deleteOldEvents(database, now())),
    repeat('forget yields', EVERY_MS.yields, logger, () => forgetOldYields(database, now())),
    repeat('forget changes', EVERY_MS.changes, logger, () => forgetChanges(database, now())),
    repeat('make partitions', EVERY_MS.partitions, logger, () => makePartitions(database, now())),
    repeat('change days of the call log', EVERY_MS.partitions, logger, () =>
      keepCallLog(database, { nowMs: now(), days: callLogDays }),
    ),
    repeat('sweep files', EVERY_MS.files, logger, () => sweepFiles(files)),
    ...(cards === null ? [] : cardChores({ database, now, cards, onError: logError }, logger)),
    ...inHouseChores({ git, inboxes, database, now }, logger),
  ]
  return {
    async stop() {
      await Promise.all(chores.map((stopChore) => stopChore()))
    },
  }
}

/** Deletes repositories and inboxes without an owner, old messages and old email searches. */
function inHouseChores(
  {
    git,
    inboxes,
    database,
    now,
  }: Pick<Engine, 'git' | 'inboxes'> & { readonly database: Database; readonly now: Clock },
  logger: Logger,
): (() => Promise<void>)[] {
  return [
    repeat('forget email searches', EVERY_MS.references, logger, () =>
      forgetSearches(database, now()),
    ),
    ...(git === null
      ? []
      : [
          repeat('sweep repositories', EVERY_MS.jobs, logger, () =>
            sweepRepositories(git, UNFINISHED_MS),
          ),
        ]),
    ...(inboxes === null
      ? []
      : [
          repeat('sweep inboxes', EVERY_MS.jobs, logger, async () => {
            await sweepInboxes(database, now())
            await endInterruptedSends(database, now())
            await forgetMessages(database, {
              nowMs: now(),
              retentionMs: inboxes.limits.retentionMs,
            })
          }),
        ]),
  ]
}

/** Credit by card: payments that the webhook has not reported, and automatic top-ups. */
function cardChores(
  deps: {
    readonly database: Database
    readonly now: Clock
    readonly cards: CardDesk
    readonly onError: (error: unknown, what: string) => void
  },
  logger: Logger,
): (() => Promise<void>)[] {
  return [
    repeat('sweep checkouts', EVERY_MS.checkouts, logger, () => sweepCheckouts(deps, deps.onError)),
    repeat('forget card events', EVERY_MS.changes, logger, () =>
      forgetKeptEvents(deps.database, deps.now()),
    ),
    repeat('run automatic top-ups', EVERY_MS.topups, logger, () => runTopups(deps)),
  ]
}

/** Runs `work` repeatedly, never twice at the same time. Returns a stop that waits for the current run. */
function repeat(
  name: string,
  everyMs: number,
  logger: Logger,
  work: () => Promise<unknown>,
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    running = work()
      .catch((error: unknown) => logger.error({ err: error }, `${name} failed`))
      .finally(() => {
        isRunning = false
      })
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
