import type { Balance, Lot } from '../../../../accounts/balance.ts'
import type { TransactionPage } from '../../../../history/list-transactions.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import {
  TRANSACTION_KINDS,
  TRANSACTION_STATUSES,
  type TransactionKind,
  type TransactionStatus,
} from '../../../../history/transaction-filter.ts'
import type { TransactionRecord } from '../../../../history/transaction-record.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { code, table, time, type Cell } from '../../html/components.ts'
import { accountHeading, choice, dollarText, keyName } from './account-components.ts'
import { accountUrl, modeField } from './account-url.ts'
import { SPENDING_PATH } from './spending-page.ts'

/** The submitted fields of the filter form. */
export type HistoryFilter = Readonly<
  Partial<
    Record<
      | 'service'
      | 'action'
      | 'status'
      | 'kind'
      | 'request_id'
      | 'key'
      | 'external_id'
      | 'from'
      | 'to'
      | 'cursor',
      string
    >
  >
>

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
  /** Amounts for card payments, in cents. */
  readonly packs: readonly number[]
  /** Null for an invalid filter, with the reason in `refusal`. */
  readonly page: TransactionPage | null
  readonly refusal?: string
  /** The error of a form. */
  readonly problem?: string
}

export function balancePage(site: Site, view: BalanceView): string {
  const { balance } = view
  return layout(site, {
    path: '/balance',
    title: 'Balance',
    description: 'Balance, credit and history of the account.',
    unlisted: true,
    accountQuery: accountUrl('', view.visitor),
    main: html`${accountHeading('Balance', '/balance', view.visitor)}
${view.problem !== undefined && html`<p class="notice" role="alert">${view.problem}</p>`}
${figures(balance)}
<p><a href="${accountUrl(SPENDING_PATH, view.visitor)}">Spending by day, action and key</a></p>
${view.visitor.caller.scope === 'own' ? html`<p class="muted">This key sees only its own calls and its limit.</p>` : credit(view)}
<h2 id="history">History</h2>
${filterForm(view)}
${view.refusal !== undefined && html`<p class="notice" role="alert">${view.refusal}</p>`}
${view.matchingKeys.length > 1 && view.page === null && listMatchingKeys(view)}
${view.matchingKeys.length === 1 && html`<p class="muted">Showing calls of the key ${view.matchingKeys.map((key) => html`<bdi class="given">${keyName(key)}</bdi>`)}.</p>`}
${view.page !== null && history(view, view.page)}`,
  })
}

function credit(view: BalanceView): Html {
  const { lots } = view.balance
  return html`<h2 id="credit">Credit</h2>
${lots.length === 0 ? html`<p>No credit remaining.</p>` : lotTable(lots)}
${moreCredit(view)}`
}

function figures(balance: Balance): Html {
  const rows = [
    ['Available', balance.available_micros],
    ['Balance', balance.balance_micros],
    ['Pending', balance.held_micros],
    ['Spent today (UTC)', balance.spent_today_micros],
    ['Spent this month (UTC)', balance.spent_month_micros],
  ] as const
  return html`<dl class="facts">${rows.map(([name, micros]) => html`<div><dt>${name}</dt><dd>${dollarText(micros)}</dd></div>`)}</dl>`
}

const SOURCES = {
  grant: 'Grant',
  topup: 'Top-up',
  refund: 'Refund',
  adjustment: 'Adjustment',
} as const

function lotTable(lots: readonly Lot[]): Html {
  const rows = lots.map((lot) => [
    SOURCES[lot.source],
    dollarText(lot.remaining_micros),
    dollarText(lot.amount_micros),
    time(lot.created_at),
    lot.expires_at === null ? 'Never' : time(lot.expires_at),
  ])
  return html`<p class="muted">Used in this order.</p>${table('Credit', ['Source', { figures: 'Remaining' }, { figures: 'Amount' }, 'Added (UTC)', 'Expires (UTC)'], rows)}`
}

