import type { Database } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Micros } from '../../lib/money.ts'

type Reading = Pick<Database, 'query'>

/** Days are counted from 1970-01-01 (UTC); `untilDay` is exclusive. */
export type DayPeriod = { readonly mode: Mode; readonly fromDay: number; readonly untilDay: number }

export type ServiceDay = {
  readonly day: number
  readonly service: string
  readonly calls: number
  readonly failed: number
  readonly revenue: Micros
}

const CALL_KINDS = "('call', 'job', 'llm', 'session')"
/** More than any period of the console times all services. */
const MOST_ROWS = 50_000

/** Calls and revenue by day and service, oldest first. */
export async function readServiceDays(
  { query }: Reading,
  { mode, fromDay, untilDay }: DayPeriod,
): Promise<readonly ServiceDay[]> {
  const { rows } = await query<{
    day: number
    service: string
    calls: string
    failed: string
    revenue: string
  }>(
    `select day, service, sum(transactions)::text as calls, sum(failed)::text as failed, (-sum(amount_micros))::text as revenue
     from service_days where day >= $1 and day < $2 and mode = $3 and kind in ${CALL_KINDS}
     group by day, service order by day, service limit $4`,
    [fromDay, untilDay, mode, MOST_ROWS],
  )
  return rows.map(({ day, service, calls, failed, revenue }) => ({
    day,
    service,
    calls: Number(calls),
    failed: Number(failed),
    revenue: BigInt(revenue),
  }))
}

export type CreditLine = {
  readonly kind: string
  readonly count: number
  readonly amount: Micros
}

/** Credit in and out by kind. */
export async function readCredit(
  { query }: Reading,
  { mode, fromDay, untilDay }: DayPeriod,
): Promise<readonly CreditLine[]> {
  const { rows } = await query<{ kind: string; count: string; amount: string }>(
    `select kind, sum(transactions)::text as count, sum(amount_micros)::text as amount
     from service_days where day >= $1 and day < $2 and mode = $3 and kind not in ${CALL_KINDS}
     group by kind order by kind`,
    [fromDay, untilDay, mode],
  )
  return rows.map(({ kind, count, amount }) => ({
    kind,
    count: Number(count),
    amount: BigInt(amount),
  }))
}

export type AccountRevenue = {
  readonly accountId: Id
  readonly email: string
  readonly calls: number
  readonly failed: number
  readonly revenue: Micros
  readonly balance: Micros
}

/** The accounts with the most revenue, highest first. */
export async function readTopAccounts(
  { query }: Reading,
  { mode, fromDay, untilDay, limit }: DayPeriod & { readonly limit: number },
): Promise<readonly AccountRevenue[]> {
  const { rows } = await query<{
    account_id: Id
    email: string
    calls: string
    failed: string
    revenue: string
    balance_micros: bigint
  }>(
    `select account_id, email, calls, failed, revenue, balance_micros from (
       select wallet_id, sum(transactions)::text as calls, sum(failed)::text as failed, (-sum(amount_micros))::text as revenue, sum(amount_micros) as spent
       from wallet_days where day >= $1 and day < $2 and kind in ${CALL_KINDS}
         and wallet_id in (select id from wallets where wallets.mode = $3)
       group by wallet_id order by spent limit $4
     ) as top join wallets on wallets.id = wallet_id join accounts on accounts.id = account_id order by spent, account_id`,
    [fromDay, untilDay, mode, limit],
  )
  return rows.map((row) => ({
    accountId: row.account_id,
    email: row.email,
    calls: Number(row.calls),
    failed: Number(row.failed),
    revenue: BigInt(row.revenue),
    balance: row.balance_micros,
  }))
}

/** Calls and revenue of one wallet. */
export async function readWalletTotals(
  { query }: Reading,
  {
    walletId,
    fromDay,
    untilDay,
  }: { readonly walletId: bigint; readonly fromDay: number; readonly untilDay: number },
): Promise<{ readonly calls: number; readonly failed: number; readonly revenue: Micros }> {
  const { rows } = await query<{ calls: string; failed: string; revenue: string }>(
    `select coalesce(sum(transactions), 0)::text as calls, coalesce(sum(failed), 0)::text as failed, coalesce(-sum(amount_micros), 0)::text as revenue
     from wallet_days where wallet_id = $1 and day >= $2 and day < $3 and kind in ${CALL_KINDS}`,
    [walletId, fromDay, untilDay],
  )
  const { calls = '0', failed = '0', revenue = '0' } = rows[0] ?? {}
  return { calls: Number(calls), failed: Number(failed), revenue: BigInt(revenue) }
}

/** The calls of a service that began in an hour. */
export type ServiceHour = {
  readonly hour: number
  readonly service: string
  readonly calls: number
  readonly failed: number
  /** Failed calls by error code. */
  readonly errors: Readonly<Record<string, number>>
  /** Charged calls by latency: half octaves in milliseconds. */
  readonly steps: readonly LatencyStep[]
}

export type LatencyStep = readonly [step: number, calls: number]

type HourRow = {
  readonly hour: number
  readonly service: string
  readonly error_code: string
  readonly latency_step: number
  readonly calls: bigint
}

/** Hours are counted from 1970-01-01 (UTC); `untilHour` is exclusive. Oldest first. */
export async function readHours(
  { query }: Reading,
  {
    mode,
    fromHour,
    untilHour,
  }: { readonly mode: Mode; readonly fromHour: number; readonly untilHour: number },
): Promise<readonly ServiceHour[]> {
  const { rows } = await query<HourRow>(
    `select hour, service, error_code, latency_step, calls from hour_totals
     where hour >= $1 and hour < $2 and mode = $3 order by hour, service, latency_step limit $4`,
    [fromHour, untilHour, mode, MOST_ROWS],
  )
  return [...Map.groupBy(rows, ({ hour, service }) => `${hour} ${service}`).values()].map(hourOf)
}

function hourOf(rows: readonly HourRow[]): ServiceHour {
  const errors: Record<string, number> = {}
  for (const { error_code: code, calls } of rows)
    if (code !== '') errors[code] = (errors[code] ?? 0) + Number(calls)
  const [{ hour, service } = { hour: 0, service: '' }] = rows
  return {
    hour,
    service,
    calls: rows.reduce((sum, { calls }) => sum + Number(calls), 0),
    failed: Object.values(errors).reduce((sum, count) => sum + count, 0),
    errors,
    steps: rows
      .filter(({ latency_step: step }) => step >= 0)
      .map(({ latency_step: step, calls }) => [step, Number(calls)]),
  }
}

/** The median latency in milliseconds, to half an octave; null without calls. */
export function medianOf(steps: readonly LatencyStep[]): number | null {
  const measured = steps.toSorted(([one], [other]) => one - other)
  const half = measured.reduce((sum, [, calls]) => sum + calls, 0) / 2
  let passed = 0
  for (const [step, calls] of measured) {
    passed += calls
    if (passed >= half) return Math.round(2 ** (step / 2 + 0.25))
  }
  return null
}
