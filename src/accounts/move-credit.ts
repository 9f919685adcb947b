import type { Database } from '../db/database.ts'
import { invariant } from '../errors/app-error.ts'
import { postCredit, type CreditRequest } from '../ledger/credit.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, publicId, type Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import { toCentsRoundedDown } from '../lib/money.ts'
import { walletOf } from './wallet-of.ts'

export type Movement = Omit<CreditRequest, 'id' | 'walletId' | 'nowMs'> & { readonly accountId: Id; readonly mode: Mode }

/** The transaction, and the balance after it. */
export type Moved = { readonly transaction_id: string; readonly balance_cents: number; readonly balance_micros: number }

/** Posts credit to an account's wallet, or takes some away. Throws what `postCredit` throws. */
export async function moveCredit({ database, now }: { database: Database; now: Clock }, { accountId, mode, ...movement }: Movement): Promise<Moved> {
  const walletId = await walletOf(database, accountId, mode)
  const nowMs = now()
  const id = newId(nowMs)
  const balance = await postCredit(database, { ...movement, id, walletId, nowMs })
  invariant(balance !== null, 'a new id was not posted before')
  return { transaction_id: publicId('transaction', id), balance_cents: toCentsRoundedDown(balance), balance_micros: Number(balance) }
}
