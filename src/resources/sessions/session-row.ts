import type { Transaction } from '../../db/database.ts'
import type { HoldRequest } from '../../ledger/hold.ts'
import { resolveWithin } from '../../ledger/within.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { minMicros, type Micros } from '../../lib/money.ts'
import type { Handle } from './box.ts'
import type { Stretch } from './machine-use.ts'
import { LONGEST_RUN_SECONDS } from './session-driver.ts'

export type SessionRow = {
  readonly id: Id
  readonly account_id: Id
  readonly mode: Mode
  readonly service: string
  readonly wallet_id: bigint
  readonly budget_id: Id | null
  readonly external_id: string | null
  readonly rate_micros: Micros
  readonly most_micros: Micros | null
  readonly handle: Handle | null
  readonly opened_ms: bigint
  readonly used_ms: bigint
  readonly hold_id: Id
  readonly metered_from_ms: bigint
  readonly paid_until_ms: bigint
  readonly charged_micros: Micros
  readonly closed_ms: bigint | null
  /** Set where it is metered by use. */
  readonly cpu_hour_micros: Micros | null
  readonly gigabyte_hour_micros: Micros | null
  readonly held_micros: Micros | null
  readonly charged_stretches: readonly Stretch[]
  readonly running: readonly number[]
}

export type LockedSession = SessionRow & { readonly key_may_pay: boolean }

/** Why a session ended. */
export type CloseReason = 'asked' | 'unpaid' | 'idle' | 'lifetime' | 'gone' | 'not_made'

/** What is held for at a time. */
export const STRETCH_MS = 10 * 60_000
/** A hold outlives what it pays for by this much, so that whoever ends a session late still finds it. */
const SESSION_HOLD_GRACE_MS = 10 * 60_000
const HOUR_MS = 3_600_000n
/** The longest that a program runs, with what goes by around it: what one is held for where sessions are metered by use. */
export const PROGRAM_MS = (LONGEST_RUN_SECONDS + 10) * 1000

/** SQL for whether the key that opened a session is neither paused nor revoked. */
export const KEY_MAY_PAY =
  "not exists (select from budgets where budgets.id = compute_sessions.budget_id and budgets.state <> 'open')"

export function holdDeadlineMs(paidUntilMs: number): number {
  return paidUntilMs + SESSION_HOLD_GRACE_MS
}

/** What a further hold of the session asks for. */
export function furtherHold(
  row: SessionRow,
  amount: Micros,
  untilMs: number,
  nowMs: number,
): HoldRequest {
  return {
    id: newId(nowMs),
    walletId: Number(row.wallet_id),
    budgetId: row.budget_id,
    amount,
    deadlineMs: holdDeadlineMs(untilMs),
    kind: 'session',
    service: row.service,
    action: 'create_session',
    externalId: row.external_id,
    claim: null,
  }
}

/** The price of so much time, a part of a micro-dollar rounded up. */
export function priceOfTime(rate: Micros, ms: number): Micros {
  return ms <= 0 ? 0n : (rate * BigInt(Math.ceil(ms)) + HOUR_MS - 1n) / HOUR_MS
}

/** The time that so much pays for. */
export function timeFor(rate: Micros, amount: Micros): number {
  return Number((amount * HOUR_MS) / rate)
}

/** Until when it is metered now: never beyond what was held for. One that is metered by use was kept without a hold too. */
function meteredUntil(row: SessionRow, nowMs: number): number {
  return isMeteredByUse(row) ? nowMs : Math.min(nowMs, Number(row.paid_until_ms))
}

export function isMeteredByUse({
  cpu_hour_micros: cpuHour,
}: Pick<SessionRow, 'cpu_hour_micros'>): boolean {
  return cpuHour !== null
}

/** What its present hold has used: the time since it began or, metered by use, what programs under way may have used that nobody will hear the end of. */
export function usedOf(row: SessionRow, nowMs: number): Micros {
  const usedMs = isMeteredByUse(row)
    ? runningMs(row, nowMs)
    : meteredUntil(row, nowMs) - Number(row.metered_from_ms)
  const price = priceOfTime(row.rate_micros, usedMs)
  const used = row.held_micros === null ? price : minMicros(price, row.held_micros)
  return row.most_micros === null ? used : minMicros(used, row.most_micros - row.charged_micros)
}

