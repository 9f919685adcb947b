import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import { releaseHold, settleHold } from './books.ts'
import type { SessionDeps } from './session-deps.ts'
import { meteredUntil, runningMs, usedOf } from './session-meter.ts'
import { isMeteredByUse, lockSession, type CloseReason, type SessionRow } from './session-row.ts'

/**
 * Ends a session in its own commit. Null if it had already ended, which is not charged again, or
 * may not end.
 */
export async function endOnce(
  { database, now, tally }: Pick<SessionDeps, 'database' | 'now' | 'tally'>,
  id: Id,
  reason: CloseReason,
  mayEnd: (row: SessionRow) => boolean = () => true,
): Promise<{ readonly row: SessionRow; readonly charged: Micros } | null> {
  const nowMs = now()
  const ended = await database.transaction(async (tx) => {
    const row = await lockSession(tx, id, nowMs)
    return row === undefined || row.closed_ms !== null || !mayEnd(row)
      ? null
      : { row, charged: await endSession(tx, row, reason, nowMs) }
  })
  if (ended !== null) tally?.charged(ended.row.mode, ended.row.service, ended.charged)
  return ended
}

/**
 * Ends a session whose machine is gone, or leaves that to the last of its running programs, whose
 * use must be charged before. Checks the vendor's list first: one wrong reply must not lose the
 * caller's files.
 */
export async function endIfGone(deps: SessionDeps, row: SessionRow): Promise<boolean> {
  const living = await deps
    .boxFor(row.service, row.mode, row.account_id)
    ?.find(row.id)
    .catch(() => 'unknown' as const)
  if (living === 'unknown' || (living !== undefined && living.length > 0)) return false
  const nowMs = deps.now()
  await endOnce(deps, row.id, 'gone', (locked) => runningMs(locked, nowMs).length === 0)
  return true
}

/**
 * Stops the meter and settles, in the caller's transaction; the machine is torn down afterwards. A
 * session without a machine ends as `not_made`: its call returns no response, so its idempotency
 * key is free again.
 */
export async function endSession(
  tx: Transaction,
  row: SessionRow,
  reason: CloseReason,
  nowMs: number,
): Promise<Micros> {
  if (row.handle === null) {
    await endWithoutMachine(tx, row, 'internal', nowMs)
    return 0n
  }
  // A program is lost with its machine.
  const isLost = reason === 'gone' && isMeteredByUse(row)
  const charged = await settleHold(tx, row, isLost ? 0n : usedOf(row, nowMs), nowMs)
  await tx.query(
    'update compute_sessions set closed_ms = $2, close_reason = $3, held_micros = null, charged_micros = charged_micros + $4 where id = $1',
    [row.id, meteredUntil(row, nowMs), reason, charged],
  )
  return charged
}

/**
 * Ends a session that no caller has received. With `isMade` false, the vendor has no machine for
 * it.
 */
export async function endWithoutMachine(
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
