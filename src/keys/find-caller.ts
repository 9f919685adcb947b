import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import type { Micros } from '../lib/money.ts'
import type { Scope } from '../lib/owner.ts'
import type { Caller } from './caller.ts'
import { DEFAULT_BREAKER, strictestBreaker, type Breaker } from './policy/breaker.ts'
import type { Expiry } from './policy/expiry.ts'
import { compilePolicy, POLICY_COLUMNS, type StoredPolicy } from './policy/key-policy.ts'

/** `validUntilMs` is set for a secret that expires: a former one, or an access token. */
export type FoundCaller = { readonly caller: Caller; readonly validUntilMs: number | null }

type Row = CallerRow & {
  former_secret_until: Date | null
  secret_until: Date | null
  is_former: boolean
}
type Binding = StoredPolicy & {
  readonly id: Id
  readonly expires_ms: bigint | number | null
  readonly breaker: Breaker
}
/** A key above, from the database's JSON, in which amounts are numbers. */
type Above = Omit<Binding, 'max_call_micros'> & {
  readonly max_call_micros: number | null
  readonly state: 'open' | 'paused' | 'closed'
}
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
  audience: string | null
  breaker: Breaker
  ceiling_micros: Micros | null
  stores_bodies: boolean
  ancestors: readonly Id[]
  above: readonly Above[] | null
}

const CALLER = `select keys.id, keys.account_id, keys.mode, wallets.id as wallet_id, external_id, is_primary, scope, label, expires_ms, breaker, ceiling_micros, audience, ancestors, stores_bodies, ${POLICY_COLUMNS},
  case when budgets.parent_id is not null then (
    select json_agg(json_build_object('id', replace(k.id::text, '-', ''), 'state', b.state, 'expires_ms', b.expires_ms, 'breaker', k.breaker, 'allow', k.allow, 'deny', k.deny,
        'max_call_micros', k.max_call_micros, 'rate_limit', k.rate_limit, 'allowed_ips', k.allowed_ips) order by cardinality(b.ancestors) desc)
      from keys as k join budgets as b on b.id = k.id where k.id = any(budgets.ancestors)
  ) end as above`
const HOLDERS = `from keys join wallets on wallets.account_id = keys.account_id and wallets.mode = keys.mode join budgets on budgets.id = keys.id join accounts on accounts.id = keys.account_id and accounts.paused_at is null`

/** The caller whose secret has this hash (hexadecimal), or null, also if the account is paused. The key may have expired. */
export async function findCaller(
  database: Pick<Database, 'query'>,
  hash: string,
  nowMs: number,
): Promise<FoundCaller | null> {
  const { rows } = await database.query<Row>(
    `${CALLER}, former_secret_until, secret_until, secret_hash <> $1 as is_former ${HOLDERS} where (secret_hash = $1 or former_secret_hash = $1) and (state <> 'closed' or (expires_ms <= $2 and revoked_at is null))`,
    [Buffer.from(hash, 'hex'), nowMs],
    'find_caller',
  )
  const row = rows[0]
  if (row === undefined) return null
  const validUntilMs = row.is_former
    ? (row.former_secret_until?.getTime() ?? 0)
    : (row.secret_until?.getTime() ?? null)
  if (validUntilMs !== null && validUntilMs <= nowMs) return null
  if (row.above?.some(({ state }) => state === 'closed') === true) return null
  return { caller: callerOf(row), validUntilMs }
}

/**
 * The rights of an account's primary key for its holder; null when the account is closed or paused. The
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
  return rows[0] === undefined
    ? null
    : { ...callerOf(rows[0]), policies: [], breaker: DEFAULT_BREAKER, expiry: null }
}

function callerOf(row: CallerRow): Caller {
  const above = (row.above ?? []).map(({ max_call_micros: maxCall, ...key }) => ({
    ...key,
    max_call_micros: maxCall === null ? null : BigInt(maxCall),
  }))
  const policies = [
    compilePolicy(row.id, row),
    ...above.map((key) => compilePolicy(key.id, key, true)),
  ]
  return {
    keyId: row.id,
    accountId: row.account_id,
    mode: row.mode,
    walletId: Number(row.wallet_id),
    budgetId: row.id,
    ancestorIds: row.ancestors,
    externalId: row.external_id,
    primary: row.is_primary,
    scope: row.scope,
    label: row.label,
    policies: policies.filter((policy) => policy !== null),
    breaker: strictestBreaker([row.breaker, ...above.map(({ breaker }) => breaker)]),
    limit: row.ceiling_micros,
    expiry: soonestExpiry(row, above),
    audience: row.audience,
    ...(row.stores_bodies ? { storesBodies: true } : {}),
  }
}

/** The expiry of the key or of the key above it that expires first. */
function soonestExpiry(own: Binding, above: readonly Binding[]): Expiry | null {
  const expiries = [own, ...above].flatMap(({ id, expires_ms: atMs }) =>
    atMs === null ? [] : [{ atMs: Number(atMs), keyId: id, isInherited: id !== own.id }],
  )
  return expiries.reduce<Expiry | null>(
    (soonest, expiry) => (soonest === null || expiry.atMs < soonest.atMs ? expiry : soonest),
    null,
  )
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
