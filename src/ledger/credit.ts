import type { Database, Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import { minMicros, type Micros } from '../lib/money.ts'

/** The sources of credit: the kind of their transaction, and the house's book of each. */
const SOURCES = {
  grant: { kind: 'grant', book: 'grants' },
  topup: { kind: 'topup', book: 'payments' },
  refund: { kind: 'refund', book: 'revenue' },
  /** A payment that was returned to its card, so the credit is taken; positive when a dispute is won. */
  card_refund: { kind: 'refund', book: 'payments' },
  adjustment: { kind: 'adjustment', book: 'adjustments' },
} as const

/** Sources whose amount may be negative: they take credit that is not held. */
const MAY_TAKE: readonly CreditRequest['kind'][] = ['adjustment', 'card_refund']

export type CreditRequest = {
  /** A version 7 UUID. Posting the same id again changes nothing. */
  readonly id: Id
  readonly walletId: number
  readonly kind: keyof typeof SOURCES
  /** Negative only for an adjustment or a card refund, which take credit that is not held. */
  readonly amount: Micros
  readonly nowMs: number
  /** Only for grants, which are spent before bought credit. */
  readonly expiresAt?: Date
  /** The operator's reference, such as a payment id. */
  readonly reference?: string
}

/** Posts credit. Returns the new balance, or null when this id was posted before. */
export async function postCredit(
  database: Database | Transaction,
  request: CreditRequest,
): Promise<Micros | null> {
  const { id, walletId, kind, amount, nowMs, expiresAt, reference } = request
  if (amount === 0n) throw new AppError('invalid_params', 'The amount is zero.', { param: 'cents' })
  if (amount < 0n && !MAY_TAKE.includes(kind))
    throw new AppError(
      'invalid_params',
      `The amount of a ${kind} cannot be negative. To take credit, use an adjustment.`,
      { param: 'cents' },
    )
  if (expiresAt !== undefined && kind !== 'grant')
    throw new AppError('invalid_params', 'Only a grant can expire.', { param: 'expires' })
  try {
    const { rows } = await database.query<{ after: bigint | null }>(
      'select ledger_credit($1, $2, $3, $4, $5, $6, $7, $8) as after',
      [
        nowMs,
        id,
        walletId,
        SOURCES[kind].kind,
        SOURCES[kind].book,
        amount,
        expiresAt ?? null,
        reference ?? null,
      ],
    )
    return rows[0]?.after ?? null
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'wallets_cover_holds') {
      throw new AppError('credits_required', 'The wallet has less free credit than this amount.', {
        fix: 'Take less, or wait: calls and jobs in progress hold the rest of the balance.',
        cause: error,
      })
    }
    throw error
  }
}

export type TakeRequest = Pick<CreditRequest, 'id' | 'walletId' | 'nowMs' | 'reference'> & {
  readonly kind: 'adjustment' | 'card_refund'

  readonly most: Micros
}

/**
 * Takes credit that is not held, up to `most`, in the caller's transaction.
 * Returns the amount.
 */
export async function takeFreeCredit(
  tx: Transaction,
  { most, ...request }: TakeRequest,
): Promise<Micros> {
  const { walletId, nowMs } = request
  // It locks the wallet, so the free credit cannot change before it is taken.
  await tx.query('select ledger_expire_lots($1, $2)', [walletId, nowMs])
  const { rows } = await tx.query<{ free: bigint }>(
    'select balance_micros - held_micros as free from wallets where id = $1',
    [walletId],
  )
  const taken = minMicros(most, rows[0]?.free ?? 0n)
  if (taken > 0n) await postCredit(tx, { ...request, amount: -taken })
  return taken
}
