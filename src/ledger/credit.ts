import type { Database, Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import { minMicros, type Micros } from '../lib/money.ts'

/** Where credit comes from, and the house's book that stands against it. */
const BOOKS = {
  grant: 'grants',
  topup: 'payments',
  refund: 'revenue',
  adjustment: 'adjustments',
} as const

export type CreditRequest = {
  /** A version 7 UUID. Posting the same id again changes nothing. */
  readonly id: Id
  readonly walletId: number
  readonly kind: keyof typeof BOOKS
  /** Below zero only for an adjustment, which may take free credit away but nothing that is held. */
  readonly amount: Micros
  readonly nowMs: number
  /** Grants alone may expire; they are spent before bought credit. */
  readonly expiresAt?: Date
  /** The operator's own reference, such as a payment id. */
  readonly reference?: string
}

/** Posts credit; returns the balance after it, or null when this id was posted before. */
export async function postCredit(
  database: Database | Transaction,
  request: CreditRequest,
): Promise<Micros | null> {
  const { id, walletId, kind, amount, nowMs, expiresAt, reference } = request
  if (amount === 0n) throw new AppError('invalid_params', 'The amount is zero.', { param: 'cents' })
  if (amount < 0n && kind !== 'adjustment')
    throw new AppError(
      'invalid_params',
      `A ${kind} adds credit; only an adjustment takes some away.`,
      { param: 'cents' },
    )
  if (expiresAt !== undefined && kind !== 'grant')
    throw new AppError('invalid_params', 'Only a grant may expire.', { param: 'expires' })
  try {
    const { rows } = await database.query<{ after: bigint | null }>(
      'select ledger_credit($1, $2, $3, $4, $5, $6, $7, $8) as after',
      [nowMs, id, walletId, kind, BOOKS[kind], amount, expiresAt ?? null, reference ?? null],
    )
    return rows[0]?.after ?? null
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'wallets_cover_holds') {
      throw new AppError('credits_required', 'The wallet does not have that much free credit.', {
        fix: 'Take less: what calls and jobs in progress hold stays until they end.',
        cause: error,
      })
    }
    throw error
  }
}

export type TakeRequest = Pick<CreditRequest, 'id' | 'walletId' | 'nowMs' | 'reference'> & {
  readonly most: Micros
}

/** Takes away what is free, `most` at most, as an adjustment in the caller's transaction. Returns what was taken. */
export async function takeFreeCredit(
  tx: Transaction,
  { most, ...request }: TakeRequest,
): Promise<Micros> {
  const { walletId, nowMs } = request
  // It locks the wallet, so that what is free stays free until it is taken.
  await tx.query('select ledger_expire_lots($1, $2)', [walletId, nowMs])
  const { rows } = await tx.query<{ free: bigint }>(
    'select balance_micros - held_micros as free from wallets where id = $1',
    [walletId],
  )
  const taken = minMicros(most, rows[0]?.free ?? 0n)
  if (taken > 0n) await postCredit(tx, { ...request, kind: 'adjustment', amount: -taken })
  return taken
}
