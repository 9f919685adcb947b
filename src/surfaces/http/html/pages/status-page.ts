import {
  LEAST_ACCOUNTS,
  LEAST_CALLS,
  type HealthPeriod,
  type ServiceHealth,
} from '../../../../history/read-service-health.ts'
import type { ServiceStatus } from '../../routes/status/service-status.ts'
import { badge } from '../components/badge.ts'
import { stats } from '../components/card.ts'
import { pageHeader } from '../components/page-header.ts'
import { table, type Cell } from '../components/table.ts'
import { segments } from '../components/tabs.ts'
import { laneBadge, time } from '../components/text.ts'
import { html, type Html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'

const PERIODS: Readonly<Record<HealthPeriod, string>> = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  month: 'Last 30 days',
}
/** Shares below these are marked. */
const GOOD = 0.95
const FAIR = 0.8

export function statusPage(
  site: Site,
  view: {
    readonly services: readonly ServiceStatus[]
    readonly period: HealthPeriod
    /** RFC 3339. */
    readonly at: string
  },
): string {
  const { services, period, at } = view
  const live = services.filter(({ isLive }) => isLive)
  const others = services.filter(({ isLive }) => !isLive)
  const measured = live.filter(({ health }) => health[period] !== null)
  const unmeasured = live.filter(({ health }) => health[period] === null)
  const isTroubled = ({ health }: ServiceStatus) => (health[period]?.succeeded ?? 1) < GOOD
  return layout(site, {
    path: '/status',
    title: 'Status',
    description: 'Which services of this gateway are live, and how their calls ended lately.',
    main: html`${pageHeader({
      title: 'Status',
      lead: html`How calls of this gateway ended, from the calls themselves. Simulated calls and errors that a caller caused are not counted.`,
      meta: html`Updated ${time(at)}`,
    })}
${stats([
  { label: 'Live services', value: `${live.length} of ${services.length}` },
  { label: 'With figures', value: measured.length, note: PERIODS[period] },
  { label: 'Below 95% success', value: measured.filter(isTroubled).length, note: PERIODS[period] },
])}
<div class="heading-row status-head"><h2>Live services</h2>${segments(
      'Period',
      (Object.entries(PERIODS) as [HealthPeriod, string][]).map(([name, label]) => ({
        href: hrefOf(name),
        label,
      })),
      hrefOf(period),
    )}</div>
${live.length === 0 ? html`<p class="notice">No services are set up on this gateway yet.</p>` : measured.length === 0 ? html`<p class="muted">No service has enough calls for figures in this period.</p>` : liveTable(measured, period)}
<p class="muted small">A service has figures from ${LEAST_CALLS} calls of ${LEAST_ACCOUNTS} accounts on, so that no figure describes a single account. Figures cover the latest 400 calls of each of the 500 most active accounts. Times exclude jobs. <a href="/api/status">The same as JSON</a>.</p>
${
  unmeasured.length > 0 &&
  html`<details${measured.length === 0 && html` open`}><summary>${unmeasured.length} live services without figures</summary>
<p class="muted">The operator has set these services up. Too few calls of this period show how they work.</p>
${table(
  'Live services without figures',
  ['Service', 'State'],
  unmeasured.map((service) => [nameOf(service), laneBadge(true)]),
)}</details>`
}
${
  others.length > 0 &&
  html`<details><summary>${others.length} services need operator setup</summary>
${table(
  'Services that need operator setup',
  ['Service', 'State'],
  others.map((service) => [nameOf(service), laneBadge(false)]),
)}</details>`
}`,
  })
}

function liveTable(services: readonly ServiceStatus[], period: HealthPeriod): Html {
  return table(
    'Live services',
    [
      'Service',
      'State',
      { figures: 'Succeeded' },
      { figures: 'Median' },
      { figures: '95th percentile' },
    ],
    services.flatMap((service) => {
      const health = service.health[period]
      return health === null ? [] : [[nameOf(service), stateOf(health), ...figuresOf(health)]]
    }),
  )
}

function nameOf({ id, title }: ServiceStatus): Html {
  const href = id === 'llm' ? '/docs/router' : `/catalog/${id}`
  return html`<a href="${href}">${title}</a> <code>${id}</code>`
}

function stateOf(health: ServiceHealth): Html {
  if (health.succeeded >= GOOD) return badge('live', 'Live')
  return health.succeeded >= FAIR ? badge('pending', 'Some failures') : badge('error', 'Failing')
}

function figuresOf(health: ServiceHealth): readonly Cell[] {
  return [
    `${(Math.floor(health.succeeded * 1_000) / 10).toFixed(1)}%`,
    duration(health.medianMs),
    duration(health.p95Ms),
  ]
}

function duration(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}

function hrefOf(period: HealthPeriod): string {
  return period === 'day' ? '/status' : `/status?period=${period}`
}
