import type { Transaction } from '../db/database.ts'

/** The channel of key changes. A message contains the hashes of the secrets that changed. */
export const KEY_CHANNEL = 'tollgate_keys'

/**
 * Notifies every process when the transaction commits. PostgreSQL delivers it right after the
 * commit.
 */
export async function announceChange(tx: Transaction, hashes: readonly string[]): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [KEY_CHANNEL, hashes.join()])
}

export function announcedHashes(payload: string): readonly string[] {
  return payload.split(',')
}
