/** Purchases whose process ended before their call did: their idempotency keys stand for that, so that the same request does not buy again. */
import type { Entry } from '../../catalog/index.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { AnswersOfExpired } from '../../ledger/ledger.ts'
import type { Id } from '../../lib/ids.ts'
import { storedFailure } from '../idempotency/answers.ts'

/**
 * Of calls that a merchant was sent a payment for, as `run.ts` stores it where the process lives. A step of a composite
 * leaves its call's key free; so does a call that was bought from us, whose buyer gets another try.
 */
export function answersOfLostPurchases(database: Database): AnswersOfExpired {
  return async (ids) => {
    await unsignIntended(database, ids)
    const { rows } = await database.query<{ call_id: Id }>(
      `select distinct call_id from payments join open_calls as calls on calls.id = call_id and calls.service = payments.service and calls.action = payments.action
       join accounts on accounts.id = account_id
       where call_id = any($1::uuid[]) and payments.status in ('signed', 'unknown', 'paid') and not is_house`,
      [ids],
    )
    const failure = storedFailure(
      new AppError(
        'payment_unknown',
        'The gateway stopped after it had sent a payment for this call. The operator of this gateway looks into it. Nothing was charged.',
      ),
    )
    return new Map(rows.map(({ call_id: id }) => [id, failure]))
  }
}

/**
 * A process that was frozen, not dead, may wake up with a payment written down and not yet signed. Signing it needs the
 * status "intended", so from here on it cannot be sent, and the key may be freed. Steps of jobs belong to the job's worker.
 */
async function unsignIntended(database: Database, ids: readonly Id[]): Promise<void> {
  await database.query(
    `with ended as (
       update payments set status = 'unsigned', reason = 'The process of the call ended before it signed.'
       where status = 'intended' and call_id in (select id from holds where id = any($1::uuid[]) and kind = 'call') returning mode, day, amount_micros, chosen_by_caller
     ), days as (
       select mode, day, sum(amount_micros)::bigint as amount, coalesce(sum(amount_micros) filter (where chosen_by_caller), 0)::bigint as chosen from ended group by mode, day
     )
     update payment_days set outflow_micros = outflow_micros - amount, chosen_micros = chosen_micros - chosen
     from days where payment_days.mode = days.mode and payment_days.day = days.day`,
    [ids],
  )
}

/** Whether a step of the job sent a payment for this action without a receipt, or may still send one: its worker may only be frozen. It is not paid a second time. */
export async function isPaymentInDoubt(
  database: Database,
  jobId: Id,
  { service, name }: Pick<Entry, 'service' | 'name'>,
): Promise<boolean> {
  const { rows } = await database.query(
    "select 1 from payments where call_id = $1 and service = $2 and action = $3 and status in ('intended', 'signed', 'unknown') limit 1",
    [jobId, service.id, name],
  )
  return rows.length > 0
}
