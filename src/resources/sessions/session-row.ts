import type { Transaction } from '../../db/database.ts'
import { mayAct } from '../../db/may-act.ts'
import type { Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Micros } from '../../lib/money.ts'
import type { Handle } from './box.ts'
import type { Stretch } from './machine-use.ts'

/** A row of `compute_sessions`. */
export type SessionRow = {
  readonly id: Id
  readonly account_id: Id
  readonly mode: Mode
  readonly service: string
  readonly wallet_id: bigint
  readonly budget_id: Id | null
  readonly external_id: string | null
  /** Null for a session that a version without price ids opened. */
  readonly price_id: string | null
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
  /** Set for a session metered by use. */
  readonly cpu_hour_micros: Micros | null
  readonly gigabyte_hour_micros: Micros | null
  readonly held_micros: Micros | null
  /** The excess of earlier charges by rounding, in parts of a micro-dollar (`PARTS`). */
  readonly prepaid_parts: bigint
  readonly charged_stretches: readonly Stretch[]
  readonly running: readonly number[]
}

export type LockedSession = SessionRow & { readonly key_may_pay: boolean }

/** Why a session ended. */
export type CloseReason =
  | 'asked'
  | 'unpaid'
  | 'idle'
  | 'lifetime'
  | 'gone'
  | 'preempted'
  | 'not_made'

/** SQL condition: the account and the key that opened a session may act. `nowMs`: an SQL expression. */
export function makerMayPay(nowMs: string): string {
  return mayAct({
    account: 'compute_sessions.account_id',
    key: 'compute_sessions.budget_id',
    nowMs: `${nowMs}::bigint`,
  })
}

export function isMeteredByUse({
  cpu_hour_micros: cpuHour,
}: Pick<SessionRow, 'cpu_hour_micros'>): boolean {
  return cpuHour !== null
}

/**
 * Locks the session until the transaction ends. Undefined for an unknown session, and with `skip`
 * for one locked by another process.
 */
export async function lockSession(
  tx: Transaction,
  id: Id,
  nowMs: number,
  skip = false,
): Promise<LockedSession | undefined> {
  const { rows } = await tx.query<LockedSession>(
    `select *, ${makerMayPay('$2')} as key_may_pay from compute_sessions where id = $1 for no key update${skip ? ' skip locked' : ''}`,
    [id, nowMs],
  )
  return rows[0]
}
