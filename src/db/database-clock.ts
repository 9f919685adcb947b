import { setTimeout as delay } from 'node:timers/promises'
import { systemClock, type Clock } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import {
  agreeOnTime,
  isFresh,
  LOOK_EVERY_MS,
  MOST_FOLLOWED_MS,
  type Agreement,
  type SharedClock,
} from './agree-on-time.ts'
import type { Database } from './database.ts'
import { createSleepMeter, ownClock, type OwnClock } from './own-clock.ts'

export type DatabaseClock = {
  /** The time of the installation. Never goes back. */
  readonly now: Clock
  /** Compares the clocks again. Without a database, the last result stays. */
  look(): Promise<void>
  close(): void
}

export type DatabaseClockDeps = {
  readonly database: Pick<Database, 'query'>
  /** Identifies this process among those that look. */
  readonly self: Id
  readonly log: ClockLog
  readonly own?: OwnClock
  /** This machine's wall clock, for a comparison in the log. */
  readonly machineNow?: Clock
  /** Waits for a look of a running process. */
  readonly pause?: () => Promise<unknown>
}

export type ClockLog = {
  warn(facts: object, words: string): void
  error(facts: object, words: string): void
}

// Synchronized clocks differ by less.
const SYNCHRONIZED_MS = 1_000
const LOOK_AGAIN_MS = 500
const LOG_AGAIN_MS = 3_600_000
// Running processes look within five seconds; a pause is a fifth of a second.
const MOST_PAUSES = 30

/**
 * The time that all processes of an installation share, because they judge each other's deadlines,
 * leases and windows. It follows the database's clock. Between looks a process uses its monotonic
 * clock, which ignores the machine's wall clock. If the database's clock jumps, running processes
 * keep their time.
 */
