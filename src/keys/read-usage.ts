import { AppError } from '../errors/app-error.ts'
import type { Period } from '../ledger/windows.ts'
import type { Micros } from '../lib/money.ts'
import { onlyMaker } from '../lib/owner.ts'
import type { Caller } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { currentWindow } from './key-record.ts'
import { findKeyRow } from './key-row.ts'

/** Charges in the current UTC day, week and month, and since the key's creation. */
export type KeyUsage = Readonly<Record<Period, Micros>>

/** The charges of the calling key and the keys below it. Throws AppError unknown_key. */
export async function readUsage(
  { database, now }: Pick<KeyDeps, 'database' | 'now'>,
  caller: Caller,
): Promise<KeyUsage> {
  const row = await findKeyRow(database, caller, caller.keyId)
  if (row === null) throw new AppError('unknown_key')
  const nowMs = now()
  const spent = (period: Period) => currentWindow(row, period, nowMs).spent
  return {
    day: spent('day'),
    week: spent('week'),
    month: spent('month'),
    total: spent('total'),
  }
}

/** The charges of the account in the caller's mode since its creation. A key of scope "own" reads only its own. */
export async function readTotalUsage(
  deps: Pick<KeyDeps, 'database' | 'now'>,
  caller: Caller,
): Promise<Micros> {
  if (onlyMaker(caller) !== null) return (await readUsage(deps, caller)).total
  const { rows } = await deps.database.query<{ spent: Micros }>(
    'select spent_micros as spent from wallets where id = $1',
    [caller.walletId],
  )
  return rows[0]?.spent ?? 0n
}
