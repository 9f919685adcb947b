import type { Database } from '../../db/database.ts'
import type { CallTally } from '../../lib/metrics/call-tally.ts'
import { DAY_MS, HOUR_MS, type Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import type { UseRates } from '../../catalog/vocabulary/action.ts'
import type { Handle, RanProgram } from './box.ts'
import type { MachineUse } from './machine-use.ts'
import type { SessionWork } from './session-driver.ts'
import { STRETCH_MS, timeFor } from './session-meter.ts'
import { isMeteredByUse, type SessionRow } from './session-row.ts'

/** A vendor of machines, ready to call. */
export type ReadyBox = {
  create(order: {
    readonly id: Id
    readonly template: string | undefined
    readonly snapshot?: string | undefined
    readonly envs: Readonly<Record<string, string>>
    readonly lifeMs: number
  }): Promise<Handle>
  run(handle: Handle, work: SessionWork, signal: AbortSignal, seconds?: number): Promise<RanProgram>
  prolong(handle: Handle, lifeMs: number): Promise<void>
  close(handle: Handle): Promise<void>
  /** The machines created for this session, also without a response. */
  find(id: Id): Promise<readonly Handle[]>
  readonly snapshots?: ReadySnapshots
  /** Set if this gateway runs the machines itself: sessions are metered by use at these rates. */
  readonly use?: UseRates
  /** How this gateway isolates its own machines. */
  readonly isolation?: string
}

/** Charges a session metered by use for work other than a program. */
export type ChargeUse = (use: MachineUse | 'unread') => Promise<void>

export type ReadySnapshots = {
  /** Starts the snapshot with this id and returns the vendor's reference. */
  order(handle: Handle, id: Id, charge?: ChargeUse): Promise<string>
  wait(reference: string, signal: AbortSignal): Promise<void>
  delete(reference: string): Promise<void>
  /** References of the snapshots ordered with this id. */
  find(id: Id): Promise<readonly string[]>
}

export type SessionDeps = {
  readonly database: Database
  readonly now: Clock
  /**
   * The vendor for the sessions of one account; its failures and limits count for that account.
   * Null if this gateway cannot reach the vendor.
   */
  readonly boxFor: (service: string, mode: Mode, accountId: Id) => ReadyBox | null
  readonly tally?: CallTally
}

/**
 * A session without use for this long was probably forgotten and would use up the account's credit.
 */
export const IDLE_MS = 30 * 60_000
/** The longest lifetime by service; unlimited for others. */
const LONGEST_MS: Readonly<Record<string, number>> = {
  boxa: DAY_MS,
  boxc: 5 * HOUR_MS,
  boxd: 12 * HOUR_MS,
}
/**
 * How long the vendor keeps a machine if this gateway disappears; renewed with each stretch, or
 * requested once.
 */
const BACKSTOP_MS: Readonly<Record<string, number>> = { boxa: 2 * STRETCH_MS, boxb: 2 * STRETCH_MS }

/** A stretch that could not be paid for is retried until this long before its end. */
export const GIVE_UP_BEFORE_MS = 20_000

/** Whether idle time neither costs nor ends a session. */
const SLEEPING_SERVICE = 'boxe'

function longestMs(service: string): number {
  return LONGEST_MS[service] ?? Number.POSITIVE_INFINITY
}

export function lifeMs(service: string): number {
  return BACKSTOP_MS[service] ?? Math.min(longestMs(service), DAY_MS)
}

/** When the session ends regardless of use. */
export function endsAtMs({
  service,
  opened_ms: openedMs,
}: Pick<SessionRow, 'service' | 'opened_ms'>): number {
  return Number(openedMs) + longestMs(service)
}

/**
 * When the session ends without use; null if idle time is free, because then it does not end by
 * itself.
 */
export function closesAtMs(
  row: Pick<SessionRow, 'service' | 'opened_ms' | 'used_ms' | 'cpu_hour_micros'>,
): number | null {
  return isMeteredByUse(row) && row.service === SLEEPING_SERVICE
    ? null
    : Math.min(Number(row.used_ms) + IDLE_MS, endsAtMs(row))
}

/**
 * The end time shown to callers: when the session ends without use, or earlier if it then reaches
 * its cost limit.
 */
export function reportedEndMs(
  row: Pick<
    SessionRow,
    | 'service'
    | 'opened_ms'
    | 'used_ms'
    | 'cpu_hour_micros'
    | 'rate_micros'
    | 'most_micros'
    | 'charged_micros'
    | 'metered_from_ms'
  >,
): number | null {
  const closesMs = closesAtMs(row)
  if (closesMs === null || row.most_micros === null) return closesMs
  return Math.min(
    closesMs,
    Number(row.metered_from_ms) +
      timeFor(row.rate_micros, row.most_micros - row.charged_micros) -
      GIVE_UP_BEFORE_MS,
  )
}
