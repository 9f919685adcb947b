import type { Transaction } from '../db/database.ts'
import { hashSecret, newSecret, shownPrefix } from './format.ts'
import type { KeyRow } from './key-row.ts'

export type SecretTimes = {
  /** When the former secret stops working; null: immediately. */
  readonly formerUntilMs: number | null
  /** When the new secret stops working; null: with the key. */
  readonly untilMs: number | null
}

type Replacement = SecretTimes & {
  /** A random one by default. */
  readonly secret?: string
}

/** Replaces the secret of a locked key, and returns the new one. */
export async function replaceSecret(
  tx: Transaction,
  row: Pick<KeyRow, 'id' | 'mode' | 'secret_hash'>,
  { formerUntilMs, untilMs, secret = newSecret(row.mode) }: Replacement,
): Promise<string> {
  await tx.query(
    'update keys set secret_hash = $2, key_prefix = $3, former_secret_hash = $4, former_secret_until = $5, secret_until = $6 where id = $1',
    [
      row.id,
      Buffer.from(hashSecret(secret), 'hex'),
      shownPrefix(secret),
      formerUntilMs === null ? null : row.secret_hash,
      formerUntilMs === null ? null : new Date(formerUntilMs),
      untilMs === null ? null : new Date(untilMs),
    ],
  )
  return secret
}
