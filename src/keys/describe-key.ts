import { AppError } from '../errors/app-error.ts'
import { toCentsRoundedDown } from '../lib/money.ts'
import type { Caller } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { findKeyRow, KEY_COLUMNS, KEYS_WITH_BUDGETS, type KeyRow } from './key-row.ts'
import { spendableOf, type BoundBy } from './spendable.ts'

/** A key above the calling key, with the settings that bind it too. */
export type Ancestor = Pick<KeyRecord, (typeof BINDING)[number]>

const BINDING = [
  'id',
  'status',
  'ceiling_cents',
  'ceiling_period',
  'remaining_micros',
  'window_resets_at',
  'allow',
  'deny',
  'max_call_cents',
  'expires_at',
  'rate_limit_per_minute',
  'allowed_ips',
  'breaker',
] as const satisfies readonly (keyof KeyRecord)[]

/**
 * The remaining spend of the key: the least of its limit's remainder, those of the keys above it
 * and the available balance.
 */
export type OwnKey = KeyRecord & {
  readonly spendable_cents: number
  readonly spendable_micros: number
  readonly bound_by: BoundBy
  /** The key that binds; null if it is the balance. */
  readonly bound_by_key_id: string | null
  /** The keys above, the topmost first. */
  readonly ancestors: readonly Ancestor[]
}

/** The calling key's own record. */
export async function describeKey(
  { database, now }: Pick<KeyDeps, 'database' | 'now'>,
  caller: Caller,
): Promise<OwnKey> {
  const row = await findKeyRow(database, caller, caller.keyId)
  if (row === null) throw new AppError('unknown_key')
  const nowMs = now()
  const record = keyRecord(row, nowMs)
  const above = await readAncestors({ database }, row)
  const ancestors = above.map((one) => keyRecord(one, nowMs))
  const { rows } = await database.query<{ free: bigint }>(
    'select balance_micros - held_micros as free from wallets where id = $1',
    [caller.walletId],
  )
  const { amount, by, key } = spendableOf(record, ancestors, rows[0]?.free ?? 0n)
  return {
    ...record,
    spendable_cents: toCentsRoundedDown(amount),
    spendable_micros: Number(amount),
    bound_by: by,
    bound_by_key_id: key?.id ?? null,
    ancestors: ancestors.map(bindingOf),
  }
}

async function readAncestors(
  { database }: Pick<KeyDeps, 'database'>,
  { ancestors }: KeyRow,
): Promise<readonly KeyRow[]> {
  if (ancestors.length === 0) return []
  const { rows } = await database.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where keys.id = any($1) order by cardinality(ancestors)`,
    [ancestors],
  )
  return rows
}

function bindingOf(key: KeyRecord): Ancestor {
  return Object.fromEntries(BINDING.map((name) => [name, key[name]])) as Ancestor
}