export async function openDatabaseClock({
  database,
  self,
  log,
  own = ownClock,
  machineNow = systemClock,
  pause = () => delay(200),
}: DatabaseClockDeps): Promise<DatabaseClock> {
  const sleptMs = createSleepMeter(own)
  const logJump = createJumpLog(log, own)
  let offsetMs = 0
  let lastMs = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function now(): number {
    const ms = Math.floor(own.monotonicMs() + offsetMs)
    if (ms > lastMs) lastMs = ms
    return lastMs
  }

  async function look(): Promise<void> {
    const found = await readClocks(database, own)
    offsetMs += sleptMs()
    const { databaseMs, shared } = found
    const agreement = agreeOnTime({
      self,
      aheadMs: found.ownMs + offsetMs - databaseMs,
      uncertainMs: found.uncertainMs,
      databaseMs,
      shared,
    })
    offsetMs += agreement.correctionMs
    logJump(agreement)
    await writeShared(
      database,
      { aheadMs: agreement.aheadMs, beatMs: databaseMs, writer: self },
      shared,
    )
  }

  async function lookRepeatedly(): Promise<void> {
    const isDone = await look().then(
      () => true,
      () => false,
    )
    // Soon after an outage of the database: starting processes wait for this look.
    if (!isClosed) schedule(isDone ? LOOK_EVERY_MS : LOOK_AGAIN_MS)
  }

  function schedule(afterMs: number): void {
    timer = setTimeout(() => void lookRepeatedly(), afterMs)
    timer.unref()
  }

  sleptMs()
  const start = await readStart(database, own, pause)
  offsetMs = start.databaseMs + start.aheadMs - start.ownMs
  await writeShared(
    database,
    { aheadMs: start.aheadMs, beatMs: start.databaseMs, writer: self },
    start.shared,
  )
  logMachineClock(log, machineNow() - now())
  schedule(LOOK_EVERY_MS)
  return {
    now,
    look,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** The time of the installation for a command, which looks once and writes nothing. */
export async function readInstallationTime(database: Pick<Database, 'query'>): Promise<Clock> {
  const { ownMs, databaseMs, shared, others } = await readClocks(database, ownClock)
  const offsetMs = databaseMs + (others > 0 && shared !== null ? shared.aheadMs : 0) - ownMs
  return () => Math.floor(performance.now() + offsetMs)
}

/** The lead of the running processes' time over the database's clock, at their last look. */
export async function readClockAhead(database: Pick<Database, 'query'>): Promise<number> {
  return (
    (await database.query<{ ahead_ms: number }>('select ahead_ms from shared_clock')).rows[0]
      ?.ahead_ms ?? 0
  )
}

type Clocks = {
  readonly ownMs: number
  readonly uncertainMs: number
  readonly databaseMs: number
  readonly shared: SharedClock | null
  readonly others: number
}
type SharedRow = {
  now_ms: number
  others: number
  ahead_ms: number | null
  beat_ms: number | null
  writer: Id | null
}

// Long-running processes have connections with these names; commands and backups do not.
const READ = `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms, ahead_ms, beat_ms, writer,
  (select count(*)::integer from pg_stat_activity where datname = current_database() and application_name in ('tollgate keys', 'tollgate jobs', 'tollgate vendor pauses', 'tollgate ledger')) as others
  from (select) as always left join shared_clock on true`

async function readClocks(database: Pick<Database, 'query'>, own: OwnClock): Promise<Clocks> {
  const sentMs = own.monotonicMs()
  const {
    rows: [row],
  } = await database.query<SharedRow>(READ)
  const uncertainMs = (own.monotonicMs() - sentMs) / 2
  const {
    now_ms: databaseMs = 0,
    others = 0,
    ahead_ms: aheadMs = null,
    beat_ms: beatMs = null,
    writer = null,
  } = row ?? {}
  const shared =
    aheadMs === null || beatMs === null || writer === null ? null : { aheadMs, beatMs, writer }
  // The database read its clock between request and response.
  return { ownMs: sentMs + uncertainMs, uncertainMs, databaseMs, shared, others }
}

/**
 * A process that starts next to others takes their time, even if the database's clock has just
 * jumped and they have not looked since. Without others it takes the database's clock.
 */
async function readStart(
  database: Pick<Database, 'query'>,
  own: OwnClock,
  pause: () => Promise<unknown>,
): Promise<Clocks & { readonly aheadMs: number }> {
  for (let pauses = 0; ; pauses += 1) {
    const clocks = await readClocks(database, own)
    const { shared, others, databaseMs } = clocks
    if (others > 0 && shared !== null && isFresh(shared, databaseMs))
      return { ...clocks, aheadMs: shared.aheadMs }
    if (others === 0 || pauses === MOST_PAUSES) return { ...clocks, aheadMs: 0 }
    await pause()
  }
}

/** Writes nothing if another process has written since. The next look reads that. */
async function writeShared(
  database: Pick<Database, 'query'>,
  { aheadMs, beatMs, writer }: SharedClock,
  read: SharedClock | null,
): Promise<void> {
  await database.query(
    `insert into shared_clock (ahead_ms, beat_ms, writer) values ($1, $2, $3)
     on conflict (is_only) do update set ahead_ms = excluded.ahead_ms, beat_ms = excluded.beat_ms, writer = excluded.writer
     where shared_clock.beat_ms = $4 and shared_clock.writer = $5`,
    [aheadMs, beatMs, writer, read?.beatMs ?? null, read?.writer ?? null],
    'shared_clock',
  )
}

/** Only for the operator: the process uses the installation's time from its start. */
function logMachineClock(log: ClockLog, aheadMs: number): void {
  if (Math.abs(aheadMs) > SYNCHRONIZED_MS)
    log.warn(
      { ahead_ms: aheadMs },
      'the clocks of this machine and of the database differ, and the database clock is used: synchronize both with NTP',
    )
}

/** Logs a jump when it is found, hourly while it lasts, and its end. */
function createJumpLog(log: ClockLog, { monotonicMs }: OwnClock): (agreement: Agreement) => void {
  let loggedMs: number | null = null
  return ({ aheadMs, isAstray }) => {
    if (!isAstray && Math.abs(aheadMs) <= MOST_FOLLOWED_MS) {
      if (loggedMs !== null)
        log.warn(
          { ahead_ms: Math.round(aheadMs) },
          'the clocks of the database and of this process agree again',
        )
      loggedMs = null
      return
    }
    if (loggedMs !== null && monotonicMs() - loggedMs < LOG_AGAIN_MS) return
    loggedMs = monotonicMs()
    if (isAstray)
      log.error(
        { ahead_ms: Math.round(aheadMs) },
        'the time of this process is far ahead of the other processes: restart it',
      )
    else
      log.error(
        { ahead_ms: Math.round(aheadMs) },
        'the clock of the database jumped, and running processes do not follow it: correct it, or stop all gateway and worker processes and start them again',
      )
  }
}
