/**
 * The holds of compute sessions. Each function runs in the transaction that changes the session's
 * row, so a session always has a hold or is closed, even if the process dies.
 */
import type { Transaction } from '../../db/database.ts'
import type { HoldRequest, HoldVerdict, Resolution } from '../../ledger/hold.ts'
import { holdWithin, resolveWithin } from '../../ledger/within-transaction.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import { meteredUntil } from './session-meter.ts'
import type { SessionRow } from './session-row.ts'

/** A hold outlives its paid time by this long, so that a late end can still settle it. */
const HOLD_GRACE_MS = 10 * 60_000

export function holdDeadlineMs(paidUntilMs: number): number {
  return paidUntilMs + HOLD_GRACE_MS
}

/** Holds the first stretch. Nothing is held unless the verdict is "opened". */
export function openFirstHold(
  tx: Transaction,
  hold: HoldRequest,
  nowMs: number,
): Promise<HoldVerdict> {
  return holdWithin(tx, hold, nowMs)
}

/** Holds `amount` for the time until `untilMs`. Null if credit or a limit does not allow it. */
export async function openFurtherHold(
  tx: Transaction,
  row: SessionRow,
  amount: Micros,
  untilMs: number,
  nowMs: number,
): Promise<Id | null> {
  const id = newId(nowMs)
  const hold: HoldRequest = {
    id,
    walletId: Number(row.wallet_id),
    budgetId: row.budget_id,
    amount,
    deadlineMs: holdDeadlineMs(untilMs),
    kind: 'session',
    service: row.service,
    action: 'create_session',
    externalId: row.external_id,
    ...(row.price_id === null ? {} : { priceId: row.price_id }),
    claim: null,
  }
  return (await holdWithin(tx, hold, nowMs)) === 'opened' ? id : null
}

/** Settles the current hold. Returns the charge, which is 0 if the hold has already ended. */
export async function settleHold(
  tx: Transaction,
  row: SessionRow,
  charge: Micros,
  nowMs: number,
): Promise<Micros> {
  const latencyMs = millisecondsBetween(row.metered_from_ms, meteredUntil(row, nowMs))
  const { verdict } = await resolveWithin(
    tx,
    { hold: currentHold(row), charge, latencyMs, errorCode: null, hops: null },
    nowMs,
  )
  return verdict === 'gone' ? 0n : charge
}

/** Releases the first hold of a session without a machine, and frees the idempotency key. */
export async function releaseHold(
  tx: Transaction,
  row: SessionRow,
  errorCode: string,
  nowMs: number,
): Promise<void> {
  const latencyMs = millisecondsBetween(row.opened_ms, meteredUntil(row, nowMs))
  await resolveWithin(
    tx,
    { hold: currentHold(row), charge: 0n, latencyMs, errorCode, hops: null, answer: null },
    nowMs,
  )
}

function currentHold(row: SessionRow): Resolution['hold'] {
  return {
    id: row.hold_id,
    walletId: Number(row.wallet_id),
    budgetId: row.budget_id,
    kind: 'session',
  }
}

/** At least zero, even if the clock goes back. */
function millisecondsBetween(fromMs: bigint, untilMs: number): number {
  return Math.max(0, untilMs - Number(fromMs))
}
