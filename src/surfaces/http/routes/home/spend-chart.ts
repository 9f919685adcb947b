import { sum, type DailyStack, type StackGroup } from '../../../../history/read-daily-stack.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { dateOf } from '../../../../history/read-spending.ts'
import { html, type Html } from '../../html/html.ts'
import { linkButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { emptyState } from '../../html/components/note.ts'
import { table } from '../../html/components/table.ts'
import { segments } from '../../html/components/tabs.ts'
import { calendarDay, code, dayText } from '../../html/components/text.ts'
import { countOf, countText, moneyText } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import type { ChartRange } from './chart-range.ts'
import { PERIODS_DAYS } from '../account/spending-page.ts'

export type SpendChartView = {
  readonly visitor: Visitor
  readonly stack: DailyStack
  readonly range: ChartRange
  /** The names of keys by their ids. */
  readonly keyNames: ReadonlyMap<string, string>
}

const [HEIGHT, GAP] = [160, 0.25]

/** Spending by day, stacked by action or key. A script adds hover and the choice of days by dragging. */
export function spendChart(view: SpendChartView): Html {
  const { visitor, range, stack } = view
  const to = (query: Readonly<Record<string, string>>): string =>
    accountUrl('/balance', visitor, { by: range.by, ...rangeQuery(range), ...query })
  const total = sum(stack.groups.map(({ charged }) => sum(charged)))
  return card({
    title: 'Spend',
    id: 'spend',
    aside: html`<div class="row">${segments(
      'Stack by',
      [
        { href: to({ by: 'action' }), label: 'By action' },
        { href: to({ by: 'key' }), label: 'By key' },
      ],
      to({}),
    )}${segments(
      'Period',
      PERIODS_DAYS.map((days) => ({
        href: to({ days: String(days), since: '', until: '' }),
        label: `${days} days`,
      })),
      range.days === null ? undefined : to({ days: String(range.days), since: '', until: '' }),
    )}${linkButton(csvUrl(view), 'CSV', { kind: 'quiet', size: 'small', icon: 'download' })}</div>`,
    content: html`${range.days === null && html`<p class="row"><strong>${calendarDay(dateOf(range.firstDay))} to ${calendarDay(dateOf(range.lastDay))}</strong><a href="${accountUrl('/balance', visitor, { by: range.by })}">Show the last 30 days</a></p>`}
${
  total === 0
    ? emptyState('bars', 'No paid calls in this period.')
    : html`<div class="spend-chart" data-chart="${chartData(view)}" data-range-url="${accountUrl('/balance', visitor, { by: range.by, since: 'SINCE', until: 'UNTIL' })}">${drawing(stack)}</div>
${legend(view)}
<details class="chart-table"><summary>Show as a table</summary>${dayTable(view)}</details>`
}
${!stack.complete && html`<p class="hint">Only the latest calls of this period are counted, because there are too many. The CSV has all.</p>`}`,
    foot: html`<span>${moneyText(total)} for ${countOf(sum(stack.calls), 'call')}. Failed (not charged): ${countText(sum(stack.released))}</span><a href="${accountUrl('/balance/spending', visitor)}">Spending by action and key</a>`,
  })
}

function rangeQuery({ days, firstDay, lastDay }: ChartRange): Readonly<Record<string, string>> {
  return days === null
    ? { since: dateOf(firstDay), until: dateOf(lastDay) }
    : { days: String(days) }
}

function csvUrl({ visitor, range }: SpendChartView): string {
  return accountUrl('/balance/transactions.csv', visitor, {
    from: dateOf(range.firstDay),
    to: dateOf(range.lastDay + 1),
  })
}

function nameOf({ id }: StackGroup, { range, keyNames }: SpendChartView): string {
  if (id === null) return 'Other'
  return range.by === 'key' ? (keyNames.get(id) ?? id) : id
}

/** The color of a group: the last one is that of all others. */
function colorOf({ id }: StackGroup, at: number): number {
  return id === null ? 6 : at + 1
}

/** The data of the script, as JSON. Amounts are in dollars. */
function chartData(view: SpendChartView): string {
  const { dates, groups, calls, released } = view.stack
  return JSON.stringify({
    dates,
    labels: dates.map(dayText),
    calls,
    released,
    groups: groups.map((group, at) => ({
      name: nameOf(group, view),
      color: colorOf(group, at),
      dollars: group.charged.map((micros) => micros / 1_000_000),
    })),
  })
}

function drawing({ dates, groups }: DailyStack): Html {
  const totals = dates.map((_, day) => sum(groups.map(({ charged }) => charged[day] ?? 0)))
  const most = Math.max(...totals, 1)
  return html`<svg class="stack" viewBox="0 0 ${dates.length} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${dates.map((_, day) => bar(groups, day, most))}</svg>
<p class="chart-axis"><span>${dayText(dates[0] ?? '')}</span><span>peak ${moneyText(most)}</span><span>${dayText(dates.at(-1) ?? '')}</span></p>`
}

function bar(groups: readonly StackGroup[], day: number, most: number): Html {
  let top = HEIGHT
  return html`${groups.map((group, at) => {
    const height = ((group.charged[day] ?? 0) / most) * HEIGHT
    top -= height
    return (
      height > 0 &&
      html`<rect class="c${colorOf(group, at)}" x="${day + GAP / 2}" y="${top.toFixed(2)}" width="${1 - GAP}" height="${height.toFixed(2)}"/>`
    )
  })}`
}

function legend(view: SpendChartView): Html {
  const { groups } = view.stack
  return html`<ul class="legend">${groups.map((group, at) => html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="c${colorOf(group, at)}" width="10" height="10" rx="2"/></svg><span class="given">${view.range.by === 'action' && group.id !== null ? code(group.id) : nameOf(group, view)}</span><span class="num">${moneyText(sum(group.charged))}</span></li>`)}</ul>`
}

function dayTable(view: SpendChartView): Html {
  const { dates, groups, calls, released } = view.stack
  const rows = dates
    .map((date, at) => [
      calendarDay(date),
      ...groups.map(({ charged }) => moneyText(charged[at] ?? 0)),
      countText(calls[at] ?? 0),
      countText(released[at] ?? 0),
    ])
    .filter((_, at) => (calls[at] ?? 0) > 0)
    .toReversed()
  return table(
    'Spend by day',
    [
      'Day (UTC)',
      ...groups.map((group) => ({ figures: nameOf(group, view) })),
      { figures: 'Calls' },
      { figures: 'Not charged' },
    ],
    rows,
  )
}

/** A line without axes, such as the spending of 30 days. */
export function sparkline(amounts: readonly number[]): Html {
  const most = Math.max(...amounts, 1)
  const points = amounts.map((amount, at) => `${at},${(20 - (amount / most) * 18).toFixed(1)}`)
  return html`<svg class="sparkline" viewBox="0 0 ${Math.max(1, amounts.length - 1)} 21" preserveAspectRatio="none" aria-hidden="true"><polyline points="${points.join(' ')}"/></svg>`
}
