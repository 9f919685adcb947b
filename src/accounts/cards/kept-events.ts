/** Card events that are not booked: reversals that wait for their payment, and events for the operator. */
import type { Database, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { DAY_MS, toRfc3339 } from '../../lib/clock.ts'
import type { CardReversal, FailedRefund, UnreadCardEvent } from './card-notices.ts'

type Reversal = CardReversal | FailedRefund

/** The card processor repeats events for three days. */
const WAITS_FOR_PAYMENT_MS = 7 * DAY_MS
const KEPT_MS = 90 * DAY_MS
const MOST_LISTED = 100

/** Stores an event for the operator. Returns false if it is not about money of this gateway, or was stored before. */
export async function keepUnread(
  database: Database,
  { id, type, account, intent, session, amount, currency }: UnreadCardEvent,
  nowMs: number,
): Promise<boolean> {
  const { count } = await database.query(
    `insert into kept_card_events (id, type, account, intent, amount, currency, is_ours, kept_ms)
     select $1, $2, $3, $4, $5, $6, true, $8
     where $3::text is not null or exists (select from card_payments where intent = $4)
       or exists (select from checkouts where session = $7)
     on conflict do nothing`,
    [id, type, account, intent, amount, currency, session, nowMs],
  )
  return count === 1
}

/** Stores a reversal that arrived before its payment. */
export async function keepReversal(
  tx: Transaction,
  reversal: Reversal,
  nowMs: number,
): Promise<void> {
  const { kind, reference, intent, cents, atSeconds, isOurs } = reversal
  await tx.query(
    `insert into kept_card_events (id, type, intent, amount, currency, reversal, is_ours, kept_ms)
     values ($1, $2, $3, $4, 'usd', $5, $6, $7) on conflict do nothing`,
    [
      `${reference} ${atSeconds} ${cents}`,
      kind,
      intent,
      cents,
      JSON.stringify(reversal),
      isOurs,
      nowMs,
    ],
  )
}

/** Removes and returns the reversals that waited for a payment. */
export async function takeReversals(tx: Transaction, intent: string): Promise<readonly Reversal[]> {
  const { rows } = await tx.query<{ reversal: Reversal }>(
    'delete from kept_card_events where intent = $1 and reversal is not null returning reversal',
    [intent],
  )
  return rows.map(({ reversal }) => reversal)
}

export type KeptCardEvent = {
  readonly id: string
  readonly type: string
  readonly account: string | null
  readonly intent: string | null
  readonly amount: number | null
  readonly currency: string | null
  readonly received_at: string
}

/** The events that wait for the operator, newest first. */
export async function listKeptEvents(database: Database): Promise<readonly KeptCardEvent[]> {
  const { rows } = await database.query<
    Omit<KeptCardEvent, 'amount' | 'received_at'> & { amount: bigint | null; kept_ms: bigint }
  >(
    `select id, type, account, intent, amount, currency, kept_ms from kept_card_events
     where is_ours order by kept_ms desc, id limit ${MOST_LISTED}`,
  )
  return rows.map(({ amount, kept_ms: keptMs, ...rest }) => ({
    ...rest,
    amount: amount === null ? null : Number(amount),
    received_at: toRfc3339(Number(keptMs)),
  }))
}

/** Removes an event that the operator has dealt with. Throws AppError not_found. */
export async function dismissKeptEvent(database: Database, id: string): Promise<void> {
  const { count } = await database.query('delete from kept_card_events where id = $1 and is_ours', [
    id,
  ])
  if (count === 0)
    throw new AppError('not_found', 'There is no such card event.', {
      fix: 'List the events with ./tollgate payments card-events.',
    })
}

/** Deletes reversals of other businesses, which never get a payment here, and old events. */
export async function forgetKeptEvents(database: Database, nowMs: number): Promise<void> {
  await database.query(
    'delete from kept_card_events where kept_ms < $1 or (not is_ours and kept_ms < $2)',
    [nowMs - KEPT_MS, nowMs - WAITS_FOR_PAYMENT_MS],
  )
}
