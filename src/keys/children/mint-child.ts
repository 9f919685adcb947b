import type { Transaction } from '../../db/database.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Scope } from '../../lib/owner.ts'
import type { Caller } from '../caller.ts'
import { insertKey, requireKeyQuota, type Grant } from '../create-key.ts'
import { newSecret } from '../format.ts'
import type { KeyDeps } from '../key-deps.ts'
import { keyRecord, type Alongside, type KeyWithSecret } from '../key-record.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, type KeyRow } from '../key-row.ts'
import { checkPolicy, expiryOf } from '../policy/policy-input.ts'
import type { NewChild } from './child-input.ts'

/** The most keys above a key. */
export const MOST_LEVELS = 3
/** The parent of a new key. */
export type Minter = Pick<Caller, 'accountId' | 'mode' | 'keyId' | 'ancestorIds'>

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
    // Concurrent creations for the same account wait here, so that each counts the others' keys.
    await tx.query('select from accounts where id = $1 for no key update', [caller.accountId])
    const path = await lockPath(tx, [...caller.ancestorIds, caller.keyId])
    const parent = requireMinter(path, nowMs)
    await requireKeyQuota(tx, caller.accountId, nowMs)
    await requireChildQuota(tx, parent.id, nowMs)
    const soonest = path.reduce<number | null>(
      (least, { expires_ms: ms }) => sooner(least, ms === null ? null : Number(ms)),
      expiresMs,
    )
    const id = await insertKey(tx, {
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
    })
    const { rows } = await tx.query<KeyRow>(
      `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where keys.id = $1`,
      [id],
    )
    invariant(rows[0] !== undefined, 'a new key exists')
    const made = { ...keyRecord(rows[0], nowMs), key: secret }
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

/**
 * The keys of a path, the topmost first. Revoking one of them waits until the transaction ends. A
 * separate statement reads them, because one that locks returns the rows from before the wait.
 */
async function lockPath(tx: Transaction, ids: readonly Id[]): Promise<readonly KeyRow[]> {
  await tx.query('select from keys where id = any($1) order by id for share', [ids])
  const { rows } = await tx.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where keys.id = any($1) order by cardinality(ancestors)`,
    [ids],
  )
  return rows
}

function requireMinter(path: readonly KeyRow[], nowMs: number): KeyRow {
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

async function requireChildQuota(tx: Transaction, parentId: Id, nowMs: number): Promise<void> {
  const { rows } = await tx.query<{ count: bigint }>(
    `select count(*) as count from budgets where parent_id = $1 and state <> 'closed' and (expires_ms is null or expires_ms > $2)`,
    [parentId, nowMs],
  )
  if ((rows[0]?.count ?? 0n) >= MOST_CHILDREN)
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
