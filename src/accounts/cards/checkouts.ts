/**
 * Checkouts that the gateway opened, until their payment has arrived. The webhook of the card processor
 * adds the credit. The payment page and a sweep ask the processor when the webhook is late; all of them
 * use `creditCardPayment`, which adds a payment once.
 */
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../keys/caller.ts'
import { HOUR_MS, type Clock } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import { wholeCents } from '../../lib/money.ts'
import { creditCardPayment, type CardDesk, type CheckoutState } from '../card-desk.ts'
import { saveCard } from './saved-card.ts'

export type CheckoutDeps = {
  readonly database: Database
  readonly now: Clock
  readonly cards: Pick<CardDesk, 'open' | 'find' | 'packs' | 'range' | 'reportClosed'>
}

export type Purchase = {
  readonly cents: number
  readonly savesCard: boolean
  /** The page after a payment; `{CHECKOUT_SESSION_ID}` stands for the checkout. */
  readonly successUrl: string
  readonly cancelUrl: string
}

/** The processor reports most payments within seconds, so the first question comes after these. */
const FIRST_ASK_MS = 60_000
/** The waits between the questions of the sweep; the last one repeats. Only the processor decides that a checkout has expired: a bank transfer takes days. */
const ASK_AFTER_MS = [5 * 60_000, HOUR_MS / 2, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS]
/** A visitor who waits causes one question in this time. */
const PAGE_ASKS_EVERY_MS = 4_000
const KEPT_MS = 30 * 24 * HOUR_MS
const MOST_AT_ONCE = 20

/** Opens a checkout in which the caller's account buys credit. Throws AppError, such as invalid_params for an amount outside the range. */
export async function buyCredit(
  { database, now, cards }: CheckoutDeps,
  { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>,
  purchase: Purchase,
): Promise<string> {
  if (mode === 'test')
    throw new AppError('bad_request', 'Test credit cannot be bought.', {
      fix: 'Sign in with a live key.',
    })
  requireAmount(cards, purchase.cents)
  const { session, url } = await cards.open({
    account: publicId('account', accountId),
    ...purchase,
  })
  const nowMs = now()
  await database.query(
    'insert into checkouts (session, account_id, amount_micros, saves_card, created_ms, ask_ms) values ($1, $2, $3, $4, $5, $6) on conflict do nothing',
    [
      session,
      accountId,
      wholeCents(purchase.cents),
      purchase.savesCard,
      nowMs,
      nowMs + FIRST_ASK_MS,
    ],
  )
  return url
}

/** Packs are always for sale, and other amounts within the range. */
function requireAmount(
  { packs, range: [least, most] }: CheckoutDeps['cards'],
  cents: number,
): void {
  if (packs.includes(cents)) return
  if (!Number.isSafeInteger(cents) || cents < least || cents > most)
    throw new AppError('invalid_params', 'This amount cannot be bought.', {
      param: 'amount',
      fix: `Enter an amount from $${dollars(least)} to $${dollars(most)}.`,
    })
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2)
}

export type Checkout = {
  readonly session: string
  readonly status: 'open' | 'credited' | 'done' | 'expired'
  readonly amountMicros: number
  readonly createdMs: number
  /** The transaction of its credit, which is also its receipt; null until the payment has arrived. */
  readonly receipt: string | null
  readonly creditedMs: number | null
}

/** A checkout of the account. Throws AppError not_found, also for those of other accounts. */
export async function findCheckout(
  database: Database,
  accountId: Id,
  session: string,
): Promise<Checkout> {
  const { rows } = await database.query<{
    status: Checkout['status']
    amount: bigint
    created: bigint
    transaction_id: Id | null
    credited_at: Date | null
  }>(
    `select status, coalesce(card_payments.amount_micros, checkouts.amount_micros) as amount, created_ms as created, transaction_id, credited_at
     from checkouts left join card_payments on reference = session where session = $1 and checkouts.account_id = $2`,
    [session, accountId],
  )
  const [row] = rows
  if (row === undefined)
    throw new AppError('not_found', 'This account has no such checkout.', {
      fix: 'Open the credit page to see your payments.',
    })
  return {
    session,
    status: row.status,
    amountMicros: Number(row.amount),
    createdMs: Number(row.created),
    receipt: row.transaction_id === null ? null : publicId('transaction', row.transaction_id),
    creditedMs: row.credited_at?.getTime() ?? null,
  }
}

/**
 * Reads the late payment of a waiting visitor from the processor, at most every few seconds. Returns
 * false when it was not read.
 */
export async function askForPayment(deps: CheckoutDeps, session: string): Promise<boolean> {
  const { database, now } = deps
  const nowMs = now()
  // Without the schedule of the sweep, which continues when the visitor leaves.
  const { count } = await database.query(
    `update checkouts set page_asked_ms = $2 where session = $1 and status = 'open'
       and (page_asked_ms is null or page_asked_ms <= $2::bigint - ${PAGE_ASKS_EVERY_MS} or page_asked_ms > $2)`,
    [session, nowMs],
  )
  if (count === 0) return false
  return recordCheckout(deps, session)
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'upstream_error') return false
      throw error
    })
}

/** Reads the checkouts that are due from the processor. Returns their number. */
export async function sweepCheckouts(
  deps: CheckoutDeps,
  onError: (error: unknown, what: string) => void,
): Promise<number> {
  const { database, now } = deps
  const nowMs = now()
  const { rows } = await database.query<{ session: string }>(
    `update checkouts set asked = asked + 1,
       ask_ms = $1::bigint + ($2::bigint[])[least(asked + 1, ${ASK_AFTER_MS.length})],
       status = case when status = 'credited' and asked >= ${ASK_AFTER_MS.length} then 'done' else status end
     where session in (
       select session from checkouts where status in ('open', 'credited') and ask_ms <= $1
       order by ask_ms limit ${MOST_AT_ONCE} for update skip locked
     ) returning session`,
    [nowMs, ASK_AFTER_MS],
  )
  await Promise.all(
    rows.map(({ session }) =>
      recordCheckout(deps, session).catch((error: unknown) =>
        onError(error, 'a checkout could not be read'),
      ),
    ),
  )
  // The webhook still credits a payment of a deleted checkout.
  await database.query('delete from checkouts where created_ms < $1', [nowMs - KEPT_MS])
  return rows.length
}

/** Reads a checkout from the processor and records its payment and card. */
async function recordCheckout(deps: CheckoutDeps, session: string): Promise<void> {
  const { database, now, cards } = deps
  const state = await cards.find(session)
  if (state.payment !== null) {
    await creditCardPayment({ database, now, cards }, state.payment)
    await recordCard(database, session, state)
  } else if (state.status === 'expired')
    await database.query(
      "update checkouts set status = 'expired' where session = $1 and status = 'open'",
      [session],
    )
}

async function recordCard(
  database: Database,
  session: string,
  { card, saved }: CheckoutState,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { rows } = await tx.query<{ account_id: Id; saves_card: boolean }>(
      "update checkouts set status = 'done' where session = $1 and status = 'credited' returning account_id, saves_card",
      [session],
    )
    const [checkout] = rows
    if (checkout === undefined) return
    if (card !== null)
      await tx.query('update card_payments set brand = $2, last4 = $3 where reference = $1', [
        session,
        card.brand,
        card.last4,
      ])
    if (saved !== null && checkout.saves_card) await saveCard(tx, checkout.account_id, saved)
  })
}
