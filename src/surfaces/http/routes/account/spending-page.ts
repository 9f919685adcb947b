import { dateOf, type Spending, type SpendingOfDays } from '../../../../history/read-spending.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { DAY_MS } from '../../../../lib/clock.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { code, time } from '../../html/components/text.ts'
import { accountHeading, countText, moneyText, keyName } from './account-components.ts'
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
    main: html`<p><a href="${accountUrl('/balance', visitor)}">← Home</a></p>
${accountHeading('Spending', SPENDING_PATH, visitor)}
${periods(view)}
${spending.total.calls === 0 ? html`<p>No paid calls in this period.</p>` : sums(view)}`,
  })
}

function periods({ visitor, days }: SpendingView): Html {
  return html`<nav class="chips" aria-label="Period"><ul>${PERIODS_DAYS.map((period) => html`<li><a href="${accountUrl(SPENDING_PATH, visitor, { days: String(period) })}"${period === days && html` aria-current="true"`}>${period}&nbsp;days</a></li>`)}</ul></nav>`
}

function sums({ visitor, spending, days, nowMs, keys }: SpendingView): Html {
  const names = new Map(keys.map((key) => [key.id, keyName(key)]))
  const history = (label: Cell, filter: Readonly<Record<string, string>>): Html =>
    html`<a href="${accountUrl(TRANSACTIONS_PATH, visitor, filter)}">${label}</a>`
  const { total } = spending
  return html`${!spending.complete && html`<p class="notice">This page counts calls since ${time(spending.since)} only, because there are too many. Export <a href="${accountUrl(TRANSACTIONS_PATH, visitor)}">the history</a> for all calls.</p>`}
<dl class="facts"><div><dt>Spent in ${days} days</dt><dd>${moneyText(total.charged_micros)}</dd></div>
<div><dt>Calls</dt><dd>${countText(total.calls)}</dd></div>
<div><dt>Failed (not charged)</dt><dd>${countText(total.released)}</dd></div></dl>
${chart(spending, days, nowMs)}
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
  spending.days.map(({ date, ...sum }) => [
    html`<time datetime="${date}">${date}</time>`,
    ...cells(sum),
  ]),
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

const [BAR_WIDTH, BAR_PITCH, HEIGHT] = [8, 10, 100]

/** One bar per day, oldest first. The table below has the figures. */
function chart({ days: daily }: SpendingOfDays, days: number, nowMs: number): Html {
  const today = Math.floor(nowMs / DAY_MS)
  const spent = new Map(daily.map(({ date, charged_micros: charged }) => [date, charged]))
  const bars = Array.from({ length: days }, (_, place) => {
    const date = dateOf(today - days + 1 + place)
    return { date, charged: spent.get(date) ?? 0 }
  })
  const most = Math.max(...bars.map(({ charged }) => charged))
  const [first, last] = [bars.at(0), bars.at(-1)]
  return html`<figure class="chart"><figcaption>Daily spend · peak ${moneyText(most)}</figcaption>
<svg viewBox="0 0 ${days * BAR_PITCH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${bars.map(({ date, charged }, place) => bar({ label: `${date}: ${moneyText(charged)}`, x: place * BAR_PITCH, height: most === 0 ? 0 : Math.ceil((charged / most) * HEIGHT) }))}</svg>
<p class="muted"><span>${first?.date}</span><span>${last?.date}</span></p></figure>`
}

function bar({
  label,
  x,
  height,
}: {
  readonly label: string
  readonly x: number
  readonly height: number
}): Html {
  return html`<g><title>${label}</title><rect class="whole" x="${x}" y="0" width="${BAR_PITCH}" height="${HEIGHT}"/><rect x="${x + 1}" y="${HEIGHT - height}" width="${BAR_WIDTH}" height="${height}"/></g>`
}
