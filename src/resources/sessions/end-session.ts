import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { SessionParts } from './session-parts.ts'
import { endSession, lockSession, type CloseReason, type SessionRow } from './session-row.ts'

/** Ends it in a commit of its own; null when it had ended before, and nothing was charged now. */
export async function endOnce(
  { database, now, tally }: Pick<SessionParts, 'database' | 'now' | 'tally'>,
  id: Id,
  reason: CloseReason,
): Promise<{ readonly row: SessionRow; readonly charged: Micros } | null> {
  const nowMs = now()
  const ended = await database.transaction(async (tx) => {
    const row = await lockSession(tx, id)
    return row === undefined || row.closed_ms !== null
      ? null
      : { row, charged: await endSession(tx, row, reason, nowMs) }
  })
  if (ended !== null) tally?.charged(ended.row.mode, ended.row.service, ended.charged)
  return ended
}

/** Ends it where its vendor knows the machine no more. One answer that says so may be wrong, and what the machine holds would be lost: the vendor's list decides. */
export async function endIfGone(parts: SessionParts, row: SessionRow): Promise<boolean> {
  const living = await parts
    .boxFor(row.service, row.mode, row.account_id)
    ?.find(row.id)
    .catch(() => 'unknown' as const)
  if (living === 'unknown' || (living !== undefined && living.length > 0)) return false
  await endOnce(parts, row.id, 'gone')
  return true
}
