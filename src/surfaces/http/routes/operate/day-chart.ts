import { DAY_MS, toRfc3339 } from '../../../../lib/clock.ts'
import type { ServiceDay } from '../../../../operate/totals/read-totals.ts'
import { dayBars } from '../../html/components/day-bars.ts'
import type { Html } from '../../html/html.ts'
import { roundMoney } from './console-page.ts'

/** Revenue by day, oldest first. The table of the Money page has the figures. */
export function dayChart({
  days,
  last,
  count,
}: {
  readonly days: readonly ServiceDay[]
  readonly last: number
  readonly count: number
}): Html {
  const sums = new Map<number, bigint>()
  for (const { day, revenue } of days) sums.set(day, (sums.get(day) ?? 0n) + revenue)
  const bars = Array.from({ length: count }, (_, place) => {
    const day = last - count + 1 + place
    return { date: toRfc3339(day * DAY_MS).slice(0, 10), revenue: sums.get(day) ?? 0n }
  })
  const most = bars.reduce((peak, { revenue }) => (revenue > peak ? revenue : peak), 0n)
  return dayBars({
    label: 'Revenue by day',
    peak: roundMoney(most),
    bars: bars.map(({ date, revenue }) => ({
      date,
      share: most === 0n ? 0 : Number(revenue) / Number(most),
      text: roundMoney(revenue),
    })),
  })
}
