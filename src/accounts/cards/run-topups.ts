/**
 * Automatic top-ups. README.md states the invariants: at most one payment in progress for an account, at
 * most one charge for each payment, and never more than the monthly maximum.
 */
import type { Database, Transaction } from '../../db/database.ts'
import { findPrimaryCaller } from '../../keys/find-caller.ts'
import { windowResetMs, windowStarts } from '../../ledger/windows.ts'
import { HOUR_MS, type Clock } from '../../lib/clock.ts'
import { newId, publicId, type Id } from '../../lib/ids.ts'
import { toCentsRoundedDown, type Micros } from '../../lib/money.ts'
import {
  creditCardPayment,
  type CardDesk,
  type ChargeFailure,
  type ChargeOutcome,
} from '../card-desk.ts'

export type TopupDeps = {
  readonly database: Database
  readonly now: Clock
  readonly cards: Pick<CardDesk, 'charge' | 'findCharge' | 'reportClosed'>
  readonly onError: (error: unknown, what: string) => void
}

/** Longer than any request to the processor. */
const LEASE_MS = 2 * 60_000
const LONGEST_LEASE_MS = HOUR_MS
/** The waits after the first and the second failure. The next one turns top-ups off. */
const WAIT_AFTER_FAILURE_MS = [HOUR_MS, 6 * HOUR_MS] as const
const MOST_AT_ONCE = 8
/** Banks block a card that is charged several times in a row. */
const CHARGED_EVERY_MS = 10 * 60_000
/** Whether an account has a payment in progress, or had one credited after `$2`. */
const HAS_PAID = `(
       exists (select from topups where topups.account_id = auto_topups.account_id and status = 'open')
       or exists (select from card_payments where card_payments.account_id = auto_topups.account_id
         and source = 'automatic' and credited_at > $2))`

type Topup = {
  readonly id: Id
  readonly account_id: Id
  readonly amount: Micros
  readonly customer: string
  readonly method: string
}

/** Settles payments that another process left, and begins those that are due. Returns their number. */
export async function runTopups(deps: TopupDeps): Promise<number> {
  const left = await claimLeft(deps)
  const due = await findDue(deps)
  const begun = await Promise.all(
    due.map(({ account_id: account }) =>
      deps.database
        .transaction((tx) => begin(tx, account, deps.now()))
        .catch((error: unknown) => deps.onError(error, 'an automatic top-up did not begin')),
    ),
  )
  const topups = begun.filter((topup) => topup !== null && topup !== undefined)
  await Promise.all([
    ...left.map((topup) => settle(deps, topup, true)),
    ...topups.map((topup) => settle(deps, topup, false)),
  ])
  return left.length + topups.length
}

/** Takes over payments whose lease has ended, with exponential backoff. */
async function claimLeft({ database, now }: TopupDeps): Promise<readonly Topup[]> {
  const { rows } = await database.query<Topup>(
    `update topups set tries = tries + 1,
       lease_until_ms = $1::bigint + least(${LONGEST_LEASE_MS}, ${LEASE_MS} * 2 ^ least(tries, 10))::bigint
     where id in (
       select id from topups where status = 'open' and lease_until_ms <= $1
       order by lease_until_ms limit ${MOST_AT_ONCE} for update skip locked
     ) returning id, account_id, amount_micros as amount, customer, method`,
    [now()],
  )
  return rows
}

async function findDue({ database, now }: TopupDeps): Promise<readonly { account_id: Id }[]> {
  const nowMs = now()
  const { rows } = await database.query<{ account_id: Id }>(
    `select account_id from auto_topups join wallets using (account_id) join accounts on accounts.id = account_id and paused_at is null
     where is_on and method is not null and next_ms <= $1 and mode = 'live' and balance_micros < threshold_micros
       and not ${HAS_PAID}
     order by next_ms, random() limit ${MOST_AT_ONCE}`,
    [nowMs, new Date(nowMs - CHARGED_EVERY_MS)],
  )
  return rows
}

type Settings = {
  readonly amount: Micros
  readonly monthly: Micros
  readonly customer: string
  readonly method: string
  readonly month: number
}

/** Commits a new payment, or null when the account needs or allows none any longer. */
async function begin(tx: Transaction, accountId: Id, nowMs: number): Promise<Topup | null> {
  // Concurrent sweeps wait here, and then see the payment of the first.
  const { rows } = await tx.query<Settings>(
    `select amount_micros as amount, monthly_micros as monthly, customer, method, greatest(month_start, $2) as month
     from auto_topups where account_id = $1 and is_on and method is not null and next_ms <= $3 for update`,
    [accountId, windowStarts(nowMs).thisMonth, nowMs],
  )
  const [settings] = rows
  if (settings === undefined || !(await isDue(tx, accountId, nowMs))) return null
  // Closed or paused. Without a wait, a few such accounts would be due in every sweep instead of others.
  if ((await findPrimaryCaller(tx, accountId, 'live')) === null) {
    await waitUntil(tx, accountId, nowMs + HOUR_MS)
    return null
  }
  const { amount, customer, method, month } = settings
  await tx.query('update auto_topups set month_start = $2 where account_id = $1', [
    accountId,
    month,
  ])
  const used = await tx.query<{ used: bigint }>(
    "select coalesce(sum(amount_micros), 0)::bigint as used from topups where account_id = $1 and month_start = $2 and status in ('open', 'paid')",
    [accountId, month],
  )
  if ((used.rows[0]?.used ?? 0n) + amount > settings.monthly) {
    await waitUntil(tx, accountId, windowResetMs('month', nowMs))
    await writeFailure(tx, { accountId, amount, reason: 'monthly_maximum', isOn: true, nowMs })
    return null
  }
  const id = newId(nowMs)
  await tx.query(
    'insert into topups (id, account_id, amount_micros, month_start, customer, method, created_ms, lease_until_ms) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    [id, accountId, amount, month, customer, method, nowMs, nowMs + LEASE_MS],
  )
  return { id, account_id: accountId, amount, customer, method }
}

