import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import type { Scope } from '../lib/owner.ts'
import type { Caller } from './caller.ts'
import { compilePolicy, POLICY_COLUMNS, type StoredPolicy } from './policy/key-policy.ts'

/** `validUntilMs` is set for a former secret, which expires at that time. */
export type FoundCaller = { readonly caller: Caller; readonly validUntilMs: number | null }

type Row = CallerRow & { former_secret_until: Date | null; is_former: boolean }
type CallerRow = StoredPolicy & {
  id: string
  account_id: string
  mode: Mode
  wallet_id: bigint
  external_id: string | null
  is_primary: boolean
  scope: Scope
  label: string | null
  expires_ms: bigint | null
}

const CALLER = `select keys.id, keys.account_id, keys.mode, wallets.id as wallet_id, external_id, is_primary, scope, label, expires_ms, ${POLICY_COLUMNS}`
const HOLDERS = `from keys join wallets on wallets.account_id = keys.account_id and wallets.mode = keys.mode join budgets on budgets.id = keys.id`

/** The caller whose secret has this hash (hexadecimal), or null. The key may have expired. */
export async function findCaller(
  database: Pick<Database, 'query'>,
  hash: string,
  nowMs: number,
): Promise<FoundCaller | null> {
  const { rows } = await database.query<Row>(
    `${CALLER}, former_secret_until, secret_hash <> $1 as is_former ${HOLDERS} where (secret_hash = $1 or former_secret_hash = $1) and state <> 'closed'`,
    [Buffer.from(hash, 'hex')],
    'find_caller',
  )
  const row = rows[0]
  if (row === undefined) return null
  const validUntilMs = row.is_former ? (row.former_secret_until?.getTime() ?? 0) : null
  if (validUntilMs !== null && validUntilMs <= nowMs) return null
  return { caller: callerOf(row), validUntilMs }
}

/**
 * The rights of an account's primary key for its holder; null when the account is closed. The
 * key's policy binds the key and not the holder.
 */
export async function findPrimaryCaller(
  database: Pick<Database, 'query'>,
  accountId: Id,
  mode: Mode,
): Promise<Caller | null> {
  const { rows } = await database.query<CallerRow>(
    `${CALLER} ${HOLDERS} where keys.account_id = $1 and keys.mode = $2 and is_primary and state <> 'closed'`,
    [accountId, mode],
    'find_primary_caller',
  )
  return rows[0] === undefined ? null : { ...callerOf(rows[0]), policies: [], expiry: null }
}

function callerOf(row: CallerRow): Caller {
  const policy = compilePolicy(row.id, row)
  return {
    keyId: row.id,
    accountId: row.account_id,
    mode: row.mode,
    walletId: Number(row.wallet_id),
    budgetId: row.id,
    externalId: row.external_id,
    primary: row.is_primary,
    scope: row.scope,
    label: row.label,
    policies: policy === null ? [] : [policy],
    expiry:
      row.expires_ms === null
        ? null
        : { atMs: Number(row.expires_ms), keyId: row.id, isInherited: false },
  }
}

// The ledger records the use by paid calls. This records other uses now and then.
const NOTED_EVERY_MS = 60_000

/** Records that a key was used, at most once a minute. */
export async function noteUse(database: Database, keyId: string, nowMs: number): Promise<void> {
  await database.query(
    'update budgets set last_used_ms = $2 where id = $1 and coalesce(last_used_ms, 0) <= $3',
    [keyId, nowMs, nowMs - NOTED_EVERY_MS],
    'note_use',
  )
}
