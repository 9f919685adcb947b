import type { Database } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { postCredit } from '../ledger/credit.ts'
import { newId, publicId, type Id } from '../lib/ids.ts'
import type { Clock } from '../lib/clock.ts'
import type { Mode } from '../lib/mode.ts'
import { toCentsRoundedDown, type Micros } from '../lib/money.ts'
import { walletOf } from './wallet-of.ts'

export type Grant = {
  readonly accountId: Id
  readonly mode: Mode
  readonly amount: Micros
  /** Left out: the credit does not expire. */
  readonly expiresAt?: Date
  readonly reference?: string
}

export type Granted = { readonly transaction_id: string; readonly balance_cents: number; readonly balance_micros: number }

/** Gives an account credit. Throws AppError invalid_params when it would be over before it began. */
export async function grantCredit({ database, now }: { database: Database; now: Clock }, grant: Grant): Promise<Granted> {
  const { accountId, mode, amount, expiresAt, reference } = grant
  const nowMs = now()
  if (expiresAt !== undefined && expiresAt.getTime() <= nowMs) throw new AppError('invalid_params', 'The credit would expire before it is given.', { param: 'expires' })
  const walletId = await walletOf(database, accountId, mode)
  const id = newId(nowMs)
  const balance = await postCredit(database, {
    id, walletId, kind: 'grant', amount, nowMs,
    ...(expiresAt === undefined ? {} : { expiresAt }), ...(reference === undefined ? {} : { reference }),
  })
  invariant(balance !== null, 'a new id was not posted before')
  return { transaction_id: publicId('transaction', id), balance_cents: toCentsRoundedDown(balance), balance_micros: Number(balance) }
}
