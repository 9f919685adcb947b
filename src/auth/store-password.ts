import type { Transaction } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'

export type NewPassword = {
  readonly accountId: Id
  readonly passwordHash: string
  readonly nowMs: number
}

/** Replaces the account's password. */
export async function storePassword(
  tx: Transaction,
  { accountId, passwordHash, nowMs }: NewPassword,
): Promise<void> {
  await tx.query(
    'insert into account_passwords (account_id, password_hash, changed_at) values ($1, $2, $3) on conflict (account_id) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at',
    [accountId, passwordHash, new Date(nowMs)],
  )
}
