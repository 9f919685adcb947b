import type { Transaction } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { parsePublicId } from '../lib/ids.ts'
import { announceChange } from './announce.ts'
import type { Actor, KeyContext } from './context.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { findKeyRow, lockKey, type KeyRow } from './key-row.ts'

/** Throws AppError key_cannot_mint_keys unless the actor may create and change keys. */
export function requirePrimary(actor: Actor): void {
  if (!actor.primary) throw new AppError('key_cannot_mint_keys')
}

/**
 * Changes one key in one transaction: permission, lock, `work`, and the news for every process. Throws AppError
 * key_cannot_mint_keys, or unknown_key (the same for a key of somebody else and for one that does not exist).
 */
export async function changeKey(context: KeyContext, actor: Actor, id: string, work: (tx: Transaction, row: KeyRow) => Promise<void>): Promise<KeyRecord> {
  requirePrimary(actor)
  const keyId = parsePublicId('key', id)
  if (keyId === null) throw new AppError('unknown_key')
  const { after, hashes } = await context.database.transaction(async (tx) => {
    await lockKey(tx, keyId)
    const before = await findKeyRow(tx, actor, keyId)
    if (before === null) throw new AppError('unknown_key')
    await work(tx, before)
    const changed = await findKeyRow(tx, actor, keyId)
    invariant(changed !== null, 'a change of a key does not remove it')
    const named = secretHashes(before, changed)
    await announceChange(tx, named)
    return { after: changed, hashes: named }
  })
  context.forget(hashes)
  return keyRecord(after, context.now())
}

/** Keeps the calling key from being ended until the transaction is over. Throws AppError invalid_token when it was ended since it was looked up. */
export async function requireInUse(tx: Transaction, { keyId }: Actor): Promise<void> {
  if (keyId === undefined) return
  await lockKey(tx, keyId)
  const { rows } = await tx.query("select from budgets where id = $1 and state <> 'closed'", [keyId])
  if (rows.length === 0) throw new AppError('invalid_token', 'This key was revoked.')
}

/** Throws AppError key_revoked. A revoked key stays revoked; only revoking it again changes nothing. */
export function requireUsable(row: KeyRow): void {
  if (row.state === 'closed') throw new AppError('key_revoked')
}

function secretHashes(...rows: readonly KeyRow[]): string[] {
  const hashes = rows.flatMap(({ secret_hash, former_secret_hash }) => [secret_hash, former_secret_hash])
  return [...new Set(hashes.flatMap((hash) => (hash === null ? [] : [hash.toString('hex')])))]
}
