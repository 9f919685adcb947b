import type { Database, Transaction } from '../db/database.ts'
import { recordChange } from '../db/record-change.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { postCredit, type CreditRequest } from '../ledger/credit.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, publicId, type Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import { formatDollars, toCentsRoundedDown, type Micros } from '../lib/money.ts'
import { walletOf } from './wallet-of.ts'

export type Movement = Omit<CreditRequest, 'id' | 'walletId' | 'nowMs'> & {
  readonly accountId: Id
  readonly mode: Mode
}

/** The transaction and the balance after it. `repeated`: the reference was already posted, and nothing moved now. */
export type Moved = {
  readonly transaction_id: string
  readonly balance_cents: number
  readonly balance_micros: number
  readonly repeated: boolean
}

/**
 * Adds credit to an account's wallet or takes it. With a reference this happens once, so a caller who
 * does not know the outcome can repeat it. Throws AppError bad_request when the reference belongs to
 * a different amount, and what `postCredit` throws.
 */
export async function moveCredit(
  { database, now }: { database: Database; now: Clock },
  { accountId, mode, ...movement }: Movement,
): Promise<Moved> {
  const walletId = await walletOf(database, accountId, mode)
  return database.transaction(async (tx) => {
    // Locked, so that of two concurrent requests the second finds the first.
    const { rows } = await tx.query<{ balance: Micros }>(
      'select balance_micros as balance from wallets where id = $1 for update',
      [walletId],
    )
    const before = await postedBefore(tx, walletId, movement)
    if (before !== null) return moved(before, rows[0]?.balance ?? 0n, true)
    const nowMs = now()
    const id = newId(nowMs)
    const balance = await postCredit(tx, { ...movement, id, walletId, nowMs })
    invariant(balance !== null, 'a new id was not posted before')
    // The books show the movement, and the audit log its author.
    await recordChange(tx, {
      accountId,
      subject: 'credit',
      subjectId: publicId('transaction', id),
      what: 'changed',
      fields: { kind: [null, movement.kind], amount_micros: [null, Number(movement.amount)] },
    })
    return moved(id, balance, false)
  })
}

async function postedBefore(
  tx: Transaction,
  walletId: number,
  { kind, reference, amount }: Pick<CreditRequest, 'kind' | 'reference' | 'amount'>,
): Promise<Id | null> {
  if (reference === undefined) return null
  const { rows } = await tx.query<{ id: Id; amount: Micros }>(
    'select id, amount_micros as amount from transactions where wallet_id = $1 and kind = $2 and external_id = $3 order by id limit 1',
    [walletId, kind, reference],
  )
  const [posted] = rows
  if (posted === undefined) return null
  if (posted.amount !== amount) {
    throw new AppError(
      'bad_request',
      `The reference "${reference}" was already used to move ${formatDollars(posted.amount)} in ${publicId('transaction', posted.id)}.`,
      {
        fix: 'Use a different reference. Each reference moves credit once.',
      },
    )
  }
  return posted.id
}

function moved(id: Id, balance: Micros, repeated: boolean): Moved {
  return {
    transaction_id: publicId('transaction', id),
    balance_cents: toCentsRoundedDown(balance),
    balance_micros: Number(balance),
    repeated,
  }
}
