import type { Entry } from '../../catalog/index.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { toStoredFailure } from '../../errors/stored-failure.ts'
import type { AnswersOfExpired } from '../../ledger/sweep.ts'
import type { Id } from '../../lib/ids.ts'

/**
 * The answers of calls whose process died after it sent a payment, so that the same request does not pay
 * again. Two kinds of calls keep their key free: a step of a multi-source action, and a call that its
 * buyer paid for without an account, who may try again.
 */
export function findLostPurchases(database: Database): AnswersOfExpired {
  return async (ids) => {
    await unsignIntended(database, ids)
    const { rows } = await database.query<{ call_id: Id }>(
      `select distinct call_id from payments join open_calls as calls on calls.id = call_id and calls.service = payments.service and calls.action = payments.action
       join accounts on accounts.id = account_id
       where call_id = any($1::uuid[]) and payments.status in ('signed', 'unknown', 'paid') and not is_house`,
      [ids],
    )
    const failure = toStoredFailure(
      new AppError(
        'payment_unknown',
        'The gateway stopped after it had sent a payment for this call. The operator of this gateway will check it. Nothing was charged.',
      ),
    )
    return new Map(rows.map(({ call_id: id }) => [id, failure]))
  }
}

/**
 * Ends payments that a frozen process stored and has not signed. Signing needs the status "intended", so the
 * payment can no longer be sent and the key may be freed. Steps of jobs belong to the job's worker.
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

/** Whether a step of the job sent a payment without a receipt, or may still send one because its worker is frozen. The job does not pay a second time. */
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
