/** The payments whose outcome nobody knows: found by the sweep, listed, and settled by a person. */
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { DAY_MS, toRfc3339 } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'

export const PAYMENT_STATUSES = ['intended', 'signed', 'unsigned', 'paid', 'unknown', 'resolved'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export type PaymentRecord = {
  readonly id: Id
  readonly call_id: Id
  readonly service: string
  readonly action: string
  readonly status: PaymentStatus
  readonly method: string
  readonly merchant: string
  readonly challenge_id: string
  readonly amount_micros: number
  readonly currency: string
  readonly chain_id: number | null
  readonly recipient: string | null
  readonly credential_hash: string | null
  readonly reference: string | null
  readonly reason: string | null
  readonly resolution: 'paid' | 'unpaid' | null
  readonly note: string | null
  readonly created_at: string
}

type Row = Omit<PaymentRecord, 'amount_micros' | 'chain_id' | 'created_at'> & { readonly amount_micros: bigint; readonly chain_id: bigint | null; readonly created_ms: bigint }

const COLUMNS = 'id, call_id, service, action, status, method, merchant, challenge_id, amount_micros, currency, chain_id, recipient, credential_hash, reference, reason, resolution, note, created_ms'

/** Newest first. */
export async function listPayments(database: Database, status: PaymentStatus, limit: number): Promise<readonly PaymentRecord[]> {
  const { rows } = await database.query<Row>(`select ${COLUMNS} from payments where status = $1 order by id desc limit $2`, [status, limit])
  return rows.map(recordOf)
}

/** What was bought for a call, in its order. */
export async function paymentsOf(database: Database, callId: Id): Promise<readonly PaymentRecord[]> {
  const { rows } = await database.query<Row>(`select ${COLUMNS} from payments where call_id = $1 order by id`, [callId])
  return rows.map(recordOf)
}

/**
 * What a person found out: `paid`, the money is gone, or `unpaid`, it never moved and its room is given back. The caller
 * was charged nothing either way. Throws AppError not_found when no such payment waits.
 */
export async function resolvePayment(database: Database, id: Id, resolution: 'paid' | 'unpaid', note: string, nowMs: number): Promise<PaymentRecord> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<Row & { day: number }>(`update payments set status = 'resolved', resolution = $2, note = $3, finished_ms = $4 where id = $1 and status = 'unknown' returning day, ${COLUMNS}`, [id, resolution, note, nowMs])
    const row = rows[0]
    if (row === undefined) throw new AppError('not_found', 'No payment of that id waits for a decision.', { fix: 'See ./tollgate payments list.' })
    if (resolution === 'unpaid') await tx.query('update payment_days set outflow_micros = outflow_micros - $2 where day = $1', [row.day, row.amount_micros])
    const { day: _, ...record } = row
    return recordOf(record)
  })
}

/** Queues what dead processes left between intent and receipt. Returns how many. */
export async function sweepPayments(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    "update payments set status = 'unknown', reason = 'The process that paid ended before it knew the outcome.', finished_ms = $1 where status in ('intended', 'signed') and deadline_ms < $1",
    [nowMs],
  )
  return count
}

export type Outflow = { readonly today: Micros; readonly waiting: number }

/** What the wallets paid out or reserved on the day of `nowMs` (UTC), and how many payments wait for a decision. */
export async function readOutflow(database: Database, nowMs: number): Promise<Outflow> {
  const { rows } = await database.query<{ today: bigint; waiting: bigint }>(
    "select coalesce((select outflow_micros from payment_days where day = $1), 0) as today, (select count(*) from payments where status = 'unknown') as waiting",
    [Math.floor(nowMs / DAY_MS)],
  )
  return { today: rows[0]?.today ?? 0n, waiting: Number(rows[0]?.waiting ?? 0) }
}

function recordOf({ amount_micros: amount, chain_id: chainId, created_ms: createdMs, ...rest }: Row): PaymentRecord {
  return { ...rest, amount_micros: Number(amount), chain_id: chainId === null ? null : Number(chainId), created_at: toRfc3339(Number(createdMs)) }
}
