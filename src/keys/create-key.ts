import type { Transaction } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { newId, type Id } from '../lib/ids.ts'
import { wholeCents } from '../lib/money.ts'
import { KEY_CHANNEL } from './announce.ts'
import { requireInUse, requirePrimary } from './change-key.ts'
import { requireOwnScope } from '../lib/permissions.ts'
import { requireMember } from './require-member.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { hashSecret, modeOfSecret, newSecret, shownPrefix } from './format.ts'
import { DEFAULT_SCOPE, periodOf } from './key-fields.ts'
import type { NewKey } from './key-input.ts'
import { DEFAULT_BREAKER } from './policy/breaker.ts'
import { checkPolicy, expiryOf, keyColumnsOf } from './policy/policy-input.ts'
import { keyRecord, type Alongside, type KeyWithSecret } from './key-record.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, type KeyRow } from './key-row.ts'

/**
 * Maximum number of keys per account, live and test together, including paused and excluding
 * revoked keys.
 */
export const MOST_KEYS = 10_000

/**
 * Creates a key for the actor's account. Only this result contains the secret. Throws AppError
 * invalid_params, key_cannot_mint_keys, role_not_allowed, invalid_token when the calling key was revoked meanwhile, bad_request when
 * the account is closed, and key_quota_exceeded.
 */
export async function createKey(
  deps: KeyDeps,
  actor: Actor,
  input: NewKey,
  alongside?: Alongside,
): Promise<KeyWithSecret> {
  requirePrimary(actor)
  requireOwnScope(actor, input.scope)
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
    await requireMember(tx, actor)
    await requireInUse(tx, actor)
    const { rows } = await tx.query<{ count: bigint }>(OPEN_KEYS, [actor.accountId, nowMs])
    requireKeyQuota(rows[0]?.count ?? 0n)
    const row = await insertKey(tx, {
      ...input,
      accountId: actor.accountId,
      secret,
      primary: false,
      nowMs,
      personId: actor.member?.personId ?? null,
    })
    const made = { ...keyRecord(row, nowMs), key: secret }
    await alongside?.(tx, made)
    return made
  })
}

/** SQL: the number of keys of the account $1 at the time $2. Expired child keys do not count. */
export const OPEN_KEYS = `select count(*) as count from ${KEYS_WITH_BUDGETS} where account_id = $1 and state <> 'closed' and (budgets.parent_id is null or expires_ms is null or expires_ms > $2)`

/** Throws AppError key_quota_exceeded. */
export function requireKeyQuota(openKeys: bigint): void {
  if (openKeys >= MOST_KEYS)
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
  /** The member that the key belongs to. */
  readonly personId?: Id | null
}

/** Stores a key and its budget under one id in one statement, inside the caller's transaction. */
export async function insertKey(tx: Transaction, key: KeyToInsert): Promise<KeyRow> {
  const mode = modeOfSecret(key.secret)
  invariant(mode !== null, 'a stored key has a well-formed secret')
  const id = newId(key.nowMs)
  const hash = hashSecret(key.secret)
  const budget = {
    id,
    ceiling_micros: typeof key.ceiling_cents === 'number' ? wholeCents(key.ceiling_cents) : null,
    period: periodOf(key.ceiling_period ?? null),
    expires_ms: expiryOf(key),
    parent_id: key.parent?.id,
    ancestors: key.parent === undefined ? [] : [...key.parent.ancestors, key.parent.id],
  }
  const columns = {
    id,
    account_id: key.accountId,
    mode,
    is_primary: key.primary,
    scope: key.scope ?? DEFAULT_SCOPE,
    label: key.label,
    external_id: key.external_id,
    key_prefix: shownPrefix(key.secret),
    secret_hash: Buffer.from(hash, 'hex'),
    created_at: new Date(key.nowMs),
    parent_id: key.parent?.id,
    may_mint: key.may_mint ?? false,
    client_id: key.grant?.clientId,
    audience: key.grant?.audience ?? key.audience,
    person_id: key.personId,
    secret_until: key.grant === undefined ? null : new Date(key.grant.secretUntilMs),
    ...keyColumnsOf({ breaker: DEFAULT_BREAKER, ...key }),
  }
  const values = [...Object.values(budget), ...Object.values(columns)]
  // The announcement: the secret may have been tried before it was in use and been cached as unknown.
  const { rows } = await tx.query<KeyRow>(
    `with budget as (${insertion('budgets', Object.keys(budget), 0)}),
       key as (${insertion('keys', Object.keys(columns), Object.keys(budget).length)})
     select ${KEY_COLUMNS}, pg_notify($${values.length + 1}, $${values.length + 2})
     from key as keys cross join budget as budgets`,
    [...values.map((value) => value ?? null), KEY_CHANNEL, hash],
    'insert_key',
  )
  invariant(rows[0] !== undefined, 'a new key exists')
  return rows[0]
}

function insertion(table: string, columns: readonly string[], before: number): string {
  const places = columns.map((_, place) => `$${before + place + 1}`)
  return `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')}) returning *`
}
