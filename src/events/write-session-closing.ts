import type { Transaction } from '../db/database.ts'
import { toRfc3339 } from '../lib/clock.ts'
import { publicId, type Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'

export type ClosingSession = {
  readonly id: Id
  readonly account_id: Id
  readonly mode: Mode
  readonly budget_id: Id | null
  readonly service: string
}

/**
 * Writes session.closing, once per session and closing time, in the transaction that finds it out.
 * Call it after the ledger.
 */
export async function writeSessionClosing(
  tx: Transaction,
  { id, account_id: account, mode, budget_id: key, service }: ClosingSession,
  {
    reason,
    closesMs,
    nowMs,
  }: { readonly reason: 'unpaid' | 'lifetime'; readonly closesMs: number; readonly nowMs: number },
): Promise<void> {
  const data = {
    session_id: publicId('session', id),
    service,
    key_id: key === null ? null : publicId('key', key),
    close_reason: reason,
    closes_at: toRfc3339(closesMs),
  }
  await tx.query("select write_event($1, $2, $3, $4, 'session.closing', $5::jsonb, once => $6)", [
    nowMs,
    account,
    mode,
    key,
    JSON.stringify(data),
    `session.closing ${id} ${closesMs}`,
  ])
}
