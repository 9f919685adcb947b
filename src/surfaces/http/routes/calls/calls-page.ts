import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { chip } from '../../html/components/badge.ts'
import { linkButton } from '../../html/components/button.ts'
import { icon } from '../../html/components/icon.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { keyName } from '../account/account-components.ts'
import { accountUrl, CALLS_PATH, modeField } from '../account/account-url.ts'
import { CHARGE_LABELS, SURFACE_LABELS } from './call-cells.ts'
import { callsChart, type CallsChartView } from './calls-chart.ts'
import { callTable, type ShownCalls } from './call-table.ts'
import { HTTP_CHOICES, LAST_CHOICES, type CallsFilter } from './calls-filter.ts'

export type CallsView = {
  readonly visitor: Visitor
  readonly filter: CallsFilter
  /** Null for an invalid filter. */
  readonly shown: ShownCalls | null
  /** Null for an invalid filter and for older pages. */
  readonly chart: CallsChartView | null
  /** The keys that match the typed name. */
  readonly matchingKeys: readonly KeyRecord[]
  readonly days: number
  readonly storesBodies: boolean
  /** Why the filter is invalid. */
  readonly problem?: string
}

export function callsPage(site: Site, view: CallsView): string {
  const { visitor, problem, filter } = view
  return layout(site, {
    path: CALLS_PATH,
    title: 'Calls',
    description: 'All calls of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    islands: ['live-calls', 'call-panel'],
    main: html`${pageHeader({
      title: 'Calls',
      lead: describe(view),
      actions: html`<button class="button quiet needs-script" type="button" data-live-pause aria-pressed="false">${icon('pause')}<span>Pause</span></button>`,
    })}
${filterBar(view)}
${problem !== undefined && note('bad', problem)}
${view.matchingKeys.length > 1 && matchingKeyLinks(view)}
${view.chart !== null && callsChart(view.chart)}
<div class="call-split" data-call-panel="${accountUrl(`${CALLS_PATH}/ID`, visitor)}">
<div data-live-calls="${accountUrl(`${CALLS_PATH}/stream`, visitor)}"${filter.cursor !== undefined && html` data-older`}>
${view.shown !== null && list(view, view.shown)}
</div>
</div>`,
  })
}

function describe({ days, storesBodies, visitor }: CallsView): Html {
  const bodies = html`<a href="${accountUrl(`${CALLS_PATH}/bodies`, visitor)}">${storesBodies ? 'are stored' : 'are not stored'}</a>`
  return html`Every call, rejected ones too. Calls without a charge stay for ${days} days. Requests and answers ${bodies}.`
}

function filterBar(view: CallsView): Html {
  const { visitor, filter } = view
  const { q: _q, cursor: _cursor, ...others } = filter
  return html`<div class="call-filters"><form action="${CALLS_PATH}" method="get" role="search">${modeField(visitor)}${Object.entries(others).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="visually-hidden" for="q">Request ID, action or error</label><input id="q" name="q" type="search" value="${filter.q ?? ''}" placeholder="Request ID, action or error" maxlength="255" autocomplete="off" spellcheck="false"></form>
${menu(view, 'charge', 'Status', CHARGE_LABELS)}${menu(view, 'http', 'HTTP', HTTP_CHOICES)}${menu(view, 'surface', 'Surface', SURFACE_LABELS)}${menu(view, 'last', 'Time', LAST_CHOICES)}${keyMenu(view)}
<span class="end">${linkButton(accountUrl(`${CALLS_PATH}.csv`, visitor, { ...filter, cursor: '' }), 'CSV', { kind: 'quiet', size: 'small', icon: 'download' })}</span></div>`
}

/** A chip that opens its choices; with a choice, a chip that removes it. */
function menu(
  { visitor, filter }: CallsView,
  name: keyof CallsFilter,
  label: string,
  choices: Readonly<Record<string, string>>,
): Html {
  const chosen = filter[name]
  const to = (value: string): string =>
    accountUrl(CALLS_PATH, visitor, { ...filter, cursor: '', [name]: value })
  if (chosen !== undefined) return chip(to(''), choices[chosen] ?? chosen, { selected: true })
  return html`<details class="chip-menu"><summary class="chip">${label}</summary><ul>${Object.entries(choices).map(([value, text]) => html`<li><a href="${to(value)}">${text}</a></li>`)}</ul></details>`
}

function keyMenu({ visitor, filter, matchingKeys }: CallsView): Html {
  if (visitor.caller.scope === 'own') return html``
  const [match] = matchingKeys
  if (filter.key !== undefined)
    return chip(
      accountUrl(CALLS_PATH, visitor, { ...filter, cursor: '', key: '' }),
      matchingKeys.length === 1 && match !== undefined ? keyName(match) : filter.key,
      { selected: true },
    )
  const { cursor: _cursor, ...others } = filter
  return html`<details class="chip-menu"><summary class="chip">Key</summary><form action="${CALLS_PATH}" method="get">${modeField(visitor)}${Object.entries(others).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<label for="key">Name, external ID or prefix</label><input id="key" name="key" type="text" maxlength="255" autocomplete="off"><button class="button small" type="submit">Show</button></form></details>`
}

function matchingKeyLinks({ matchingKeys, filter, visitor }: CallsView): Html {
  return html`<ul class="actions">${matchingKeys.map((key) => html`<li><a href="${accountUrl(CALLS_PATH, visitor, { ...filter, cursor: '', key: key.id })}"><bdi class="given">${keyName(key)}</bdi></a></li>`)}</ul>`
}

function list(view: CallsView, shown: ShownCalls): Html {
  const { visitor, filter } = view
  if (shown.calls.length === 0) return noCalls(view, shown)
  return html`${callTable({ visitor, shown })}
<div class="call-foot"><p class="muted" role="status" data-live-state>${filter.cursor === undefined ? html`<a href="${accountUrl(CALLS_PATH, visitor, filter)}">Reload</a> to see new calls.` : 'Older calls.'}</p>${pages(view, shown)}</div>`
}

function pages({ visitor, filter }: CallsView, { nextCursor }: ShownCalls): Html {
  const at = (cursor: string): string => accountUrl(CALLS_PATH, visitor, { ...filter, cursor })
  return html`<nav class="calls-to-action" aria-label="Pages of calls">${filter.cursor !== undefined && linkButton(at(''), 'Newest', { kind: 'quiet' })}${nextCursor !== null && linkButton(at(nextCursor), 'Older', { kind: 'quiet' })}</nav>`
}

function noCalls(view: CallsView, shown: ShownCalls): Html {
  if (Object.keys(view.filter).length === 0)
    return emptyState(
      'calls',
      'No calls yet. They appear here within a second, also when they are rejected.',
      linkButton('/guide', 'Get started'),
    )
  return html`${emptyState(
    'calls',
    shown.nextCursor === null
      ? 'No matching calls.'
      : 'No matching calls in this period. There may be older ones.',
    linkButton(accountUrl(CALLS_PATH, view.visitor), 'Remove all filters', { kind: 'quiet' }),
  )}${pages(view, shown)}`
}
