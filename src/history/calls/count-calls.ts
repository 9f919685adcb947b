import type { SqlValue } from '../../db/database.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { HistoryDatabase } from '../histories.ts'
import { conditionsOf, stretchOf } from '../transaction-filter.ts'
import { logConditions, mayBeLogged, transactionsOf, type CallFilter } from './call-filter.ts'

/**
 * `free`: answered without a charge. `failed`: its hold was released, or HTTP 5xx. `rejected`: HTTP
 * 4xx without a hold.
 */
export const CALL_OUTCOMES = ['charged', 'pending', 'free', 'failed', 'rejected'] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

/** Calls by time and outcome. The arrays have one entry for each bucket, oldest first. */
export type CallCounts = {
  /** The start of the first bucket in Unix milliseconds. */
  readonly firstMs: number
  readonly bucketMs: number
  readonly counts: Readonly<Record<CallOutcome, readonly number[]>>
  readonly chargedMicros: number
  /** False when older calls of the period are not counted, because there are too many. */
  readonly complete: boolean
}

export type CountRequest = {
  readonly walletId: number
  /** Starts at `fromMs`. */
  readonly filter: CallFilter & { readonly fromMs: number }
  readonly toMs: number
  readonly bucketMs: number
}

/** Rows of each source that one request scans, because the page reads them again after new calls. */
const LOOKED_THROUGH = 10_000

type Row = {
  /** Null in the only row of a period without calls. */
  readonly bucket: number | null
  readonly outcome: CallOutcome
  readonly calls: string
  readonly charged: string
  readonly is_cut: boolean
}

/** Counts the calls that `listCalls` lists for the same filter. One statement. */
export async function countCalls(
  {
    database,
    lookedThrough = LOOKED_THROUGH,
  }: { readonly database: HistoryDatabase; readonly lookedThrough?: number },
  { walletId, filter, toMs, bucketMs }: CountRequest,
): Promise<CallCounts> {
  const firstMs = Math.floor(filter.fromMs / bucketMs) * bucketMs
  const buckets = Math.max(1, Math.floor((toMs - firstMs) / bucketMs) + 1)
  const starts = Array.from({ length: buckets }, (_, at) => firstIdAt(firstMs + at * bucketMs))
  const { from, before } = stretchOf(filter, null)
  const values: SqlValue[] = [walletId, before, from, lookedThrough, starts]
  const { rows } = await database.query<Row>(countStatement(filter, values), values)
  const counts = {
    charged: zeros(buckets),
    pending: zeros(buckets),
    free: zeros(buckets),
    failed: zeros(buckets),
    rejected: zeros(buckets),
  } satisfies Record<CallOutcome, number[]>
  for (const { bucket, outcome, calls } of rows)
    if (bucket !== null) counts[outcome][bucket - 1] = Number(calls)
  return {
    firstMs,
    bucketMs,
    counts,
    chargedMicros: rows.reduce((sum, { charged }) => sum + Number(charged), 0),
    complete: rows[0]?.is_cut !== true,
  }
}

const STRETCH =
  'where wallet_id = $1 and id < $2 and id >= $3 order by wallet_id desc, id desc limit $4'

/** A call in both sources counts once, with the outcome of the ledger. */
function countStatement(filter: CallFilter, values: SqlValue[]): string {
  const booked = conditionsOf(transactionsOf(filter), values)
  const logged = mayBeLogged(filter) ? logConditions(filter, values) : 'and false'
  return `with posted as materialized (select * from transactions ${STRETCH}),
    noted as materialized (select * from call_log ${STRETCH}),
    found as (
      select id, case when amount_micros < 0 then 'charged' when status = 'released' then 'failed' else 'free' end as outcome, 1 as calls, -amount_micros as charged from posted where true ${booked}
      union all select id, 'pending', 1, 0 from (select * from open_calls ${STRETCH}) as open where true ${booked}
      union all select id, case when charged then 'charged' when http_status >= 500 then 'failed' when http_status >= 400 then 'rejected' else 'free' end, greatest(omitted, 1), 0
        from noted where not exists (select from posted where posted.id = noted.id) ${logged}
    )
    select width_bucket(id, $5::uuid[]) as bucket, outcome, coalesce(sum(calls), 0)::text as calls, coalesce(sum(charged), 0)::text as charged, is_cut
    from (select (select count(*) from posted) >= $4 or (select count(*) from noted) >= $4 as is_cut) as scan left join found on true
    group by bucket, outcome, is_cut`
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}
