import type { Transaction } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { parsePublicId, type Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import { announceChange, treeOf } from './announce.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { requireOwnKey } from '../lib/permissions.ts'
import { findKeyRow, lockKey, type KeyRow } from './key-row.ts'

/** Throws AppError key_cannot_mint_keys unless the actor may create and change keys. */
export function requirePrimary(actor: Actor): void {
  if (!actor.primary) throw new AppError('key_cannot_mint_keys')
}

/** Whether the actor sees the people and the audit log of the account: a person, or the live primary key. */
export function seesPeople({ primary, mode, member }: Actor): boolean {
  return primary && (mode === 'live' || member !== undefined)
}

/**
 * Changes one key in one transaction: checks permission, locks, runs `work` and notifies every
 * process. Throws AppError key_cannot_mint_keys, role_not_allowed, or unknown_key for a missing key and for a key of
 * another account.
 */
export async function changeKey(
  deps: KeyDeps,
  actor: Actor,
  id: string,
  work: (tx: Transaction, row: KeyRow) => Promise<void>,
  alongside?: (tx: Transaction, changed: KeyRecord) => Promise<void>,
): Promise<KeyRecord> {
  requirePrimary(actor)
  const keyId = parsePublicId('key', id)
  if (keyId === null) throw new AppError('unknown_key')
  const { record, changes } = await deps.database.transaction(async (tx) => {
    await lockKey(tx, keyId)
    const before = await findKeyRow(tx, actor, keyId)
    if (before === null) throw new AppError('unknown_key')
    requireOwnKey(actor, before)
    await work(tx, before)
    const changed = await findKeyRow(tx, actor, keyId)
    invariant(changed !== null, 'changing a key does not remove it')
    const named = [...secretHashes(before, changed), treeOf(keyId)]
    await announceChange(tx, named)
    const after = keyRecord(changed, deps.now())
    await alongside?.(tx, after)
    return { record: after, changes: named }
  })
  deps.forget(changes)
  return record
}

/**
 * Keeps the calling key (for the operator: the account's primary key) from being revoked until the
 * transaction ends. Throws AppError invalid_token when the key was revoked since it was looked up,
 * and bad_request when the account is closed.
 */
export async function requireInUse(
  tx: Transaction,
  { keyId, accountId, mode }: Actor,
): Promise<void> {
  const id = keyId ?? (await primaryKeyOf(tx, accountId, mode))
  await lockKey(tx, id)
  const { rows } = await tx.query("select from budgets where id = $1 and state <> 'closed'", [id])
  if (rows.length > 0) return
  throw keyId === undefined
    ? new AppError('bad_request', 'This account is closed.', {
        fix: 'Create a new account. A closed account cannot be reopened.',
      })
    : new AppError('invalid_token', 'This key was revoked.')
}

async function primaryKeyOf(tx: Transaction, accountId: Id, mode: Mode): Promise<Id> {
  const { rows } = await tx.query<{ id: Id }>(
    'select id from keys where account_id = $1 and mode = $2 and is_primary',
    [accountId, mode],
  )
  invariant(rows[0] !== undefined, 'an account has a primary key of each mode')
  return rows[0].id
}

/**
 * Throws AppError key_revoked. A revoked key cannot be changed; revoking it again has no effect.
 */
export function requireUsable(row: KeyRow): void {
  if (row.state === 'closed') throw new AppError('key_revoked')
}

function secretHashes(...rows: readonly KeyRow[]): string[] {
  const hashes = rows.flatMap(({ secret_hash, former_secret_hash }) => [
    secret_hash,
    former_secret_hash,
  ])
  return [...new Set(hashes.flatMap((hash) => (hash === null ? [] : [hash.toString('hex')])))]
}
