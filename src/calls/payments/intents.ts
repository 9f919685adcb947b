/** Payments in PostgreSQL. The statement that reserves an amount also checks the limit of the day. */
import type { Database, SqlValue } from '../../db/database.ts'
import { LOCK_NUMBER } from '../../db/lock-number.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import type { Micros } from '../../lib/money.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Intents } from '../../upstream/pay/intents.ts'

// $15 limits the day, $18 the part of it for merchants chosen by callers. $17 is this payment's share of that part.
const OPEN = `with known as (
    select 1 from payments where merchant = $6 and challenge_id = $7
  ), room as (
    insert into payment_days (mode, day, outflow_micros, chosen_micros) select $19, $12, $11, $17 where not exists (select 1 from known) and $11::bigint <= $15::bigint and $17::bigint <= $18::bigint
    on conflict (mode, day) do update set outflow_micros = payment_days.outflow_micros + excluded.outflow_micros, chosen_micros = payment_days.chosen_micros + excluded.chosen_micros
      where payment_days.outflow_micros + excluded.outflow_micros <= $15::bigint and (excluded.chosen_micros = 0 or payment_days.chosen_micros + excluded.chosen_micros <= $18::bigint)
    returning 1
  ), opened as (
    insert into payments (id, call_id, account_id, service, action, merchant, challenge_id, currency, chain_id, recipient, amount_micros, day, created_ms, deadline_ms, method, status, chosen_by_caller, mode)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $16, 'intended', $17::bigint > 0, $19 from room
    returning 1
  )
  select exists (select 1 from known) as known, exists (select 1 from opened) as opened,
    coalesce((select outflow_micros from payment_days where mode = $19 and day = $12), 0) + $11::bigint <= $15::bigint as fits_day`

async function openUnder(
  on: Pick<Database, 'query'>,
  values: readonly SqlValue[],
): Promise<'opened' | 'over_ceiling' | 'over_share' | 'repeated'> {
  const { rows } = await on.query<{ known: boolean; opened: boolean; fits_day: boolean }>(
    OPEN,
    values,
    'open_payment',
  )
  const [row] = rows
  if (row?.known === true) return 'repeated'
  if (row?.opened === true) return 'opened'
  return row?.fits_day === true ? 'over_share' : 'over_ceiling'
}

export type IntentDeps = {
  readonly database: Database
  readonly now: Clock
  /** The mode of the wallets. Test wallets have a separate limit. */
  readonly mode?: Mode
  /** The most that all wallets together pay in a day (UTC). */
  readonly dailyCeiling: Micros
  /** The most of it that goes to merchants chosen by callers. Defaults to all of it. */
  readonly chosenCeiling?: Micros
  /** The most that one account may have in unfinished payments to merchants of its choice. */
  readonly openCeiling: Micros
}

export function createIntents({
  database,
  now,
  mode = 'live',
  dailyCeiling,
  chosenCeiling = dailyCeiling,
  openCeiling,
}: IntentDeps): Intents {
  async function move(
    on: Pick<Database, 'query'>,
    text: string,
    values: readonly (string | number)[],
  ): Promise<void> {
    const { count } = await on.query(text, values)
    invariant(count === 1, 'a payment takes each of its steps once')
  }

  return {
    async open({ id, callId, accountId, service, action, offer, deadlineMs, chosenByCaller }) {
      const nowMs = now()
      const values = [
        id,
        callId,
        accountId,
        service,
        action,
        offer.realm,
        offer.challengeId,
        offer.currency,
        offer.chainId,
        offer.recipient,
        offer.amount,
        Math.floor(nowMs / DAY_MS),
        nowMs,
        deadlineMs,
        dailyCeiling,
        offer.method,
        chosenByCaller ? offer.amount : 0n,
        chosenCeiling,
        mode,
      ]
      try {
        if (!chosenByCaller) return await openUnder(database, values)
        return await database.transaction(async (tx) => {
          // One payment of an account at a time, so that the sum of open ones is exact.
          await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [
            LOCK_NUMBER.openPayments,
            accountId,
          ])
          const { rows } = await tx.query<{ open: bigint }>(
            "select coalesce(sum(amount_micros), 0)::bigint as open from payments where account_id = $1 and chosen_by_caller and mode = $2 and status in ('intended', 'signed', 'unknown')",
            [accountId, mode],
          )
          return (rows[0]?.open ?? 0n) + offer.amount > openCeiling
            ? 'too_many_open'
            : openUnder(tx, values)
        })
      } catch (error) {
        // Another process opened the same challenge at the same time. The rollback returns the reserved amount.
        if ((error as { constraint?: string }).constraint === 'payments_merchant_challenge_id_key')
          return 'repeated'
        throw error
      }
    },
    async signed(id, credentialHash, withSigning) {
      const mark = async (on: Pick<Database, 'query'>): Promise<void> => {
        const { count } = await on.query(
          "update payments set status = 'signed', credential_hash = $2 where id = $1 and status = 'intended'",
          [id, credentialHash],
        )
        // Another process released the call meanwhile and ended the intent.
        if (count === 0)
          throw new AppError(
            'overloaded',
            'This process was interrupted before it paid. Nothing was charged.',
            { retryAfterSeconds: 1 },
          )
      }
      if (withSigning === undefined) return mark(database)
      await database.transaction(async (tx) => {
        await mark(tx)
        await withSigning(tx)
      })
    },
    // A late receipt takes its payment out of the queue.
    paid: (id, { reference, details }) =>
      move(
        database,
        "update payments set status = 'paid', reference = $2, receipt = $3, finished_ms = $4 where id = $1 and status in ('signed', 'unknown')",
        [id, reference, JSON.stringify(details), now()],
      ),
    unknown: (id, reason) =>
      move(
        database,
        "update payments set status = 'unknown', reason = $2, finished_ms = $3 where id = $1 and status in ('signed', 'unknown')",
        [id, reason, now()],
      ),
    unsigned: (id, reason) =>
      move(
        database,
        `with ended as (update payments set status = 'unsigned', reason = $2, finished_ms = $3 where id = $1 and status = 'intended' returning mode, day, amount_micros, chosen_by_caller)
        update payment_days set outflow_micros = outflow_micros - amount_micros, chosen_micros = chosen_micros - case when chosen_by_caller then amount_micros else 0 end
        from ended where payment_days.mode = ended.mode and payment_days.day = ended.day`,
        [id, reason, now()],
      ),
  }
}
