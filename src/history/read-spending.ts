import type { SqlValue } from '../db/database.ts'
import { windowStarts } from '../ledger/windows.ts'
import { DAY_MS, toRfc3339 } from '../lib/clock.ts'
import { firstIdAt, idTimeMs, publicId, type Id } from '../lib/ids.ts'
import { toCentsRoundedUp } from '../lib/money.ts'
import type { HistoryDatabase } from './histories.ts'
import { conditionsOf, type TransactionFilter } from './transaction-filter.ts'

/** Totals of a group of calls. Calls in progress and free actions are not counted. */
export type Spending = {
  readonly calls: number
  /** The failed calls among them, which were not charged. */
  readonly released: number
  readonly charged_cents: number
  readonly charged_micros: number
}

/** Most expensive first, except days. When `complete` is false, only calls since `since` are counted. */
export type SpendingOfDays = {
  readonly since: string
  readonly complete: boolean
  readonly total: Spending
  /** Days (UTC) with calls, newest first. */
  readonly days: readonly (Spending & { readonly date: string })[]
  readonly actions: readonly (Spending & { readonly service: string; readonly action: string })[]
  readonly keys: readonly (Spending & { readonly agent_id: string })[]
}

/** `days` ends with today. */
export type SpendingRequest = {
  readonly walletId: number
  readonly days: number
  readonly filter: Pick<
    TransactionFilter,
    'keyId' | 'onlyKeyId' | 'externalId' | 'service' | 'action'
  >
}

/**
 * How many transactions one request scans: up to half a second of database time. Precomputed totals
 * would add a write to every call.
 */
export const LOOKED_THROUGH = 200_000
const ROWS_PER_GROUP = 200
/** The default number of days. */
export const USUAL_DAYS = 30

type Row = {
  level: number
  day: number
  service: string
  action: string
  budget_id: Id
  calls: bigint
  released: bigint
  charged: string
}

// Bits of `grouping`, for the columns that a row sums over.
const [OF_A_DAY, OF_AN_ACTION, OF_A_KEY, OF_ALL] = [0b011, 0b101, 0b110, 0b111]

/** The cost of a wallet's calls by day, action and key. A call counts toward the same day as in the limits of keys, so today's sum equals `spent_today`. */
export async function readSpending(
  {
    database,
    nowMs,
    lookedThrough = LOOKED_THROUGH,
  }: {
    readonly database: HistoryDatabase
    readonly nowMs: number
    readonly lookedThrough?: number
  },
  { walletId, days, filter }: SpendingRequest,
): Promise<SpendingOfDays> {
  const firstDay = windowStarts(nowMs).today - days + 1
  // The id of a call can be from just before its day began.
  const values: SqlValue[] = [walletId, firstIdAt((firstDay - 1) * DAY_MS), lookedThrough, firstDay]
  const { rows } = await database.query<Row & { looked: bigint; oldest: Id | null }>(
    `with looked as materialized (select id, day, kind, status, service, action, budget_id, external_id, amount_micros from transactions where wallet_id = $1 and id >= $2 order by id desc limit $3)
     select grouping(day, service, budget_id) as level, day, service, action, budget_id, count(*) as calls, count(*) filter (where status = 'released') as released,
       coalesce(-sum(amount_micros), 0)::text as charged, (select count(*) from looked) as looked, (select id from looked order by id limit 1) as oldest
     from looked where day >= $4 and kind in ('call', 'job', 'llm', 'session') ${conditionsOf(filter, values)}
     group by grouping sets ((day), (service, action), (budget_id), ()) order by sum(amount_micros), count(*) desc, service, action, budget_id`,
    values,
  )
  const at = (level: number): Row[] => rows.filter((row) => row.level === level)
  const [all] = at(OF_ALL)
  const { looked = 0n, oldest = null } = rows[0] ?? {}
  const complete = looked < lookedThrough || oldest === null
  return {
    since: toRfc3339(complete ? firstDay * DAY_MS : Math.max(firstDay * DAY_MS, idTimeMs(oldest))),
    complete,
    total: spendingOf(all),
    days: at(OF_A_DAY)
      .toSorted((one, other) => other.day - one.day)
      .map((row) => ({ date: dateOf(row.day), ...spendingOf(row) })),
    actions: at(OF_AN_ACTION)
      .slice(0, ROWS_PER_GROUP)
      .map((row) => ({ service: row.service, action: row.action, ...spendingOf(row) })),
    keys: at(OF_A_KEY)
      .slice(0, ROWS_PER_GROUP)
      .map((row) => ({ agent_id: publicId('key', row.budget_id), ...spendingOf(row) })),
  }
}

export function dateOf(day: number): string {
  return toRfc3339(day * DAY_MS).slice(0, 10)
}

function spendingOf(row: Row | undefined): Spending {
  const charged = BigInt(row?.charged ?? 0)
  return {
    calls: Number(row?.calls ?? 0),
    released: Number(row?.released ?? 0),
    charged_cents: toCentsRoundedUp(charged),
    charged_micros: Number(charged),
  }
}
