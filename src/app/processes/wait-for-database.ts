import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Work } from '../../db/database.ts'
import { cutConnection, withTimeout } from '../../db/session.ts'
import { innermost, isTransient, refusalOf } from './database-start-error.ts'

export type StartingDatabase = {
  /** During startup, retries what fails because the database is away. Afterwards passes calls through. */
  readonly database: Database
  /** Runs `work` again until the database is back. Rejects with StartError when waiting cannot help. */
  again<Result>(work: () => Promise<Result>): Promise<Result>
  /** Startup is over. */
  started(): void
}

export type WaitLog = { warn(facts: object, words: string): void }

export type WaitDeps = {
  readonly database: Database
  readonly log: WaitLog
  /** DATABASE_URL has several hosts, and one of them becomes the primary. */
  readonly waitsForPrimary: boolean
}

const LOOK_EVERY_MS = 200
const LOOK_WITHIN_MS = 1_500

/** The database for a starting process: waits for it without limit and logs that once. */
export function waitForDatabase({ database, log, waitsForPrimary }: WaitDeps): StartingDatabase {
  let isStarting = true
  let back: Promise<void> | undefined

  async function again<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isTransient(error, waitsForPrimary)) throw refusalOf(error)
        back ??= waitUntilBack(error).finally(() => (back = undefined))
        await back
      }
    }
  }

  async function waitUntilBack(error: unknown): Promise<void> {
    const sinceMs = performance.now()
    log.warn({ reason: innermost(error).message }, 'the database is not usable yet; waiting for it')
    do await delay(LOOK_EVERY_MS)
    while (!(await isThere()))
    log.warn(
      { waited_seconds: Math.round((performance.now() - sinceMs) / 1000) },
      'the database is back; continuing to start',
    )
  }

  /** Also returns when the database rejects the connection for good: the failed step then runs again and throws. */
  async function isThere(): Promise<boolean> {
    const client = database.connect('start')
    try {
      await withTimeout(LOOK_WITHIN_MS, client.connect(), () => cutConnection(client))
      return true
    } catch (error) {
      return !isTransient(error, waitsForPrimary)
    } finally {
      client.end().catch(() => {})
    }
  }

  const patient = (work: Work): Work => ({
    query: (...args) => (isStarting ? again(() => work.query(...args)) : work.query(...args)),
    transaction: (steps) =>
      isStarting ? again(() => work.transaction(steps)) : work.transaction(steps),
  })

  return {
    database: {
      ...database,
      ...patient(database),
      withDeadline: (ms) => patient(database.withDeadline(ms)),
    },
    again,
    started: () => void (isStarting = false),
  }
}

/** For commands, which report an error immediately. */
export function startWithoutWaiting(database: Database): StartingDatabase {
  return {
    database,
    again: (work) =>
      work().catch((error: unknown) => {
        throw refusalOf(error)
      }),
    started: () => {},
  }
}
