import type { Database } from '../db/database.ts'
import { invariant } from '../errors/app-error.ts'
import type { Mode } from '../lib/mode.ts'
import { postCredit } from '../ledger/credit.ts'
import { newId, publicId, type Id } from '../lib/ids.ts'
import type { Clock } from '../lib/clock.ts'
import { toCentsRoundedDown, type Micros } from '../lib/money.ts'
import type { Granted } from './grant-credit.ts'
import { walletOf } from './wallet-of.ts'

export type Taking = { readonly accountId: Id; readonly mode: Mode; readonly amount: Micros; readonly reference?: string }

/** Takes credit that is free back, such as what was paid back elsewhere. Throws AppError credits_required when there is not that much. */
export async function takeCredit({ database, now }: { database: Database; now: Clock }, { accountId, mode, amount, reference }: Taking): Promise<Granted> {
  const nowMs = now()
  const id = newId(nowMs)
  const walletId = await walletOf(database, accountId, mode)
  const balance = await postCredit(database, { id, walletId, kind: 'adjustment', amount: -amount, nowMs, ...(reference === undefined ? {} : { reference }) })
  invariant(balance !== null, 'a new id was not posted before')
  return { transaction_id: publicId('transaction', id), balance_cents: toCentsRoundedDown(balance), balance_micros: Number(balance) }
}
