import { AppError } from '../errors/app-error.ts'
import { toCentsRoundedDown } from '../lib/money.ts'
import type { Caller } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { findKeyRow } from './key-row.ts'

/**
 * The remaining spend of the key: the lesser of its limit's remainder and the available balance.
 */
export type OwnKey = KeyRecord & {
  readonly spendable_cents: number
  readonly spendable_micros: number
}

/** The calling key's own record. */
export async function describeKey(
  { database, now }: Pick<KeyDeps, 'database' | 'now'>,
  caller: Caller,
): Promise<OwnKey> {
  const row = await findKeyRow(database, caller, caller.keyId)
  if (row === null) throw new AppError('unknown_key')
  const record = keyRecord(row, now())
  const { rows } = await database.query<{ free: bigint }>(
    'select balance_micros - held_micros as free from wallets where id = $1',
    [caller.walletId],
  )
  const free = rows[0]?.free ?? 0n
  const ceilingLeaves = record.remaining_micros === null ? free : BigInt(record.remaining_micros)
  const spendable = record.status !== 'active' ? 0n : ceilingLeaves < free ? ceilingLeaves : free
  return {
    ...record,
    spendable_cents: toCentsRoundedDown(spendable),
    spendable_micros: Number(spendable),
  }
}
