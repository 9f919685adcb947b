import type { Transaction } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'

export type NewPassword = {
  readonly personId: Id
  readonly passwordHash: string
  readonly nowMs: number
}

/** Replaces the person's password. */
export async function storePassword(
  tx: Transaction,
  { personId, passwordHash, nowMs }: NewPassword,
): Promise<void> {
  await tx.query(
    'insert into person_passwords (person_id, password_hash, changed_at) values ($1, $2, $3) on conflict (person_id) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at',
    [personId, passwordHash, new Date(nowMs)],
  )
}
