import { dateOf, type Spending, type SpendingOfDays } from '../../../../history/read-spending.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { DAY_MS } from '../../../../lib/clock.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { card, stats } from '../../html/components/card.ts'
import { dayBars } from '../../html/components/day-bars.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { segments } from '../../html/components/tabs.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { calendarDay, code, time } from '../../html/components/text.ts'
import { countText, keySessionNote, moneyText, keyName } from './account-components.ts'
import { accountUrl, TRANSACTIONS_PATH } from './account-url.ts'

export const SPENDING_PATH = '/balance/spending'
/** Selectable numbers of days. */
export const PERIODS_DAYS = [7, 30, 90] as const

export type SpendingView = {
  readonly visitor: Visitor
  readonly spending: SpendingOfDays
  readonly days: number
  readonly nowMs: number
  readonly keys: readonly KeyRecord[]
}

export function spendingPage(site: Site, view: SpendingView): string {
  const { visitor, spending } = view
  return layout(site, {
    path: SPENDING_PATH,
    title: 'Spending',
    description: 'Spending by day, action and key.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`${pageHeader({ title: 'Spending', actions: periods(view) })}
${keySessionNote(SPENDING_PATH, visitor)}
${spending.total.calls === 0 ? html`<p>No paid calls in this period.</p>` : sums(view)}`,
  })
}

function periods({ visitor, days }: SpendingView): Html {
  const to = (period: number): string =>
    accountUrl(SPENDING_PATH, visitor, { days: String(period) })
  return segments(
    'Period',
    PERIODS_DAYS.map((period) => ({ href: to(period), label: `${period} days` })),
    to(days),
  )
}

function sums({ visitor, spending, days, nowMs, keys }: SpendingView): Html {
  const names = new Map(keys.map((key) => [key.id, keyName(key)]))
  const history = (label: Cell, filter: Readonly<Record<string, string>>): Html =>
    html`<a href="${accountUrl(TRANSACTIONS_PATH, visitor, filter)}">${label}</a>`
  const { total } = spending
  return html`${!spending.complete && html`<p class="notice">This page counts calls since ${time(spending.since)} only, because there are too many. Export <a href="${accountUrl(TRANSACTIONS_PATH, visitor)}">the history</a> for all calls.</p>`}
${stats([
  { label: `Spent in ${days} days`, value: moneyText(total.charged_micros) },
  { label: 'Calls', value: countText(total.calls) },
  { label: 'Failed (not charged)', value: countText(total.released) },
])}
${card({ title: 'Spend by day', aside: html`<span class="muted">UTC</span>`, content: chart(spending, days, nowMs) })}
<h2 id="actions">By action</h2>
${table(
  'By action',
  ['Action', ...HEAD],
  spending.actions.map(({ service, action, ...sum }) => [
    history(code(`${service}/${action}`), { service, action }),
    ...cells(sum),
  ]),
)}
<h2 id="keys">By key</h2>
${table(
  'By key',
  ['Key', ...HEAD],
  spending.keys.map(({ agent_id: id, ...sum }) => [
    history(html`<bdi class="given">${names.get(id) ?? id}</bdi>`, { key: id }),
    ...cells(sum),
  ]),
)}
<h2 id="days">By day</h2>
${table(
  'By day',
  ['Day (UTC)', ...HEAD],
  spending.days.map(({ date, ...sum }) => [calendarDay(date), ...cells(sum)]),
)}
<p class="muted">Calls count on the day they started.</p>`
}

const HEAD = [
  { figures: 'Spent' },
  { figures: 'Calls' },
  { figures: 'Failed (not charged)' },
] as const

function cells({ charged_micros: charged, calls, released }: Spending): Cell[] {
  return [moneyText(charged), countText(calls), countText(released)]
}

/** The table below has the figures. */
function chart({ days: daily }: SpendingOfDays, days: number, nowMs: number): Html {
  const today = Math.floor(nowMs / DAY_MS)
  const spent = new Map(daily.map(({ date, charged_micros: charged }) => [date, charged]))
  const bars = Array.from({ length: days }, (_, place) => {
    const date = dateOf(today - days + 1 + place)
    return { date, charged: spent.get(date) ?? 0 }
  })
  const most = Math.max(...bars.map(({ charged }) => charged))
  return dayBars({
    label: 'Spend by day',
    peak: moneyText(most),
    bars: bars.map(({ date, charged }) => ({
      date,
      share: most === 0 ? 0 : charged / most,
      text: moneyText(charged),
    })),
  })
}