function moreCredit({ balance, packs }: BalanceView): Html {
  if (packs.length === 0 || balance.mode === 'test')
    return html`<p class="muted">The operator of this gateway can add credit.</p>`
  return html`<p>Add credit by card. It appears when the payment is confirmed, usually within seconds, and never expires.</p>
<form class="calls-to-action" action="/balance/buy" method="post">${packs.map((cents) => html`<button class="button quiet" type="submit" name="cents" value="${cents}">Add ${dollarText(cents * 10_000)}</button> `)}</form>`
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

const KIND_LABELS = {
  call: 'Call',
  job: 'Job',
  llm: 'Language model',
  session: 'Session',
  topup: 'Top-up',
  grant: 'Grant',
  refund: 'Refund',
  adjustment: 'Adjustment',
} as const satisfies Record<TransactionKind, string>

const STATUS_LABELS = {
  held: 'Pending',
  settled: 'Charged',
  released: 'Not charged',
} as const satisfies Record<TransactionStatus, string>

function oneOf(
  name: keyof HistoryFilter,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen = '',
): Html {
  return choice(name, label, [ANY, ...options], chosen)
}

function history(
  { filter, keys, actionIds, visitor }: BalanceView,
  { transactions, nextCursor }: TransactionPage,
): Html {
  const names = new Map(keys.map((key) => [key.id, keyName(key)]))
  const links = html`<nav class="calls-to-action" aria-label="Pages of the history">
${filter.cursor !== undefined && html`<a class="button quiet" href="${accountUrl('/balance', visitor, { ...filter, cursor: '' })}#history">Newest</a>`}
${nextCursor !== null && html`<a class="button quiet" href="${accountUrl('/balance', visitor, { ...filter, cursor: nextCursor })}#history">Older</a>`}</nav>`
  if (transactions.length === 0 && Object.keys(filter).length === 0)
    return html`<p>No transactions yet. Paid calls and added credit appear here.</p>`
  if (transactions.length === 0)
    return html`<p>${nextCursor === null ? 'No matching calls.' : 'No matching calls in this period. There may be older ones.'}</p>${links}`
  return html`<p class="muted">A <em>pending</em> call is in progress. A call that failed is <em>not charged</em> and shows its error. Calls of free actions are not listed.</p>
${table(
  'History',
  [
    'Time (UTC)',
    'Action',
    'Status',
    { figures: 'Amount' },
    { figures: 'Balance after' },
    'Key',
    { figures: 'Duration' },
  ],
  byBalanceChange(transactions).map((line) => cells(line, names, actionIds)),
)}${links}`
}

/** Sorts pending calls first, then by balance change, newest first, so that each balance follows from the one below. */
function byBalanceChange(lines: readonly TransactionRecord[]): TransactionRecord[] {
  const place = ({ sequence }: TransactionRecord): number => sequence ?? Number.POSITIVE_INFINITY
  return lines.toSorted((one, other) =>
    place(one) === place(other) ? 0 : place(other) - place(one),
  )
}

function cells(
  line: TransactionRecord,
  keyNames: ReadonlyMap<string, string>,
  actionIds: ReadonlySet<string>,
): Cell[] {
  const isCredit = line.amount_micros > 0
  return [
    time(line.created_at),
    actionCell(line, actionIds),
    line.error_code === null
      ? statusText(line)
      : html`${statusText(line)} ${code(line.error_code)}`,
    line.status === 'held'
      ? html`up&nbsp;to ${dollarText(line.held_micros)}`
      : isCredit
        ? html`+${dollarText(line.amount_micros)}`
        : dollarText(-line.amount_micros),
    line.balance_after_micros === null ? '–' : dollarText(line.balance_after_micros),
    line.agent_id === null
      ? '–'
      : html`<bdi class="given">${keyNames.get(line.agent_id) ?? line.agent_id}</bdi>`,
    line.latency_ms === null ? '–' : duration(line.latency_ms),
  ]
}

/** A positive amount is credit, which is added and not charged. */
function statusText({ status, amount_micros: amount }: TransactionRecord): string {
  return amount > 0 ? 'Added' : STATUS_LABELS[status]
}

function actionCell(
  { service, action, kind, ...line }: TransactionRecord,
  actionIds: ReadonlySet<string>,
): Cell {
  const app = line.app_title ?? line.http_referer
  if (service === null || action === null) return KIND_LABELS[kind]
  const id = `${service}/${action}`
  // Models and URLs can be long.
  return html`${
    actionIds.has(id)
      ? html`<a href="/catalog/${id}">${code(id)}</a>`
      : html`<span class="given">${code(id)}</span>`
  }${app !== null && html`<br><span class="muted"><bdi class="given">${app}</bdi></span>`}`
}

// Jobs and sessions take minutes.
const LONGEST_IN_MS = 10_000

function duration(ms: number): string {
  return ms < LONGEST_IN_MS ? `${ms}\u00a0ms` : `${Math.round(ms / 1000)}\u00a0s`
}
