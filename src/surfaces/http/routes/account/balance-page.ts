import type { Balance } from '../../../../accounts/balance.ts'
import type { TransactionPage } from '../../../../history/list-transactions.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { CallMarks } from '../../../../history/stored-answers.ts'
import { TRANSACTION_KINDS, TRANSACTION_STATUSES } from '../../../../history/transaction-filter.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { linkButton } from '../../html/components/button.ts'
import { stats } from '../../html/components/card.ts'
import { accountHeading, choice, dollarText, keyName } from './account-components.ts'
import { accountUrl, CALLS_PATH, modeField } from './account-url.ts'
import { KIND_LABELS, STATUS_LABELS } from './call-labels.ts'
import { historyTable, type HistoryFilter } from './history-table.ts'
import { SPENDING_PATH } from './spending-page.ts'

export type BalanceView = {
  readonly visitor: Visitor
  readonly balance: Balance
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

export function balancePage(site: Site, view: BalanceView): string {
  const { balance } = view
  return layout(site, {
    path: '/balance',
    title: 'Balance',
    description: 'Balance, credit and history of the account.',
    unlisted: true,
    accountQuery: accountUrl('', view.visitor),
    viewer: view.visitor,
    main: html`${accountHeading('Balance', '/balance', view.visitor)}
${figures(balance)}
<p><a href="${accountUrl(SPENDING_PATH, view.visitor)}">Spending by day, action and key</a></p>
${view.visitor.caller.scope === 'own' ? html`<p class="muted">This key sees only its own calls and its limit.</p>` : html`<p><a class="button" href="${accountUrl('/credit', view.visitor)}">Add credit</a></p>`}
<h2 id="history">History</h2>
${filterForm(view)}
${view.refusal !== undefined && html`<p class="notice" role="alert">${view.refusal}</p>`}
${view.matchingKeys.length > 1 && view.page === null && listMatchingKeys(view)}
${view.matchingKeys.length === 1 && html`<p class="muted">Showing calls of the key ${view.matchingKeys.map((key) => html`<bdi class="given">${keyName(key)}</bdi>`)}.</p>`}
<p>${linkButton(accountUrl(`${CALLS_PATH}/find`, view.visitor), 'Find a call by its Idempotency-Key', { kind: 'quiet', size: 'small' })}</p>
${view.page !== null && historyTable(view, view.page)}`,
  })
}

function figures(balance: Balance): Html {
  const { held_micros: held } = balance
  return stats([
    {
      label: 'Available',
      value: dollarText(balance.available_micros),
      note:
        held === 0
          ? 'Nothing pending'
          : `${dollarText(held)} of ${dollarText(balance.balance_micros)} pending`,
    },
    {
      label: 'Spent today',
      value: dollarText(balance.spent_today_micros),
      note: 'Since 00:00 UTC',
    },
    { label: 'Spent this month', value: dollarText(balance.spent_month_micros), note: 'UTC' },
  ])
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
