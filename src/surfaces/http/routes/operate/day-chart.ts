import { DAY_MS, toRfc3339 } from '../../../../lib/clock.ts'
import type { ServiceDay } from '../../../../operate/totals/read-totals.ts'
import { html, type Html } from '../../html/html.ts'
import { roundMoney } from './console-page.ts'

const [BAR_WIDTH, PITCH, HEIGHT] = [8, 10, 100]

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
  return html`<figure class="chart"><figcaption class="muted">Peak ${roundMoney(most)}</figcaption>
<svg viewBox="0 0 ${count * PITCH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Revenue by day, at most ${roundMoney(most)}">${bars.map(
    ({ date, revenue }, place) => {
      const height = most === 0n ? 0 : Math.ceil((Number(revenue) / Number(most)) * HEIGHT)
      return html`<g><title>${date}: ${roundMoney(revenue)}</title><rect class="whole" x="${place * PITCH}" y="0" width="${PITCH}" height="${HEIGHT}"/><rect x="${place * PITCH + 1}" y="${HEIGHT - height}" width="${BAR_WIDTH}" height="${height}"/></g>`
    },
  )}</svg>
<p class="muted"><span>${bars.at(0)?.date}</span><span>${bars.at(-1)?.date}</span></p></figure>`
}
