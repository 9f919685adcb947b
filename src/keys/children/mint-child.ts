import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { publicId } from '../../lib/ids.ts'
import type { Scope } from '../../lib/owner.ts'
import type { Caller } from '../caller.ts'
import { insertKey, OPEN_KEYS, requireKeyQuota, type Grant } from '../create-key.ts'
import { newSecret } from '../format.ts'
import type { KeyDeps } from '../key-deps.ts'
import { keyRecord, type Alongside, type KeyWithSecret } from '../key-record.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, type KeyRow } from '../key-row.ts'
import { requireMember } from '../require-member.ts'
import { checkPolicy, expiryOf } from '../policy/policy-input.ts'
import type { NewChild } from './child-input.ts'

/** The most keys above a key. */
export const MOST_LEVELS = 3
/** The parent of a new key. */
export type Minter = Pick<Caller, 'accountId' | 'mode' | 'keyId' | 'ancestorIds' | 'member'>

/** The most child keys of a key that are neither revoked nor expired. */
export const MOST_CHILDREN = 1_000

/**
 * Creates a key below the calling key. The child spends from the limits of all keys above it, and
 * their policies bind it. Without a period its limit never resets. Only this result contains the
 * secret. With `grant`, the key belongs to an OAuth client. Throws AppError invalid_params, key_cannot_mint_keys, key_quota_exceeded, api_key_paused,
 * key_expired, or invalid_token when a key above was revoked meanwhile.
 */
export async function mintChild(
  deps: KeyDeps,
  caller: Minter,
  input: NewChild & { readonly grant?: Grant },
  alongside?: Alongside,
): Promise<KeyWithSecret> {
  const nowMs = deps.now()
  checkPolicy(input, nowMs)
  const expiresMs = expiryOfChild(input, nowMs)
  const secret = newSecret(caller.mode)
  return deps.database.transaction(async (tx) => {
    const path = await lockPath(tx, caller, nowMs)
    await requireMember(tx, caller)
    const parent = requireMinter(path, nowMs)
    requireKeyQuota(parent.open_keys)
    requireChildQuota(parent.open_children)
    const soonest = path.reduce<number | null>(
      (least, { expires_ms: ms }) => sooner(least, ms === null ? null : Number(ms)),
      expiresMs,
    )
    const row = await insertKey(tx, {
      ...input,
      external_id: input.external_id === undefined ? parent.external_id : input.external_id,
      ceiling_period: input.ceiling_period ?? 'total',
      scope: scopeOfChild(input, parent),
      expires_at: soonest === null ? null : toRfc3339(soonest),
      accountId: caller.accountId,
      secret,
      primary: false,
      nowMs,
      parent: { id: parent.id, ancestors: parent.ancestors },
      audience: parent.audience,
      personId: caller.member?.personId ?? parent.person_id,
    })
    const made = { ...keyRecord(row, nowMs), key: secret }
    await alongside?.(tx, made)
    return made
  })
}

function expiryOfChild(input: NewChild, nowMs: number): number | null {
  const { ttl_s: ttl } = input
  if (ttl === undefined) return expiryOf(input) ?? null
  if (input.expires_at != null)
    throw new AppError('invalid_params', 'Send either ttl_s or expires_at.', { param: 'ttl_s' })
  return nowMs + ttl * 1000
}

function sooner(first: number | null, second: number | null): number | null {
  if (first === null || second === null) return first ?? second
  return Math.min(first, second)
}

/** A key of the path, with the numbers that the quotas limit. */
type PathRow = KeyRow & { readonly open_keys: bigint; readonly open_children: bigint }

/**
 * The keys of the caller's path, the topmost first. Concurrent creations for the account wait, so
 * that each counts the others' keys, and so does a revocation of a key of the path. A separate
 * statement reads them, because one that locks returns the rows from before the wait.
 */
async function lockPath(
  tx: Transaction,
  { accountId, ancestorIds, keyId }: Minter,
  nowMs: number,
): Promise<readonly PathRow[]> {
  const ids = [...ancestorIds, keyId]
  await tx.query(
    `with account as materialized (select from accounts where id = $1 for no key update)
     select from keys where id = any($2) and exists (select from account) order by id for share`,
    [accountId, ids],
    'lock_path',
  )
  // Without a name, so that PostgreSQL plans the counts for this account.
  const { rows } = await tx.query<PathRow>(
    `select ${KEY_COLUMNS}, (${OPEN_KEYS}) as open_keys, (${OPEN_CHILDREN}) as open_children
     from ${KEYS_WITH_BUDGETS} where keys.id = any($3) order by cardinality(ancestors)`,
    [accountId, nowMs, ids, keyId],
  )
  return rows
}

// Expired keys do not count.
const OPEN_CHILDREN =
  "select count(*) from budgets where parent_id = $4 and state <> 'closed' and (expires_ms is null or expires_ms > $2)"

function requireMinter(path: readonly PathRow[], nowMs: number): PathRow {
  const parent = path.at(-1)
  if (parent === undefined || path.some(({ state }) => state === 'closed'))
    throw new AppError('invalid_token', 'This key was revoked.')
  const expired = path.find(({ expires_ms: ms }) => ms !== null && Number(ms) <= nowMs)
  if (expired !== undefined)
    throw new AppError('key_expired', undefined, {
      details: { key_id: publicId('key', expired.id) },
    })
  if (path.some(({ state }) => state === 'paused')) throw new AppError('api_key_paused')
  if (!parent.may_mint && !parent.is_primary)
    throw new AppError('key_cannot_mint_keys', 'This key may not create child keys.', {
      fix: 'Set "may_mint" of this key on the /keys page, or with the primary key: PATCH /api/v1/agents/{id}.',
    })
  if (parent.ancestors.length >= MOST_LEVELS)
    throw new AppError(
      'key_cannot_mint_keys',
      `A key with ${MOST_LEVELS} keys above it cannot create child keys.`,
      { fix: 'Create the key with one of the keys above.', details: { max_depth: MOST_LEVELS } },
    )
  return parent
}

function requireChildQuota(openChildren: bigint): void {
  if (openChildren >= MOST_CHILDREN)
    throw new AppError(
      'key_quota_exceeded',
      `A key can have at most ${MOST_CHILDREN} child keys that are neither revoked nor expired.`,
      {
        fix: 'End child keys that you no longer use: DELETE /api/v1/agents/me/children/{id}. A short ttl_s ends them by itself.',
        details: { max_children: MOST_CHILDREN },
      },
    )
}

function scopeOfChild({ scope = 'own' }: NewChild, parent: KeyRow): Scope {
  if (scope === 'own' || parent.scope === 'account') return scope
  throw new AppError('invalid_params', 'A child key cannot see more than its parent.', {
    param: 'scope',
    fix: 'Send "own", or omit the field.',
  })
}
