import type { Database } from '../db/database.ts'
import type { Mode } from '../lib/mode.ts'
import { firstIdAt } from '../lib/ids.ts'
import { readStanding, type Standing } from '../accounts/standing.ts'

export type MoneyLine = {
  readonly kind: string
  readonly count: number
  readonly amount_micros: number
}
export type ServiceLine = {
  readonly service: string
  readonly calls: number
  readonly failed: number
  readonly charged_micros: number
  readonly errors: Readonly<Record<string, number>>
}

export type BooksSummary = Standing & {
  /** Credit in and out by kind, and charges. */
  readonly money: readonly MoneyLine[]
  /** Most called first. */
  readonly services: readonly ServiceLine[]
  /** The credit of all accounts, including holds. */
  readonly credit_micros: number
}

const STRETCH =
  'wallet_id in (select id from wallets where mode = $1) and transactions.id >= $2 and transactions.id < $3'

/** Summarizes a period over all accounts, and the open holds, jobs and sessions. Reads every transaction of the period. */
export async function summarizeBooks(
  database: Database,
  {
    mode,
    fromMs,
    untilMs,
    nowMs,
  }: {
    readonly mode: Mode
    readonly fromMs: number
    readonly untilMs: number
    readonly nowMs: number
  },
): Promise<BooksSummary> {
  const stretch = [mode, firstIdAt(fromMs), firstIdAt(untilMs)]
  return database.transaction(async (tx) => {
    // One snapshot, so that the figures are consistent.
    await tx.query('set transaction isolation level repeatable read, read only')
    const money = await tx.query<{ kind: string; count: bigint; amount: string }>(
      `select kind, count(*) as count, sum(amount_micros)::text as amount from transactions where ${STRETCH} group by kind order by kind`,
      stretch,
    )
    const services = await tx.query<{
      service: string
      calls: bigint
      failed: bigint
      charged: string
      errors: Record<string, number>
    }>(
      `select service, sum(calls)::bigint as calls, sum(failed)::bigint as failed, sum(charged)::text as charged, coalesce(json_object_agg(error_code, failed) filter (where error_code is not null), '{}') as errors
       from (
         select service, error_code, count(*) as calls, count(*) filter (where status = 'released') as failed, -sum(amount_micros) as charged
         from transactions where ${STRETCH} and service is not null group by service, error_code
       ) as by_error group by service order by 2 desc, service`,
      stretch,
    )
    const credit = await tx.query<{ credit: string }>(
      'select coalesce(sum(balance_micros), 0)::text as credit from wallets where mode = $1',
      [mode],
    )
    const standing = await readStanding(tx.query, nowMs)
    return {
      money: money.rows.map(({ kind, count, amount }) => ({
        kind,
        count: Number(count),
        amount_micros: Number(amount),
      })),
      services: services.rows.map(({ service, calls, failed, charged, errors }) => ({
        service,
        calls: Number(calls),
        failed: Number(failed),
        charged_micros: Number(charged),
        errors,
      })),
      credit_micros: Number(credit.rows[0]?.credit ?? 0),
      ...standing[mode],
    }
  })
}
