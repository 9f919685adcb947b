import type { SqlValue, Transaction } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { newId, type Id } from '../lib/ids.ts'
import { wholeCents } from '../lib/money.ts'
import { announceChange } from './announce.ts'
import { requireInUse, requirePrimary } from './change-key.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { hashSecret, modeOfSecret, newSecret, shownPrefix } from './format.ts'
import { DEFAULT_SCOPE, periodOf } from './key-fields.ts'
import type { NewKey } from './key-input.ts'
import { DEFAULT_BREAKER } from './policy/breaker.ts'
import { checkPolicy, expiryOf, keyColumnsOf } from './policy/policy-input.ts'
import { keyRecord, type Alongside, type KeyWithSecret } from './key-record.ts'
import { findKeyRow, KEYS_WITH_BUDGETS } from './key-row.ts'

/**
 * Maximum number of keys per account, live and test together, including paused and excluding
 * revoked keys.
 */
export const MOST_KEYS = 10_000

/**
 * Creates a key for the actor's account. Only this result contains the secret. Throws AppError
 * invalid_params, key_cannot_mint_keys, invalid_token when the calling key was revoked meanwhile, bad_request when
 * the account is closed, and key_quota_exceeded.
 */
export async function createKey(
  deps: KeyDeps,
  actor: Actor,
  input: NewKey,
  alongside?: Alongside,
): Promise<KeyWithSecret> {
  requirePrimary(actor)
  const mode = input.mode ?? actor.mode
  if (mode === 'live' && actor.mode === 'test') {
    throw new AppError('key_cannot_mint_keys', 'A test key cannot create a live key.', {
      param: 'mode',
      fix: "Use the account's live primary key.",
    })
  }
  const nowMs = deps.now()
  checkPolicy(input, nowMs)
  const secret = newSecret(mode)
  return deps.database.transaction(async (tx) => {
    // Concurrent creations for the same account wait here, so that each counts the others' keys.
    await tx.query('select from accounts where id = $1 for no key update', [actor.accountId])
    await requireInUse(tx, actor)
    await requireKeyQuota(tx, actor.accountId, nowMs)
    const id = await insertKey(tx, {
      ...input,
      accountId: actor.accountId,
      secret,
      primary: false,
      nowMs,
    })
    const row = await findKeyRow(tx, { ...actor, mode }, id)
    invariant(row !== null, 'a new key exists')
    const made = { ...keyRecord(row, nowMs), key: secret }
    await alongside?.(tx, made)
    return made
  })
}

/** Throws AppError key_quota_exceeded. Expired child keys do not count. */
export async function requireKeyQuota(
  tx: Transaction,
  accountId: Id,
  nowMs: number,
): Promise<void> {
  const { rows } = await tx.query<{ count: bigint }>(
    `select count(*) as count from ${KEYS_WITH_BUDGETS} where account_id = $1 and state <> 'closed' and (budgets.parent_id is null or expires_ms is null or expires_ms > $2)`,
    [accountId, nowMs],
  )
  if ((rows[0]?.count ?? 0n) >= MOST_KEYS)
    throw new AppError(
      'key_quota_exceeded',
      `An account can have at most ${MOST_KEYS} keys that are not revoked.`,
      { details: { max_keys: MOST_KEYS } },
    )
}

/** The grant of a key to an OAuth client (src/auth/oauth). Its secret is an access token. */
export type Grant = {
  readonly clientId: string
  readonly audience: string
  readonly secretUntilMs: number
}

export type KeyToInsert = Omit<NewKey, 'mode'> & {
  readonly accountId: Id
  readonly secret: string
  readonly primary: boolean
  readonly nowMs: number
  /** The key above, and the keys above that. */
  readonly parent?: { readonly id: Id; readonly ancestors: readonly Id[] }
  /** The key is granted to an OAuth client. */
  readonly grant?: Grant | undefined
  /** The audience of the key above. */
  readonly audience?: string | null
}

/** Stores a key and its budget under one id, inside the caller's transaction. */
export async function insertKey(tx: Transaction, key: KeyToInsert): Promise<Id> {
  const mode = modeOfSecret(key.secret)
  invariant(mode !== null, 'a stored key has a well-formed secret')
  const id = newId(key.nowMs)
  const scope = key.scope ?? DEFAULT_SCOPE
  const hash = hashSecret(key.secret)
  await insertRow(tx, 'budgets', {
    id,
    ceiling_micros: typeof key.ceiling_cents === 'number' ? wholeCents(key.ceiling_cents) : null,
    period: periodOf(key.ceiling_period ?? null),
    expires_ms: expiryOf(key),
    parent_id: key.parent?.id,
    ancestors: key.parent === undefined ? [] : [...key.parent.ancestors, key.parent.id],
  })
  await insertRow(tx, 'keys', {
    id,
    account_id: key.accountId,
    mode,
    is_primary: key.primary,
    scope,
    label: key.label,
    external_id: key.external_id,
    key_prefix: shownPrefix(key.secret),
    secret_hash: Buffer.from(hash, 'hex'),
    created_at: new Date(key.nowMs),
    parent_id: key.parent?.id,
    may_mint: key.may_mint ?? false,
    client_id: key.grant?.clientId,
    audience: key.grant?.audience ?? key.audience,
    secret_until: key.grant === undefined ? null : new Date(key.grant.secretUntilMs),
    ...keyColumnsOf({ breaker: DEFAULT_BREAKER, ...key }),
  })
  // The secret may have been tried before it was in use and been cached as unknown.
  await announceChange(tx, [hash])
  return id
}

async function insertRow(
  tx: Transaction,
  table: 'keys' | 'budgets',
  columns: Readonly<Record<string, SqlValue | undefined>>,
): Promise<void> {
  const places = Object.keys(columns).map((_, place) => `$${place + 1}`)
  await tx.query(
    `insert into ${table} (${Object.keys(columns).join(', ')}) values (${places.join(', ')})`,
    Object.values(columns).map((value) => value ?? null),
  )
}
