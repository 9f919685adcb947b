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

/** Throws what the vendor failed with; it is asked again later. */
export async function tearDownOne({ database, boxFor }: Pick<SessionParts, 'database' | 'boxFor'>, { id, service, mode, handle }: SessionRow): Promise<void> {
  if (handle !== null) {
    const box = boxFor(service, mode)
    // A process without the way there leaves it to those that have it.
    if (box === null) return
    await box.close(handle)
  }
  await database.query('update compute_sessions set is_torn_down = true, handle = null where id = $1 and closed_ms is not null', [id])
}
