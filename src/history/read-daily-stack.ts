import type { SqlValue } from '../db/database.ts'
import { DAY_MS } from '../lib/clock.ts'
import { firstIdAt, publicId, type Id } from '../lib/ids.ts'
import type { HistoryDatabase } from './histories.ts'
import { dateOf, LOOKED_THROUGH, type SpendingRequest } from './read-spending.ts'
import { conditionsOf } from './transaction-filter.ts'

export type StackDimension = 'action' | 'key'

export type StackGroup = {
  /** `service/action` or the id of a key; null for all smaller groups together. */
  readonly id: string | null
  /** Charges of each day in micro-dollars. */
  readonly charged: readonly number[]
}

/** Charges of each day, split into the most expensive groups. The arrays have one entry for each day. */
export type DailyStack = {
  readonly dates: readonly string[]
  /** Most expensive first; the group of all others is last. */
  readonly groups: readonly StackGroup[]
  readonly calls: readonly number[]
  /** Failed calls, which were not charged. */
  readonly released: readonly number[]
  /** False when older calls of the period are not counted, because there are too many. */
  readonly complete: boolean
}

/** The number of colors less one for all others. */
const MOST_GROUPS = 5

/** `firstDay` and `lastDay` are counted from 1970-01-01 (UTC). */
export type StackRequest = Pick<SpendingRequest, 'walletId' | 'filter'> & {
  readonly firstDay: number
  readonly lastDay: number
  readonly by: StackDimension
}

type Row = {
  /** Null in the only row of a period without calls. */
  day: number | null
  action: string | null
  budget_id: Id | null
  is_other: boolean
  calls: bigint
  released: bigint
  charged: string
  looked: bigint
}

const COLUMNS = { action: "service || '/' || action", key: 'budget_id::text' } as const

export async function readDailyStack(
  {
    database,
    lookedThrough = LOOKED_THROUGH,
  }: { readonly database: HistoryDatabase; readonly lookedThrough?: number },
  { walletId, filter, firstDay, lastDay, by }: StackRequest,
): Promise<DailyStack> {
  const column = COLUMNS[by]
  // The id of a call can be from just before its day began, and is never from a later day.
  const values: SqlValue[] = [
    walletId,
    firstIdAt((firstDay - 1) * DAY_MS),
    lookedThrough,
    firstDay,
    lastDay,
    firstIdAt((lastDay + 1) * DAY_MS),
  ]
  const { rows } = await database.query<Row>(
    `with looked as materialized (select id, day, kind, status, service, action, budget_id, external_id, amount_micros from transactions where wallet_id = $1 and id >= $2 and id < $6 order by id desc limit $3),
     counted as materialized (select *, ${column} as name from looked where day between $4 and $5 and kind in ('call', 'job', 'llm', 'session') ${conditionsOf(filter, values)}),
     ranked as (select name, row_number() over (order by sum(amount_micros), name) > ${MOST_GROUPS} as is_other from counted group by name)
     select day, coalesce(is_other, false) as is_other, ${by === 'action' ? 'case when not is_other then name end as action, null::uuid as budget_id' : 'null as action, case when not is_other then name::uuid end as budget_id'},
       count(id) as calls, count(*) filter (where status = 'released') as released, coalesce(-sum(amount_micros), 0)::text as charged, looked
     from (select count(*) as looked from looked) as scan left join (counted join ranked using (name)) on true group by 1, 2, 3, 4, looked`,
    values,
  )
  const days = lastDay - firstDay + 1
  const sums = new Map<string | null, number[]>()
  const [calls, released] = [zeros(days), zeros(days)]
  for (const row of rows) {
    if (row.day === null) continue
    const at = row.day - firstDay
    const id = idOf(row)
    const charged = sums.get(id) ?? zeros(days)
    charged[at] = (charged[at] ?? 0) + Number(row.charged)
    sums.set(id, charged)
    calls[at] = (calls[at] ?? 0) + Number(row.calls)
    released[at] = (released[at] ?? 0) + Number(row.released)
  }
  return {
    dates: Array.from({ length: days }, (_, at) => dateOf(firstDay + at)),
    groups: [...sums].map(([id, charged]) => ({ id, charged })).toSorted(byCost),
    calls,
    released,
    complete: (rows[0]?.looked ?? 0n) < lookedThrough,
  }
}

function idOf({ is_other: isOther, action, budget_id: key }: Row): string | null {
  if (isOther) return null
  return action ?? (key === null ? null : publicId('key', key))
}

function byCost(one: StackGroup, other: StackGroup): number {
  if (one.id === null || other.id === null) return one.id === null ? 1 : -1
  return sum(other.charged) - sum(one.charged)
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}
