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
  /** Compares the clocks again. What was found before stays while the database is away. */
  look(): Promise<void>
  close(): void
}

export type DatabaseClockSettings = {
  readonly database: Pick<Database, 'query'>
  /** Names this process among those that look. */
  readonly self: Id
  readonly log: ClockLog
  readonly own?: OwnClock
  /** The wall clock of this machine, which is only compared. */
  readonly machineNow?: Clock
  /** Waits for a process that runs already to look. */
  readonly pause?: () => Promise<unknown>
}

export type ClockLog = {
  warn(facts: object, words: string): void
  error(facts: object, words: string): void
}

// Clocks that are in step differ by less.
const IN_STEP_MS = 1_000
const LOOK_AGAIN_MS = 500
const SAY_AGAIN_MS = 3_600_000
// Running processes look within five seconds; a pause is a fifth of a second.
const MOST_PAUSES = 30

/**
 * The time that all processes of an installation share. Deadlines, leases and windows that one process sets are judged by
 * others, so all go by the clock of their database. Between looks each runs on its monotonic clock, which no step of its
 * machine's wall clock moves; and when the database's own clock jumps, running processes stay with the time they had.
 */
export async function openDatabaseClock({
  database,
  self,
  log,
  own = ownClock,
  machineNow = systemClock,
  pause = () => delay(200),
}: DatabaseClockSettings): Promise<DatabaseClock> {
  const sleptMs = createSleepMeter(own)
  const tellJump = createJumpLog(log, own)
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
    tellJump(agreement)
    await writeShared(
      database,
      { aheadMs: agreement.aheadMs, beatMs: databaseMs, writer: self },
      shared,
    )
  }

  async function lookAndGoOn(): Promise<void> {
    const isDone = await look().then(
      () => true,
      () => false,
    )
    // Soon after the database was away: processes that start wait for this look.
    if (!isClosed) goOn(isDone ? LOOK_EVERY_MS : LOOK_AGAIN_MS)
  }

  function goOn(afterMs: number): void {
    timer = setTimeout(() => void lookAndGoOn(), afterMs)
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
  tellAstray(log, machineNow() - now())
  goOn(LOOK_EVERY_MS)
  return {
    now,
    look,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** The time of the installation for a command, which looks once and shares nothing. */
export async function readInstallationTime(database: Pick<Database, 'query'>): Promise<Clock> {
  const { ownMs, databaseMs, shared, others } = await readClocks(database, ownClock)
  const offsetMs = databaseMs + (others > 0 && shared !== null ? shared.aheadMs : 0) - ownMs
  return () => Math.floor(performance.now() + offsetMs)
}

/** By how much the time of the running processes is ahead of the database's clock, as they last found it. */
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

// Running processes have connections that are named after what they are for; commands, backups and starts come and go.
const READ = `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms, ahead_ms, beat_ms, writer,
  (select count(*)::integer from pg_stat_activity where datname = current_database() and application_name in ('tollgate keys', 'tollgate jobs', 'tollgate vendor pauses', 'tollgate ledger')) as others
  from (select) as always left join shared_clock on true`

async function readClocks(database: Pick<Database, 'query'>, own: OwnClock): Promise<Clocks> {
  const askedMs = own.monotonicMs()
  const {
    rows: [row],
  } = await database.query<SharedRow>(READ)
  const uncertainMs = (own.monotonicMs() - askedMs) / 2
  const {
    now_ms: databaseMs = 0,
    others = 0,
    ahead_ms: aheadMs = null,
    beat_ms: beatMs = null,
    writer = null,
  } = row ?? {}
  const shared =
    aheadMs === null || beatMs === null || writer === null ? null : { aheadMs, beatMs, writer }
  // The database read its clock at some moment between question and answer.
  return { ownMs: askedMs + uncertainMs, uncertainMs, databaseMs, shared, others }
}

/**
 * A process that starts beside others takes over their time, also when the database's clock jumped a moment ago and none of
 * them has looked since. Without others the clock of the database counts.
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

/** Not when another process has written since it was read: the next look sees that. */
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

/** Of use to an operator alone: the process goes by the time of the installation from its first moment on. */
function tellAstray(log: ClockLog, aheadMs: number): void {
  if (Math.abs(aheadMs) > IN_STEP_MS)
    log.warn(
      { ahead_ms: aheadMs },
      'the clock of this machine is not that of the database, which is used: set both by NTP',
    )
}

/** Logs a jump when it is found, hourly while it lasts, and its end. */
function createJumpLog(log: ClockLog, { monotonicMs }: OwnClock): (agreement: Agreement) => void {
  let saidMs: number | null = null
  return ({ aheadMs, isAstray }) => {
    if (!isAstray && Math.abs(aheadMs) <= MOST_FOLLOWED_MS) {
      if (saidMs !== null)
        log.warn(
          { ahead_ms: Math.round(aheadMs) },
          'the clocks of the database and of this process agree again',
        )
      saidMs = null
      return
    }
    if (saidMs !== null && monotonicMs() - saidMs < SAY_AGAIN_MS) return
    saidMs = monotonicMs()
    if (isAstray)
      log.error(
        { ahead_ms: Math.round(aheadMs) },
        'the time of this process is far ahead of that of the others: restart it',
      )
    else
      log.error(
        { ahead_ms: Math.round(aheadMs) },
        'the clock of the database jumped, and running processes do not follow it: set it right, or stop all gateway and worker processes and start them again',
      )
  }
}
