/** Sales in PostgreSQL. A payment is taken once, and one commit marks it as taken and posts its credit. */
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { HOUR_MS, toRfc3339 } from '../../lib/clock.ts'
import { postCredit } from '../../ledger/credit.ts'
import type { Id, LeaseNumber } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { Headers, Settled } from '../../upstream/sell/acceptance.ts'

export type Sale = {
  readonly paymentKey: string
  readonly id: Id
  readonly route: string
  readonly fingerprint: string
  readonly method: string
  readonly amount: Micros
}

/** A payment is valid for its call as long as the call's answer is stored. After that it is spent. */
const GOOD_FOR_MS = 23 * HOUR_MS
const SETTLING_MS = 120_000
const RETRY_UNKNOWN_SECONDS = 5
const ENDED_EARLY = 'The process that took the payment ended before it knew the outcome.'

/** A payment that was taken for the same request, with its amount. */
export type TakenSale = {
  readonly kind: 'settled'
  readonly headers: Headers
  readonly amount: Micros
}

/** A payment whose earlier attempt has an unknown outcome. This request tries again. */
export type UnknownAttempt = { readonly kind: 'unknown'; readonly amount: Micros }

/**
 * `new`: this request takes the payment. `unknown`: it takes the payment again. `settled`: it was taken before,
 * for the same request. Throws AppError when it is being taken, was for another request, or is spent.
 */
export async function claimSale(
  database: Database,
  sale: Sale,
  nowMs: number,
): Promise<{ readonly kind: 'new' } | UnknownAttempt | TakenSale> {
  const { paymentKey, id, route, fingerprint, method, amount } = sale
  const { count } = await database.query(
    "insert into sales (payment_key, id, route, fingerprint, method, amount_micros, status, created_ms) values ($1, $2, $3, $4, $5, $6, 'settling', $7) on conflict do nothing",
    [paymentKey, id, route, fingerprint, method, amount, nowMs],
  )
  if (count === 1) return { kind: 'new' }
  const known = await findTakenSale(database, sale, nowMs)
  // An attempt to take it just failed, so a retry may take it.
  if (known === null) throw beingTaken()
  return known
}

/** The same for a payment that is not enough for a new sale. Null if it was never taken. */
export async function findTakenSale(
  database: Database,
  sale: Sale,
  nowMs: number,
): Promise<UnknownAttempt | TakenSale | null> {
  const { paymentKey, route, fingerprint } = sale
  const { rows } = await database.query<{
    route: string
    fingerprint: string
    status: string
    receipt_headers: Headers
    amount: Micros
    created_ms: bigint
  }>(
    'select route, fingerprint, status, receipt_headers, amount_micros as amount, created_ms from sales where payment_key = $1',
    [paymentKey],
  )
  const known = rows[0]
  if (known === undefined) return null
  if (known.status === 'settling') throw beingTaken()
  if (known.route !== route || known.fingerprint !== fingerprint)
    throw new AppError('idempotency_key_reused', 'This payment was for another request.', {
      fix: 'Pay for each request on its own.',
    })
  if (known.status === 'unknown') return claimUnknown(database, sale, nowMs)
  if (nowMs - Number(known.created_ms) > GOOD_FOR_MS)
    throw new AppError('idempotency_key_reused', 'This payment was used.', {
      fix: 'Send the request without a payment to get a new price.',
    })
  return { kind: 'settled', headers: known.receipt_headers, amount: known.amount }
}

async function claimUnknown(
  database: Database,
  { paymentKey, id }: Sale,
  nowMs: number,
): Promise<UnknownAttempt> {
  const { rows } = await database.query<{ amount: Micros }>(
    "update sales set status = 'settling', id = $2, created_ms = $3 where payment_key = $1 and status = 'unknown' returning amount_micros as amount",
    [paymentKey, id, nowMs],
  )
  const [row] = rows
  if (row === undefined) throw beingTaken()
  return { kind: 'unknown', amount: row.amount }
}

function beingTaken(): AppError {
  return new AppError('idempotency_in_progress', 'This payment is being taken.', {
    retryAfterSeconds: 1,
  })
}

export async function settleSale(
  database: Database,
  { paymentKey, id, amount, method }: Sale,
  walletId: number,
  { reference, headers }: Settled,
  nowMs: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { count } = await tx.query(
      "update sales set status = 'settled', id = $4, reference = $2, receipt_headers = $3 where payment_key = $1 and status <> 'settled'",
      [paymentKey, reference, JSON.stringify(headers), id],
    )
    // A repeat after the sweep gave up this attempt has credited it.
    if (count === 0) return
    await postCredit(tx, {
      id,
      walletId,
      kind: 'topup',
      amount,
      nowMs,
      reference: `${method} ${reference}`,
    })
  })
}

/** Forgets a payment that could not be taken. */
export async function deleteSale(database: Database, paymentKey: string): Promise<void> {
  await database.query("delete from sales where payment_key = $1 and status = 'settling'", [
    paymentKey,
  ])
}

/** `reason`: null to leave that of an earlier attempt. */
export async function markSaleUnknown(
  database: Database,
  paymentKey: string,
  reason: string | null,
): Promise<void> {
  await database.query(
    "update sales set status = 'unknown', reason = coalesce($2, reason) where payment_key = $1 and status = 'settling'",
    [paymentKey, reason],
  )
}

/** The same for payments of the dead process with this lease. Their buyers can send them again. */
export async function markSalesUnknown(database: Database, lease: LeaseNumber): Promise<number> {
  const { count } = await database.query(
    `update sales set status = 'unknown', reason = '${ENDED_EARLY}' where status = 'settling' and right(id::text, 6) = $1`,
    [lease],
  )
  return count
}

/** Marks the payments that dead processes were taking. Returns the number of payments. */
export async function sweepSales(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    `update sales set status = 'unknown', reason = '${ENDED_EARLY}' where status = 'settling' and created_ms < $1`,
    [nowMs - SETTLING_MS],
  )
  return count
}

export type UnknownSale = {
  readonly id: Id
  readonly route: string
  readonly method: string
  readonly payment_key: string
  readonly amount_micros: number
  readonly reason: string
  readonly created_at: string
}

export async function listUnknownSales(
  database: Database,
  limit: number,
): Promise<readonly UnknownSale[]> {
  const { rows } = await database.query<{
    id: Id
    route: string
    method: string
    payment_key: string
    amount: bigint
    reason: string
    created_ms: bigint
  }>(
    "select id, route, method, payment_key, amount_micros as amount, reason, created_ms from sales where status = 'unknown' order by id desc limit $1",
    [limit],
  )
  return rows.map(({ amount, created_ms: createdMs, ...rest }) => ({
    ...rest,
    amount_micros: Number(amount),
    created_at: toRfc3339(Number(createdMs)),
  }))
}

/** The number of sales that wait for the operator's decision. */
export async function countUnknownSales(database: Database): Promise<number> {
  const { rows } = await database.query<{ count: bigint }>(
    "select count(*) as count from sales where status = 'unknown'",
  )
  return Number(rows[0]?.count ?? 0)
}

export function unknownOutcome(): AppError {
  return new AppError(
    'payment_unknown',
    'The payment was sent, and its transfer is not confirmed yet. The operator of this gateway sees it.',
    {
      fix: 'Send the same request with the same payment again: it is taken once, and then the call runs. Do not sign a new payment.',
      retryAfterSeconds: RETRY_UNKNOWN_SECONDS,
    },
  )
}