async function waitUntil(tx: Transaction, accountId: Id, untilMs: number): Promise<void> {
  await tx.query('update auto_topups set next_ms = $2 where account_id = $1', [accountId, untilMs])
}

async function isDue(tx: Transaction, accountId: Id, nowMs: number): Promise<boolean> {
  const { count } = await tx.query(
    `select from auto_topups join wallets using (account_id) where account_id = $1 and mode = 'live' and balance_micros < threshold_micros
       and not ${HAS_PAID}`,
    [accountId, new Date(nowMs - CHARGED_EVERY_MS)],
  )
  return count > 0
}

/** Charges the card and records the outcome. An unknown outcome stays open for the next sweep. */
async function settle(deps: TopupDeps, topup: Topup, wasLeft: boolean): Promise<void> {
  const { database, now, cards, onError } = deps
  const request = {
    account: publicId('account', topup.account_id),
    cents: toCentsRoundedDown(topup.amount),
    customer: topup.customer,
    method: topup.method,
    topup: topup.id,
  }
  try {
    const found = wasLeft ? await cards.findCharge(request) : null
    if (wasLeft && found === null && !(await isStillWanted(database, topup))) return
    const outcome = found ?? (await cards.charge(request))
    if (outcome.kind === 'paid') await creditCardPayment({ database, now, cards }, outcome.payment)
    if (outcome.kind === 'failed') await recordFailure(deps, topup, outcome)
  } catch (error) {
    onError(error, 'an automatic top-up has no known outcome yet')
  }
}

/**
 * Whether the top-ups are on with the same card, and the account is neither closed nor paused. Otherwise
 * a payment that the processor does not have ends as abandoned.
 */
async function isStillWanted(
  database: Database,
  { id, account_id: accountId }: Topup,
): Promise<boolean> {
  const holder = await findPrimaryCaller(database, accountId, 'live')
  const { rows } = await database.query<{ status: string }>(
    `update topups set status = case
       when $2 and exists (select from auto_topups where account_id = topups.account_id and is_on and method = topups.method) then 'open'
       else 'abandoned' end
     where id = $1 and status = 'open' returning status`,
    [id, holder !== null],
  )
  return rows[0]?.status === 'open'
}

/** Ends the payment, pauses or turns off the top-ups, and writes the event, in one commit. */
async function recordFailure(
  { database, now }: TopupDeps,
  { id, account_id: accountId, amount, method }: Topup,
  { reason }: Extract<ChargeOutcome, { kind: 'failed' }>,
): Promise<void> {
  const nowMs = now()
  await database.transaction(async (tx) => {
    const { count } = await tx.query(
      "update topups set status = 'failed' where id = $1 and status = 'open'",
      [id],
    )
    if (count === 0) return
    // The failure of a card that was replaced or removed meanwhile does not count against the new one.
    const { rows } = await tx.query<{ failures: number }>(
      'update auto_topups set failures = failures + 1 where account_id = $1 and method = $2 and is_on returning failures',
      [accountId, method],
    )
    const [settings] = rows
    if (settings === undefined) return
    const wait = waitAfter(settings.failures, reason)
    if (wait === null)
      await tx.query(
        'update auto_topups set is_on = false, off_because = $2 where account_id = $1',
        [accountId, reason],
      )
    else await waitUntil(tx, accountId, nowMs + wait)
    await writeFailure(tx, { accountId, amount, reason, isOn: wait !== null, nowMs })
  })
}

/** Null: top-ups are turned off. Only the holder can authenticate a payment, so waiting does not help. */
function waitAfter(failures: number, reason: ChargeFailure): number | null {
  return reason === 'authentication_required' ? null : (WAIT_AFTER_FAILURE_MS[failures - 1] ?? null)
}

async function writeFailure(
  tx: Transaction,
  {
    accountId,
    amount,
    reason,
    isOn,
    nowMs,
  }: {
    readonly accountId: Id
    readonly amount: Micros
    readonly reason: ChargeFailure | 'monthly_maximum'
    readonly isOn: boolean
    readonly nowMs: number
  },
): Promise<void> {
  await tx.query(
    `select write_event($1, $2, 'live', null, 'topup.failed', jsonb_build_object('amount_micros', $3::bigint, 'reason', $4::text, 'automatic_topup', $5::text))`,
    [nowMs, accountId, amount, reason, isOn ? 'on' : 'off'],
  )
}
