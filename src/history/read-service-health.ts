import type { Database } from '../db/database.ts'
import { errorCatalog, type ErrorCode, type ErrorSpec } from '../errors/catalog.ts'
import { firstIdAt } from '../lib/ids.ts'

/** Milliseconds of each period that the status page shows. */
export const HEALTH_PERIODS = {
  hour: 3_600_000,
  day: 86_400_000,
  month: 30 * 86_400_000,
} as const

export type HealthPeriod = keyof typeof HEALTH_PERIODS

/** How paid calls of a service ended in a period. Times are of calls that did not fail, without jobs. */
export type ServiceHealth = {
  readonly calls: number
  /** From 0 to 1. */
  readonly succeeded: number
  readonly medianMs: number | null
  readonly p95Ms: number | null
}

/** By service. A service without enough calls in a period has no figures. */
export type HealthOfServices = Readonly<Record<HealthPeriod, ReadonlyMap<string, ServiceHealth>>>

/** Below these, figures could describe the calls of a single account. */
export const LEAST_CALLS = 20
export const LEAST_ACCOUNTS = 3

// Together at most 200,000 rows, read along the primary key.
const MOST_ACCOUNTS = 500
const CALLS_PER_ACCOUNT = 400

/** A result that was not found is an answer of a working service. */
const NOTHING_FOUND: ReadonlySet<string> = new Set(['no_results', 'no_people'])

/** Errors that the caller did not cause. */
const FAILURES = (Object.entries(errorCatalog) as [ErrorCode, ErrorSpec][])
  .filter(([code, { fault }]) => fault !== 'caller' && !NOTHING_FOUND.has(code))
  .map(([code]) => code)

type Row = { readonly service: string } & Readonly<
  Record<`${HealthPeriod}_${'calls' | 'failed' | 'accounts'}`, bigint>
> &
  Readonly<Record<`${HealthPeriod}_${'median' | 'p95'}`, number | null>>

/** Reads the latest live calls with a hold of the most active accounts. Errors of callers are not counted. */
export async function readServiceHealth(
  database: Pick<Database, 'query'>,
  nowMs: number,
): Promise<HealthOfServices> {
  const periods = Object.entries(HEALTH_PERIODS) as [HealthPeriod, number][]
  const { rows } = await database.query<Row>(
    `with recent as (
       select calls.* from (select id from wallets where mode = 'live' and posted > 0 order by posted desc limit ${MOST_ACCOUNTS}) as active
       cross join lateral (
         select id, wallet_id, service, kind, status = 'released' and error_code = any($4::text[]) as failed, latency_ms from transactions
         where wallet_id = active.id and id >= $3 and kind in ('call', 'job', 'llm') and service is not null
           and (status = 'settled' or error_code = any($4::text[]) or error_code = any($5::text[]))
         order by id desc limit ${CALLS_PER_ACCOUNT}
       ) as calls
     )
     select service, ${periods.map(([name], at) => columnsOf(name, at + 1)).join(', ')} from recent group by service`,
    [...periods.map(([, ms]) => firstIdAt(nowMs - ms)), FAILURES, [...NOTHING_FOUND]],
  )
  return {
    hour: healthOf(rows, 'hour'),
    day: healthOf(rows, 'day'),
    month: healthOf(rows, 'month'),
  }
}

function columnsOf(name: HealthPeriod, parameter: number): string {
  const since = `id >= $${parameter}`
  const time = (part: number): string =>
    `percentile_disc(${part}) within group (order by latency_ms) filter (where ${since} and not failed and kind <> 'job')`
  return `count(*) filter (where ${since}) as ${name}_calls, count(*) filter (where ${since} and failed) as ${name}_failed,
    count(distinct wallet_id) filter (where ${since}) as ${name}_accounts, ${time(0.5)} as ${name}_median, ${time(0.95)} as ${name}_p95`
}

function healthOf(rows: readonly Row[], period: HealthPeriod): ReadonlyMap<string, ServiceHealth> {
  const enough = rows.filter(
    (row) => row[`${period}_calls`] >= LEAST_CALLS && row[`${period}_accounts`] >= LEAST_ACCOUNTS,
  )
  return new Map(
    enough.map((row) => {
      const calls = Number(row[`${period}_calls`])
      const failed = Number(row[`${period}_failed`])
      return [
        row.service,
        {
          calls,
          succeeded: (calls - failed) / calls,
          medianMs: row[`${period}_median`],
          p95Ms: row[`${period}_p95`],
        },
      ]
    }),
  )
}
