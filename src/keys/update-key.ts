import type { SqlValue, Transaction } from '../db/database.ts'
import { wholeCents } from '../lib/money.ts'
import { changeKey, requireUsable } from './change-key.ts'
import type { Actor, KeyContext } from './context.ts'
import { periodOf, type PeriodName } from './key-fields.ts'
import type { KeyRecord } from './key-record.ts'

/** A merge patch: what is absent stays, null removes. */
export type KeyPatch = {
  readonly label?: string | null
  readonly external_id?: string | null
  readonly ceiling_cents?: number | null
  readonly ceiling_period?: PeriodName | null
  readonly paused?: boolean
  /** Ends the former secret, which would work for a while after a rotation. */
  readonly former_key_valid_until?: null
}

/** Throws AppError key_cannot_mint_keys, unknown_key or key_revoked. */
export function updateKey(context: KeyContext, actor: Actor, id: string, patch: KeyPatch): Promise<KeyRecord> {
  return changeKey(context, actor, id, async (tx, row) => {
    requireUsable(row)
    const former = patch.former_key_valid_until === null ? { former_secret_hash: null, former_secret_until: null } : {}
    await set(tx, 'keys', row.id, { label: patch.label, external_id: patch.external_id, ...former })
    await set(tx, 'budgets', row.id, {
      ceiling_micros: typeof patch.ceiling_cents === 'number' ? wholeCents(patch.ceiling_cents) : patch.ceiling_cents,
      period: patch.ceiling_period === undefined ? undefined : periodOf(patch.ceiling_period),
      state: patch.paused === undefined ? undefined : patch.paused ? 'paused' : 'open',
    })
  })
}

// The ledger locks budgets too, in every flush: the row is written last and only when there is something to write.
async function set(tx: Transaction, table: 'keys' | 'budgets', id: string, columns: Readonly<Record<string, SqlValue | undefined>>): Promise<void> {
  const given = Object.entries(columns).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
  if (given.length === 0) return
  const assignments = given.map(({ column }, place) => `${column} = $${place + 2}`).join(', ')
  await tx.query(`update ${table} set ${assignments} where id = $1`, [id, ...given.map(({ value }) => value)])
}
