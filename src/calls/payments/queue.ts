/** Payments with an unknown outcome: the sweep finds them, and the operator lists and decides them. */
import type { Database } from '../../db/database.ts'
import { recordChange } from '../../db/record-change.ts'
import { AppError } from '../../errors/app-error.ts'
import { DAY_MS, toRfc3339 } from '../../lib/clock.ts'
import { postCredit } from '../../ledger/credit.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { Mode } from '../../lib/mode.ts'
import { sweepUnanswered } from './charge-at-signing.ts'

export const PAYMENT_STATUSES = [
  'intended',
  'signed',
  'unsigned',
  'paid',
  'unknown',
  'resolved',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export type PaymentRecord = {
  readonly id: Id
  /** Test payments are made on test networks. */
  readonly mode: Mode
  readonly call_id: Id
  readonly service: string
  readonly action: string
  readonly status: PaymentStatus
  readonly method: string
  readonly merchant: string
  readonly challenge_id: string
  readonly amount_micros: number
  /** The caller's charge when the payment was signed. 0 for a call of a catalog action, which settles separately. */
  readonly charged_micros: number
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

type Row = Omit<PaymentRecord, 'amount_micros' | 'charged_micros' | 'chain_id' | 'created_at'> & {
  readonly amount_micros: bigint
  readonly charged_wallet: bigint | null
  readonly chain_id: bigint | null
  readonly created_ms: bigint
}

const COLUMNS =
  'id, mode, call_id, service, action, status, method, merchant, challenge_id, amount_micros, charged_wallet, currency, chain_id, recipient, credential_hash, reference, reason, resolution, note, created_ms'

/** Newest first. */
export async function listPayments(
  database: Database,
  status: PaymentStatus,
  limit: number,
): Promise<readonly PaymentRecord[]> {
  const { rows } = await database.query<Row>(
    `select ${COLUMNS} from payments where status = $1 order by id desc limit $2`,
    [status, limit],
  )
  return rows.map(toRecord)
}

/** The payments of a call, in their order. */
export async function readPayments(
  database: Database,
  callId: Id,
): Promise<readonly PaymentRecord[]> {
  const { rows } = await database.query<Row>(
    `select ${COLUMNS} from payments where call_id = $1 order by id`,
    [callId],
  )
  return rows.map(toRecord)
}

/**
 * Stores the operator's decision: `paid`, or `unpaid` if the money never moved. An unpaid payment no longer
 * counts against the daily limit, and its caller gets a refund of the charge. A payment is resolved once. Writes the decision to the audit log.
 * Throws AppError not_found for a payment that waits for no decision.
 */
export async function resolvePayment(
  database: Database,
  id: Id,
  resolution: 'paid' | 'unpaid',
  note: string,
  nowMs: number,
): Promise<PaymentRecord> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<Row & { day: number; chosen_by_caller: boolean }>(
      `update payments set status = 'resolved', resolution = $2, note = $3, finished_ms = $4 where id = $1 and status = 'unknown' returning day, chosen_by_caller, ${COLUMNS}`,
      [id, resolution, note, nowMs],
    )
    const row = rows[0]
    if (row === undefined)
      throw new AppError('not_found', 'No payment with this id waits for a decision.', {
        fix: 'See ./tollgate payments list.',
      })
    const { day, chosen_by_caller: chosen, ...record } = row
    const { mode, amount_micros: amount, charged_wallet: wallet } = record
    if (resolution === 'unpaid') {
      await tx.query(
        'update payment_days set outflow_micros = outflow_micros - $3, chosen_micros = chosen_micros - $4 where mode = $1 and day = $2',
        [mode, day, amount, chosen ? amount : 0n],
      )
      if (wallet !== null && amount > 0n)
        await postCredit(tx, {
          id: newId(nowMs),
          walletId: Number(wallet),
          kind: 'refund',
          amount,
          nowMs,
          reference: `payment ${id}`,
        })
    }
    await recordChange(tx, {
      accountId: null,
      subject: 'payment',
      subjectId: record.id,
      what: 'changed',
      fields: { status: ['unknown', resolution], amount_micros: [null, Number(amount)] },
    })
    return toRecord(record)
  })
}

/** Queues the payments of dead processes that have an intent and no receipt. Ends the idempotency keys of charged ones. Returns the number of queued payments. */
export async function sweepPayments(database: Database, nowMs: number): Promise<number> {
  await sweepUnanswered(database, nowMs)
  const { count } = await database.query(
    "update payments set status = 'unknown', reason = 'The process that paid ended before it knew the outcome.', finished_ms = $1 where status in ('intended', 'signed') and deadline_ms < $1",
    [nowMs],
  )
  return count
}

/** `chosen`: the part of `today` that went to merchants chosen by callers. */
export type Outflow = { readonly today: Micros; readonly chosen: Micros; readonly waiting: number }

/** The amount that the wallets of a mode paid or reserved on the day of `nowMs` (UTC), and the number of their payments that wait for a decision. */
export async function readOutflow(
  database: Database,
  nowMs: number,
  mode: Mode = 'live',
): Promise<Outflow> {
  const { rows } = await database.query<{ today: bigint; chosen: bigint; waiting: bigint }>(
    `select coalesce(max(outflow_micros), 0)::bigint as today, coalesce(max(chosen_micros), 0)::bigint as chosen, (select count(*) from payments where status = 'unknown' and mode = $2) as waiting
     from payment_days where day = $1 and mode = $2`,
    [Math.floor(nowMs / DAY_MS), mode],
  )
  const { today = 0n, chosen = 0n, waiting = 0n } = rows[0] ?? {}
  return { today, chosen, waiting: Number(waiting) }
}

function toRecord({
  amount_micros: amount,
  charged_wallet: wallet,
  chain_id: chainId,
  created_ms: createdMs,
  ...rest
}: Row): PaymentRecord {
  return {
    ...rest,
    amount_micros: Number(amount),
    charged_micros: wallet === null ? 0 : Number(amount),
    chain_id: chainId === null ? null : Number(chainId),
    created_at: toRfc3339(Number(createdMs)),
  }
}
