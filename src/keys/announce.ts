import type { Transaction } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'

/**
 * The channel of key changes. A message contains the hashes of the secrets that changed, and
 * `treeOf(id)` for each key whose child keys may be affected.
 */
export const KEY_CHANNEL = 'tollgate_keys'

// A PostgreSQL notification has at most 8000 bytes, and a hash takes 65 of them.
const CHANGES_PER_MESSAGE = 100

/**
 * Notifies every process of any number of changes when the transaction commits. PostgreSQL delivers
 * it right after the commit.
 */
export async function announceChange(tx: Transaction, changes: readonly string[]): Promise<void> {
  for (let start = 0; start < changes.length; start += CHANGES_PER_MESSAGE)
    await tx.query('select pg_notify($1, $2)', [
      KEY_CHANNEL,
      changes.slice(start, start + CHANGES_PER_MESSAGE).join(),
    ])
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