/** For how long a program has been running now: zero when none is. */
function runningMs({ running }: Pick<SessionRow, 'running'>, nowMs: number): number {
  return Math.max(0, ...running.map((beganMs) => nowMs - beganMs).filter((ms) => ms < PROGRAM_MS))
}

/** Settles the present hold. Returns what was charged: nothing when the hold is gone. */
export async function settleHold(
  tx: Transaction,
  row: SessionRow,
  charge: Micros,
  nowMs: number,
): Promise<Micros> {
  const hold = {
    id: row.hold_id,
    walletId: Number(row.wallet_id),
    budgetId: row.budget_id,
    kind: 'session' as const,
  }
  const { verdict } = await resolveWithin(
    tx,
    {
      hold,
      charge,
      latencyMs: millisecondsBetween(row.metered_from_ms, meteredUntil(row, nowMs)),
      errorCode: null,
      hops: null,
    },
    nowMs,
  )
  return verdict === 'gone' ? 0n : charge
}

/** Gives the first hold back where no machine came of it, and frees the idempotency key. */
async function releaseHold(
  tx: Transaction,
  row: SessionRow,
  errorCode: string,
  nowMs: number,
): Promise<void> {
  const hold = {
    id: row.hold_id,
    walletId: Number(row.wallet_id),
    budgetId: row.budget_id,
    kind: 'session' as const,
  }
  await resolveWithin(
    tx,
    {
      hold,
      charge: 0n,
      latencyMs: millisecondsBetween(row.opened_ms, meteredUntil(row, nowMs)),
      errorCode,
      hops: null,
      answer: null,
    },
    nowMs,
  )
}

/** At least zero, whatever clocks say, and never more than was held for. */
function millisecondsBetween(fromMs: bigint, untilMs: number): number {
  return Math.max(0, untilMs - Number(fromMs))
}

/** Locks the session until the transaction ends; undefined when there is none, or another process has it and `skip` is set. */
export async function lockSession(
  tx: Transaction,
  id: Id,
  skip = false,
): Promise<LockedSession | undefined> {
  const { rows } = await tx.query<LockedSession>(
    `select *, ${KEY_MAY_PAY} as key_may_pay from compute_sessions where id = $1 for no key update${skip ? ' skip locked' : ''}`,
    [id],
  )
  return rows[0]
}

/**
 * Ends metering and settles, in the caller's transaction. The machine is torn down afterwards. One that is being made
 * ends unmade, whatever ends it: its call gets no answer, so its idempotency key is free again.
 */
export async function endSession(
  tx: Transaction,
  row: SessionRow,
  reason: CloseReason,
  nowMs: number,
): Promise<Micros> {
  if (row.handle === null) {
    await endUnmade(tx, row, 'internal', nowMs)
    return 0n
  }
  // What runs on a machine that its vendor lost was lost with it.
  const isLost = reason === 'gone' && isMeteredByUse(row)
  const charged = await settleHold(tx, row, isLost ? 0n : usedOf(row, nowMs), nowMs)
  await tx.query(
    'update compute_sessions set closed_ms = $2, close_reason = $3, held_micros = null, charged_micros = charged_micros + $4 where id = $1',
    [row.id, meteredUntil(row, nowMs), reason, charged],
  )
  return charged
}

/** Ends one of which the caller was told nothing. `isMade` false: there is no machine of it to be looked for at the vendor. */
export async function endUnmade(
  tx: Transaction,
  row: SessionRow,
  errorCode: string,
  nowMs: number,
  isMade = true,
): Promise<void> {
  await releaseHold(tx, row, errorCode, nowMs)
  await tx.query(
    "update compute_sessions set closed_ms = $2, close_reason = 'not_made', held_micros = null, is_torn_down = $3 where id = $1",
    [row.id, meteredUntil(row, nowMs), !isMade],
  )
}
