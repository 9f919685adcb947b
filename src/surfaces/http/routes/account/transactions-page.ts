import type { TransactionPage } from '../../../../history/list-transactions.ts'
import type { CallMarks } from '../../../../history/stored-answers.ts'
import { TRANSACTION_KINDS, TRANSACTION_STATUSES } from '../../../../history/transaction-filter.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { choice, keyName } from './account-components.ts'
import { accountUrl, CALLS_PATH, modeField, TRANSACTIONS_PATH } from './account-url.ts'
import { KIND_LABELS, STATUS_LABELS } from './call-labels.ts'
import { historyTable, type HistoryFilter } from './history-table.ts'

export type TransactionsView = {
  readonly visitor: Visitor
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
  /** Null for an invalid filter, with the reason in `problem`. */
  readonly page: TransactionPage | null
  readonly problem?: string
}

/** All changes of the balance: charges and credit, with a filter and an export. */
export function transactionsPage(site: Site, view: TransactionsView): string {
  const { visitor } = view
  return layout(site, {
    path: TRANSACTIONS_PATH,
    title: 'Transactions',
    description: 'Charges and credit of the account, with the balance after each.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    crumbs: [{ label: 'Home', href: accountUrl('/balance', visitor) }, { label: 'Transactions' }],
    main: html`${pageHeader({
      title: 'Transactions',
      lead: html`Charges and credit, with the balance after each. <a href="${accountUrl(CALLS_PATH, visitor)}">Calls</a> also lists rejected and free calls.`,
    })}
<section id="history" aria-label="Transactions">
${filterForm(view)}
${view.problem !== undefined && note('bad', view.problem)}
${view.matchingKeys.length > 1 && view.page === null && listMatchingKeys(view)}
${view.matchingKeys.length === 1 && html`<p class="muted">Showing calls of the key ${view.matchingKeys.map((key) => html`<bdi class="given">${keyName(key)}</bdi>`)}.</p>`}
${view.page !== null && historyTable(view, view.page)}
</section>`,
  })
}

function filterForm({ filter, keys, keysOffered, matchingKeys, visitor }: TransactionsView): Html {
  const keyChoices = keys.map((key) => [key.id, keyName(key)] as const)
  const [match] = matchingKeys
  const isFiltered = Object.keys(filter).some((name) => name !== 'cursor')
  return html`<details${isFiltered && html` open`}><summary>Filter and export</summary>
<form class="filters" action="${TRANSACTIONS_PATH}" method="get">${modeField(visitor)}
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
<div class="calls-to-action"><button type="submit">Apply filter</button> <a class="button quiet" href="${accountUrl(`${TRANSACTIONS_PATH}.csv`, visitor, { ...filter, cursor: '' })}">Download CSV</a></div>
</form></details>`
}

function field(name: keyof HistoryFilter, label: string, type: 'text' | 'date', value = ''): Html {
  return html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value}"${type === 'text' && html` maxlength="255"`} autocomplete="off"></div>`
}

function listMatchingKeys({ matchingKeys, filter, visitor }: TransactionsView): Html {
  return html`<ul class="actions">${matchingKeys.map(
    (
      key,
    ) => html`<li><a href="${accountUrl(TRANSACTIONS_PATH, visitor, { ...filter, cursor: '', key: key.id })}"><bdi class="given">${keyName(key)}</bdi></a>${key.external_id !== null && html` <span class="muted"><bdi>${key.external_id}</bdi></span>`}</li>
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
