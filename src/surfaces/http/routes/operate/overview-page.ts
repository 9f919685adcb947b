import type { AccountRevenue, ServiceDay } from '../../../../operate/totals/read-totals.ts'
import type { KnownCost } from '../../../../operate/money/read-costs.ts'
import { card, stats } from '../../html/components/card.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { segments } from '../../html/components/tabs.ts'
import { table } from '../../html/components/table.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { publicId } from '../../../../lib/ids.ts'
import { countText } from '../account/account-components.ts'
import { ACCOUNTS_PATH } from './accounts-page.ts'
import { attentionCard, type AttentionView } from './attention.ts'
import { consolePage, money, OPERATOR_PATH, percent, roundMoney } from './console-page.ts'
import type { PageRequest } from './console.ts'
import { dayChart } from './day-chart.ts'
import { heatLegend, heatMap, type HeatMapView } from './heat-map.ts'
import { sumUp, type Margins } from './margins.ts'

export const RANGES = [1, 30, 90] as const
export type Range = (typeof RANGES)[number]

export type OverviewView = {
  readonly range: Range
  readonly today: number
  readonly days: readonly ServiceDay[]
  /** At least two weeks. */
  readonly charted: readonly ServiceDay[]
  readonly costs: readonly KnownCost[]
  readonly top: readonly AccountRevenue[]
  readonly heat: HeatMapView
  readonly attention: AttentionView
}

/** The first page of the operator console. */
export function overviewPage(site: Site, request: PageRequest, view: OverviewView): string {
  const sums = sumUp(view.days, view.costs)
  const today = sumUp(
    view.days.filter(({ day }) => day === view.today),
    view.costs.filter(({ day }) => day === view.today),
  )
  return consolePage(site, request, {
    path: OPERATOR_PATH,
    title: 'Overview',
    main: html`${pageHeader({ title: 'Overview', actions: ranges(view.range) })}
${stats([
  { label: 'Revenue', value: roundMoney(sums.revenue), note: `${roundMoney(today.revenue)} today` },
  costStat(sums),
  marginStat(sums),
  {
    label: 'Failed calls',
    value: percent(sums.failed, sums.calls),
    note: `${countText(sums.failed)} of ${countText(sums.calls)}, not charged`,
  },
])}
<div class="stack">
<div class="split wide-side">
${card({ title: 'Revenue by day', aside: html`<span class="muted">UTC</span>`, content: dayChart({ days: view.charted, last: view.today, count: Math.max(view.range, 14) }), foot: html`<a href="${OPERATOR_PATH}/money">Money by service and account</a>` })}
${attentionCard(view.attention)}
</div>
${card({ title: 'Failures, last 24 hours', aside: heatLegend, content: heatMap(view.heat) })}
${topAccounts(view)}</div>`,
  })
}

function ranges(range: Range): Html {
  const hrefOf = (days: Range): string =>
    days === 30 ? OPERATOR_PATH : `${OPERATOR_PATH}?days=${days}`
  return segments(
    'Period',
    RANGES.map((days) => ({ href: hrefOf(days), label: days === 1 ? 'Today' : `${days} days` })),
    hrefOf(range),
  )
}

export function costStat({ cost, covered, revenue }: Margins) {
  return {
    label: 'Vendor cost',
    value: revenue === 0n || covered > 0n ? roundMoney(cost) : 'unknown',
    note:
      covered < revenue
        ? `known for ${percent(Number(covered), Number(revenue))} of the revenue: calls paid from a wallet`
        : 'paid from wallets',
  }
}

export function marginStat({ margin, covered, revenue }: Margins) {
  return {
    label: 'Margin',
    value: margin === null ? 'unknown' : percent(Number(margin), Number(covered)),
    note:
      margin === null
        ? 'vendors bill calls with your keys to you'
        : `${roundMoney(margin)}${covered < revenue ? ' of the calls with a known cost' : ''}`,
  }
}

function topAccounts({ top }: OverviewView): Html {
  return card({
    title: 'Accounts by revenue',
    aside: html`<a href="${ACCOUNTS_PATH}">All accounts</a>`,
    content:
      top.length === 0 ? html`<p class="muted">No revenue in this period.</p>` : accountTable(top),
  })
}

export function accountTable(rows: readonly AccountRevenue[]): Html {
  return table(
    'Accounts by revenue',
    [
      'Account',
      { figures: 'Revenue' },
      { figures: 'Calls' },
      { figures: 'Failed' },
      { figures: 'Balance' },
    ],
    rows.map(({ accountId, email, calls, failed, revenue, balance }) => [
      html`<a href="${ACCOUNTS_PATH}/${publicId('account', accountId)}"><bdi class="given">${email}</bdi></a>`,
      money(revenue),
      countText(calls),
      percent(failed, calls),
      money(balance),
    ]),
  )
}
