import type { Micros } from '../../../../lib/money.ts'
import type { KnownCost } from '../../../../operate/money/read-costs.ts'
import type { ServiceDay } from '../../../../operate/totals/read-totals.ts'

export type Margins = {
  readonly calls: number
  readonly failed: number
  readonly revenue: Micros
  /** The payments of wallets to merchants. */
  readonly cost: Micros
  /** The revenue of the services that wallets paid for: the part with a known cost. */
  readonly covered: Micros
  /** `covered` minus `cost`; null when no cost is known. */
  readonly margin: Micros | null
}

/** Sums of a period. A service has a known cost on the days on which a wallet paid for it. */
export function sumUp(days: readonly ServiceDay[], costs: readonly KnownCost[]): Margins {
  const paid = new Set(costs.map(({ day, service }) => `${day} ${service}`))
  let [calls, failed, revenue, covered] = [0, 0, 0n, 0n]
  for (const line of days) {
    calls += line.calls
    failed += line.failed
    revenue += line.revenue
    if (paid.has(`${line.day} ${line.service}`)) covered += line.revenue
  }
  const cost = costs.reduce((sum, line) => sum + line.cost, 0n)
  return {
    calls,
    failed,
    revenue,
    cost,
    covered,
    margin: costs.length === 0 ? null : covered - cost,
  }
}
