/** Payments in PostgreSQL. The ceiling of the day is decided by the statement that takes room from it. */
import type { Database, SqlValue } from '../../db/database.ts'
import { LOCK_NUMBER } from '../../db/lock-number.ts'
import { invariant } from '../../errors/app-error.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import type { Micros } from '../../lib/money.ts'
import type { Intents } from '../../upstream/pay/intents.ts'

const OPEN = `with known as (
    select 1 from payments where merchant = $6 and challenge_id = $7
  ), room as (
    insert into payment_days (day, outflow_micros) select $12, $11 where not exists (select 1 from known) and $11::bigint <= $15::bigint
    on conflict (day) do update set outflow_micros = payment_days.outflow_micros + excluded.outflow_micros
      where payment_days.outflow_micros + excluded.outflow_micros <= $15::bigint
    returning 1
  ), opened as (
    insert into payments (id, call_id, account_id, service, action, merchant, challenge_id, currency, chain_id, recipient, amount_micros, day, created_ms, deadline_ms, method, status)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $16, 'intended' from room
    returning 1
  )
  select exists (select 1 from known) as known, exists (select 1 from opened) as opened`

async function openUnder(on: Pick<Database, 'query'>, values: readonly SqlValue[]): Promise<'opened' | 'over_ceiling' | 'repeated'> {
  const { rows } = await on.query<{ known: boolean; opened: boolean }>(OPEN, values, 'open_payment')
  if (rows[0]?.known === true) return 'repeated'
  return rows[0]?.opened === true ? 'opened' : 'over_ceiling'
}

export type IntentParts = {
  readonly database: Database
  readonly now: Clock
  /** The most that all wallets together pay out in a day (UTC). */
  readonly dailyCeiling: Micros
  /** The most that one account may have in payments of open outcome to merchants of its own choice. */
  readonly openCeiling: Micros
}

export function createIntents({ database, now, dailyCeiling, openCeiling }: IntentParts): Intents {

  async function move(text: string, values: readonly (string | number)[]): Promise<void> {
    const { count } = await database.query(text, values)
    invariant(count === 1, 'a payment takes each of its steps once')
  }

  return {
    async open({ id, callId, accountId, service, action, offer, deadlineMs, fromAnybody }) {
      const nowMs = now()
      const values = [
        id, callId, accountId, service, action, offer.realm, offer.challengeId, offer.currency, offer.chainId, offer.recipient, offer.amount, Math.floor(nowMs / DAY_MS), nowMs, deadlineMs, dailyCeiling, offer.method,
      ]
      try {
        if (!fromAnybody) return await openUnder(database, values)
        return await database.transaction(async (tx) => {
          // One at a time for an account, so that what is open is counted exactly.
          await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCK_NUMBER.openPayments, accountId])
          const { rows } = await tx.query<{ open: bigint }>("select coalesce(sum(amount_micros), 0)::bigint as open from payments where account_id = $1 and service = $2 and status in ('intended', 'signed', 'unknown')", [accountId, service])
          return (rows[0]?.open ?? 0n) + offer.amount > openCeiling ? 'too_many_open' : openUnder(tx, values)
        })
      } catch (error) {
        // Another process opened the same challenge in the same moment; the room that was taken is given back with it.
        if ((error as { constraint?: string }).constraint === 'payments_merchant_challenge_id_key') return 'repeated'
        throw error
      }
    },
    signed: (id, credentialHash) => move("update payments set status = 'signed', credential_hash = $2 where id = $1 and status = 'intended'", [id, credentialHash]),
    // A receipt that comes after the sweep queued its payment takes it out of the queue again.
    paid: (id, { reference, details }) => move("update payments set status = 'paid', reference = $2, receipt = $3, finished_ms = $4 where id = $1 and status in ('signed', 'unknown')", [id, reference, JSON.stringify(details), now()]),
    unknown: (id, reason) => move("update payments set status = 'unknown', reason = $2, finished_ms = $3 where id = $1 and status in ('signed', 'unknown')", [id, reason, now()]),
    unsigned: (id, reason) =>
      move(
        `with ended as (update payments set status = 'unsigned', reason = $2, finished_ms = $3 where id = $1 and status = 'intended' returning day, amount_micros)
        update payment_days set outflow_micros = outflow_micros - amount_micros from ended where payment_days.day = ended.day`,
        [id, reason, now()],
      ),
  }
}
