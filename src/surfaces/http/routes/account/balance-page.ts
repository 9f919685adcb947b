import type { TransactionPage } from '../../../../history/list-transactions.ts'
import type { CallMarks } from '../../../../history/stored-answers.ts'
import { TRANSACTION_KINDS, TRANSACTION_STATUSES } from '../../../../history/transaction-filter.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { linkButton } from '../../html/components/button.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { choice, keyName } from './account-components.ts'
import { accountUrl, CALLS_PATH, modeField } from './account-url.ts'
import { KIND_LABELS, STATUS_LABELS } from './call-labels.ts'
import { historyTable, type HistoryFilter } from './history-table.ts'
import { homeCards, type HomeFigures } from './home-cards.ts'
import { spendChart, type SpendChartView } from './spend-chart.ts'

export type BalanceView = HomeFigures & {
  /** Null while the history is filtered. */
  readonly chart: Omit<SpendChartView, 'visitor'> | null
  /** The first steps of a new account; null when they are done. */
  readonly firstSteps: Html | null
  /** The keys whose names the page shows. */
  readonly keys: readonly KeyRecord[]
  /** Whether `keys` is complete, so that the filter can list them. Otherwise the visitor types a name. */
  readonly keysOffered: boolean
  /** The keys that match the typed name. */
  readonly matchingKeys: readonly KeyRecord[]
  readonly filter: HistoryFilter
  /** Actions with a catalog page, as `service/action`. Models and fetched URLs have none. */
  readonly actionIds: ReadonlySet<string>
  readonly marks: CallMarks
  /** Null for an invalid filter, with the reason in `refusal`. */
  readonly page: TransactionPage | null
  readonly refusal?: string
}

const HOME_PATH = '/balance'

export function balancePage(site: Site, view: BalanceView): string {
  const { visitor, filter } = view
  const isFiltered = Object.keys(filter).length > 0
  return layout(site, {
    path: HOME_PATH,
    title: 'Home',
    description: 'Balance, spending and latest calls of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    islands: ['spend-chart', 'refresh'],
    main: html`${pageHeader({
      title: 'Home',
      ...(visitor.email === null ? { lead: signedInWithKey() } : {}),
      ...(visitor.caller.scope === 'own'
        ? {}
        : {
            actions: linkButton(accountUrl('/credit', visitor), 'Add credit', { icon: 'plus' }),
          }),
    })}
${visitor.caller.scope === 'own' && html`<p class="muted">This key sees only its own calls and its limit.</p>`}
${view.firstSteps}
${homeCards(view)}
${view.chart !== null && spendChart({ visitor, ...view.chart })}
<h2 id="history">${isFiltered ? 'Transactions' : 'Latest calls'}</h2>
${filterForm(view)}
${view.refusal !== undefined && html`<p class="notice" role="alert">${view.refusal}</p>`}
${view.matchingKeys.length > 1 && view.page === null && listMatchingKeys(view)}
${view.matchingKeys.length === 1 && html`<p class="muted">Showing calls of the key ${view.matchingKeys.map((key) => html`<bdi class="given">${keyName(key)}</bdi>`)}.</p>`}
<p class="row">${linkButton(accountUrl(CALLS_PATH, visitor), 'See all calls', { kind: 'quiet', size: 'small' })}<a href="${accountUrl(`${CALLS_PATH}/find`, visitor)}">Find a call by its Idempotency-Key</a></p>
${view.page !== null && historyTable(view, view.page)}`,
  })
}

function signedInWithKey(): Html {
  return html`Signed in with a key. Account holders can <a href="/sign-in?next=${HOME_PATH}">sign in with email</a>.`
}

function filterForm({ filter, keys, keysOffered, matchingKeys, visitor }: BalanceView): Html {
  const keyChoices = keys.map((key) => [key.id, keyName(key)] as const)
  const [match] = matchingKeys
  const isFiltered = Object.keys(filter).some((name) => name !== 'cursor')
  return html`<details${isFiltered && html` open`}><summary>Filter and export</summary>
<form class="filters" action="/balance#history" method="get">${modeField(visitor)}
${oneOf(
  'kind',
  'Kind',
  TRANSACTION_KINDS.map((kind) => [kind, KIND_LABELS[kind]] as const),
  filter.kind,
)}
${oneOf(
  'status',
  'Status',
  TRANSACTION_STATUSES.map((status) => [status, STATUS_LABELS[status]] as const),
  filter.status,
)}
${field('request_id', 'Request ID', 'text', filter.request_id)}
${keysOffered ? oneOf('key', 'Key', keyChoices, matchingKeys.length === 1 ? match?.id : filter.key) : field('key', 'Key name or ID', 'text', filter.key)}
${field('service', 'Service', 'text', filter.service)}
${field('action', 'Action', 'text', filter.action)}
${field('external_id', 'External ID', 'text', filter.external_id)}
${field('from', 'From', 'date', filter.from)}
${field('to', 'Before', 'date', filter.to)}
<div class="calls-to-action"><button type="submit">Apply filter</button> <a class="button quiet" href="${accountUrl('/balance/transactions.csv', visitor, { ...filter, cursor: '' })}">Download CSV</a></div>
</form></details>`
}

function field(name: keyof HistoryFilter, label: string, type: 'text' | 'date', value = ''): Html {
  return html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value}"${type === 'text' && html` maxlength="255"`} autocomplete="off"></div>`
}

function listMatchingKeys({ matchingKeys, filter, visitor }: BalanceView): Html {
  return html`<ul class="actions">${matchingKeys.map(
    (
      key,
    ) => html`<li><a href="${accountUrl('/balance', visitor, { ...filter, cursor: '', key: key.id })}#history"><bdi class="given">${keyName(key)}</bdi></a>${key.external_id !== null && html` <span class="muted"><bdi>${key.external_id}</bdi></span>`}</li>
`,
  )}</ul>`
}

const ANY = ['', 'Any'] as const

function oneOf(
  name: keyof HistoryFilter,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen = '',
): Html {
  return choice(name, label, [ANY, ...options], chosen)
}
