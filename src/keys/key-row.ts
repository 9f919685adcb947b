import type { Database, SqlValue, Transaction } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Period, ResettingPeriod } from '../ledger/windows.ts'
import type { Mode } from '../lib/mode.ts'
import { onlyMaker, type Scope } from '../lib/owner.ts'
import type { Actor } from './caller.ts'
import type { Breaker } from './policy/breaker.ts'
import { POLICY_COLUMNS, type StoredPolicy } from './policy/key-policy.ts'

/** A key with its budget, as stored in the database. */
export type KeyRow = {
  readonly id: Id
  readonly account_id: Id
  readonly mode: Mode
  readonly is_primary: boolean
  readonly scope: Scope
  readonly label: string | null
  readonly external_id: string | null
  readonly key_prefix: string
  readonly secret_hash: Buffer
  readonly former_secret_hash: Buffer | null
  readonly former_secret_until: Date | null
  readonly created_at: Date
  readonly state: 'open' | 'paused' | 'closed'
  readonly ceiling_micros: bigint | null
  readonly period: Period
  readonly last_used_ms: bigint | null
  /** Unix milliseconds. */
  readonly expires_ms: bigint | null
  readonly parent_id: Id | null
  /** The keys above it, the topmost first. */
  readonly ancestors: readonly Id[]
  readonly may_mint: boolean
  readonly breaker: Breaker
  readonly revoked_at: Date | null
  /** The OAuth client to which the key was granted; null for all other keys. */
  readonly client_id: string | null
  /** The only resource at which the key works; null: everywhere. */
  readonly audience: string | null
  /** When the secret stops working; null: with the key. */
  readonly secret_until: Date | null
  /** The member that the key belongs to; null: the account as a whole. */
  readonly person_id: Id | null
} & StoredPolicy &
  Readonly<
    Record<`${ResettingPeriod}_start`, number> &
      Record<`${Period}_spent` | `${Period}_held`, bigint>
  >

export const KEY_COLUMNS = `keys.id, account_id, mode, is_primary, scope, label, external_id, key_prefix,
  secret_hash, former_secret_hash, former_secret_until, created_at, state, ceiling_micros, period, last_used_ms, expires_ms, keys.parent_id, ancestors, may_mint, breaker, revoked_at, client_id, audience, secret_until, person_id, ${POLICY_COLUMNS},
  day_start, day_spent, day_held, week_start, week_spent, week_held, month_start, month_spent, month_held, total_spent, total_held`

export const KEYS_WITH_BUDGETS = 'keys join budgets on budgets.id = keys.id'

/** The modes of the keys that an actor may see. A key of scope "own" sees only itself. */
export function modesSeenBy({ mode }: Pick<Actor, 'mode'>): readonly Mode[] {
  return mode === 'live' ? ['live', 'test'] : ['test']
}

/**
 * Makes other writers of the key wait. A separate statement, because one that locks while reading
 * returns the budget from before the wait.
 */
export async function lockKey(tx: Transaction, id: Id): Promise<void> {
  await tx.query('select from keys where id = $1 for update', [id])
}

/** SQL condition for the keys that an actor sees. Its parameters follow in this order. */
export function keysSeenBy(
  actor: Actor,
  modes = modesSeenBy(actor),
): { readonly condition: string; readonly values: readonly SqlValue[] } {
  return {
    condition: 'account_id = $1 and mode = any($2) and ($3::uuid is null or keys.id = $3)',
    values: [actor.accountId, modes, onlyMaker({ scope: actor.scope, keyId: actor.keyId ?? null })],
  }
}

/** Null when the key does not exist or the actor may not see it. */
export async function findKeyRow(
  database: Database | Transaction,
  actor: Actor,
  id: Id,
): Promise<KeyRow | null> {
  const { condition, values } = keysSeenBy(actor)
  const { rows } = await database.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where ${condition} and keys.id = $4`,
    [...values, id],
  )
  return rows[0] ?? null
}
