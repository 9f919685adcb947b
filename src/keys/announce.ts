import type { Transaction } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'

/**
 * The channel of key changes. A message contains the hashes of the secrets that changed, and
 * `treeOf(id)` for each key whose child keys may be affected.
 */
export const KEY_CHANNEL = 'tollgate_keys'

/**
 * Notifies every process when the transaction commits. PostgreSQL delivers it right after the
 * commit.
 */
export async function announceChange(tx: Transaction, changes: readonly string[]): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [KEY_CHANNEL, changes.join()])
}

const TREE = 'tree/'

/** Stands for a key and all keys below it in a list of changes. */
export function treeOf(keyId: Id): string {
  return `${TREE}${keyId}`
}

/** The key of a tree; null for a hash. */
export function keyOfTree(change: string): Id | null {
  return change.startsWith(TREE) ? change.slice(TREE.length) : null
}

export function announcedChanges(payload: string): readonly string[] {
  return payload.split(',')
}
