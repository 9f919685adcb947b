import type { Database } from '../../db/database.ts'
import type { Micros } from '../../lib/money.ts'
import type { DayPeriod } from '../totals/read-totals.ts'

export type KnownCost = { readonly day: number; readonly service: string; readonly cost: Micros }

/**
 * The vendor costs that the gateway knows: what its wallets paid to merchants. Vendors bill calls with an
 * operator's key to the operator, so their cost is not in the database.
 */
export async function readKnownCosts(
  { query }: Pick<Database, 'query'>,
  { mode, fromDay, untilDay }: DayPeriod,
): Promise<readonly KnownCost[]> {
  const { rows } = await query<{ day: number; service: string; cost: string }>(
    `select day, service, sum(amount_micros)::text as cost from payments
     where status in ('paid', 'resolved') and day >= $1 and day < $2 and mode = $3 and (status = 'paid' or resolution = 'paid')
     group by day, service order by day, service`,
    [fromDay, untilDay, mode],
  )
  return rows.map(({ day, service, cost }) => ({ day, service, cost: BigInt(cost) }))
}
