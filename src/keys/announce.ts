import type { Transaction } from '../db/database.ts'

/** Every process listens here; a message names the hashes of secrets whose meaning has changed. */
export const KEY_CHANNEL = 'tollgate_keys'

/** Tells every process when, and only if, the transaction commits. PostgreSQL delivers it right after the commit. */
export async function announceChange(tx: Transaction, hashes: readonly string[]): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [KEY_CHANNEL, hashes.join()])
}

export function announcedHashes(payload: string): readonly string[] {
  return payload.split(',')
}
