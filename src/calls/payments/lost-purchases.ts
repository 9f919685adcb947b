/** Purchases whose process ended before their call did: their idempotency keys stand for that, so that the same request does not buy again. */
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { AnswersOfExpired } from '../../ledger/ledger.ts'
import type { Id } from '../../lib/ids.ts'
import { storedFailure } from '../answers.ts'
import { HOUSE_EMAIL } from '../selling/house-account.ts'

/**
 * Of calls that a merchant was sent a payment for, as `run.ts` stores it where the process lives. A step of a composite
 * leaves its call's key free; so does a call that was bought from us, whose buyer gets another try.
 */
export function answersOfLostPurchases(database: Database): AnswersOfExpired {
  return async (ids) => {
    const { rows } = await database.query<{ call_id: Id }>(
      `select distinct call_id from payments join holds on holds.id = call_id and holds.service = payments.service and holds.action = payments.action
       join accounts on accounts.id = account_id
       where call_id = any($1::uuid[]) and payments.status in ('signed', 'unknown', 'paid') and lower(email) <> $2`,
      [ids, HOUSE_EMAIL],
    )
    const failure = storedFailure(new AppError('payment_unknown', 'The gateway stopped after it had sent a payment for this call. The operator of this gateway looks into it. Nothing was charged.'))
    return new Map(rows.map(({ call_id: id }) => [id, failure]))
  }
}
