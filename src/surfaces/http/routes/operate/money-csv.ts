import { DAY_MS, toRfc3339 } from '../../../../lib/clock.ts'
import type { KnownCost } from '../../../../operate/money/read-costs.ts'
import type { ServiceDay } from '../../../../operate/totals/read-totals.ts'

/** The totals as CSV, one line per day and service. Amounts are in micro-dollars. */
export function* moneyCsv(
  days: readonly ServiceDay[],
  costs: readonly KnownCost[],
): Generator<readonly (string | number)[]> {
  yield ['day', 'service', 'calls', 'failed', 'revenue_micros', 'known_cost_micros']
  const known = new Map(costs.map(({ day, service, cost }) => [`${day} ${service}`, cost]))
  for (const { day, service, calls, failed, revenue } of days) {
    const cost = known.get(`${day} ${service}`)
    yield [
      toRfc3339(day * DAY_MS).slice(0, 10),
      service,
      calls,
      failed,
      Number(revenue),
      cost === undefined ? '' : Number(cost),
    ]
  }
}
