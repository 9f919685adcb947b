import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { SessionParts } from './session-parts.ts'
import { endSession, lockSession, type CloseReason, type SessionRow } from './session-row.ts'

/** Ends it in a commit of its own; null when it had ended before, and nothing was charged now. */
export async function endOnce({ database, now }: Pick<SessionParts, 'database' | 'now'>, id: Id, reason: CloseReason): Promise<{ readonly row: SessionRow; readonly charged: Micros } | null> {
  const nowMs = now()
  return database.transaction(async (tx) => {
    const row = await lockSession(tx, id)
    return row === undefined || row.closed_ms !== null ? null : { row, charged: await endSession(tx, row, reason, nowMs) }
  })
}
