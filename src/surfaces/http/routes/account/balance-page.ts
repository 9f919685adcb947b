import type { Balance, Lot } from '../../../../accounts/balance.ts'
import type { TransactionPage } from '../../../../history/list-transactions.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { TRANSACTION_KINDS, TRANSACTION_STATUSES } from '../../../../history/transaction-filter.ts'
import type { TransactionRecord } from '../../../../history/transaction-record.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { code, table, time, type Cell } from '../../html/components.ts'
import { accountHeading, choice, dollarText, keyName } from './account-pieces.ts'
import { address, modeField } from './shown-mode.ts'
import { SPENDING_PATH } from './spending-page.ts'

/** What the filter form was sent with, as text. */
export type Asked = Readonly<
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
  /** Those that are called by their names here. */
  readonly keys: readonly KeyRecord[]
  /** Whether `keys` has all keys, so that one can be chosen from a list. Else their names are typed. */
  readonly keysOffered: boolean
  /** Those that fit what was typed as key. */
  readonly keysNamed: readonly KeyRecord[]
  readonly asked: Asked
  /** The actions that have a page in the catalog, as `service/action`. Models and fetched addresses have none. */
  readonly actionIds: ReadonlySet<string>
  /** What can be bought by card, in cents. */
  readonly packs: readonly number[]
  /** Null when the filter could not be read; `refusal` says why. */
  readonly page: TransactionPage | null
  readonly refusal?: string
  /** What came of a wish, where it was not fulfilled. */
  readonly problem?: string
}

export function balancePage(site: Site, view: BalanceView): string {
  const { balance } = view
  return layout(site, {
    path: '/balance',
    title: 'Balance',
    description: 'The balance and every call.',
    unlisted: true,
    accountQuery: address('', view.visitor),
    main: html`${accountHeading('Balance', '/balance', view.visitor)}
${view.problem !== undefined && html`<p class="notice" role="alert">${view.problem}</p>`}
${figures(balance)}
<p><a href="${address(SPENDING_PATH, view.visitor)}">Spending by day, action and key</a></p>
${view.visitor.caller.scope === 'own' ? html`<p class="muted">This key sees its own calls and what it may spend, not the account.</p>` : credit(view)}
<h2 id="history">History</h2>
${filterForm(view)}
${view.refusal !== undefined && html`<p class="notice" role="alert">${view.refusal}</p>`}
${view.keysNamed.length > 1 && view.page === null && keysToChoose(view)}
${view.keysNamed.length === 1 && html`<p class="muted">Only calls of the key ${view.keysNamed.map((key) => html`<bdi class="given">${keyName(key)}</bdi>`)}.</p>`}
${view.page !== null && history(view, view.page)}`,
  })
}

function credit(view: BalanceView): Html {
  const { lots } = view.balance
  return html`<h2 id="credit">Credit</h2>
${lots.length === 0 ? html`<p>No credit is left.</p>` : lotTable(lots)}
${moreCredit(view)}`
}

function figures(balance: Balance): Html {
  const rows = [
    ['Available', balance.available_micros],
    ['Balance', balance.balance_micros],
    ['Held by calls in progress', balance.held_micros],
    ['Spent today (UTC)', balance.spent_today_micros],
    ['Spent this month (UTC)', balance.spent_month_micros],
  ] as const
  return html`<dl class="facts">${rows.map(([name, micros]) => html`<div><dt>${name}</dt><dd>${dollarText(micros)}</dd></div>`)}</dl>`
}

const SOURCES = {
  grant: 'Granted',
  topup: 'Bought',
  refund: 'Refunded',
  adjustment: 'Adjusted',
} as const

function lotTable(lots: readonly Lot[]): Html {
  const rows = lots.map((lot) => [
    SOURCES[lot.source],
    dollarText(lot.remaining_micros),
    dollarText(lot.amount_micros),
    time(lot.created_at),
    lot.expires_at === null ? 'never' : time(lot.expires_at),
  ])
  return html`<p class="muted">Spent from the top down.</p>${table('Credit', ['Credit', { figures: 'Left' }, { figures: 'Of' }, 'Since', 'Expires'], rows)}`
}

function moreCredit({ balance, packs }: BalanceView): Html {
  if (packs.length === 0 || balance.mode === 'test')
    return html`<p class="muted">More credit is added by the operator of this gateway.</p>`
  return html`<p>Add credit by card. It is here as soon as the payment is confirmed, as a rule within seconds, and does not expire.</p>
<form class="calls-to-action" action="/balance/buy" method="post">${packs.map((cents) => html`<button class="button quiet" type="submit" name="cents" value="${cents}">Add ${dollarText(cents * 10_000)}</button> `)}</form>`
}

function filterForm({ asked, keys, keysOffered, keysNamed, visitor }: BalanceView): Html {
  const keyChoices = keys.map((key) => [key.id, keyName(key)] as const)
  const [named] = keysNamed
  const isFiltered = Object.keys(asked).some((name) => name !== 'cursor')
  return html`<details${isFiltered && html` open`}><summary>Filter and download</summary>
<form class="filters" action="/balance#history" method="get">${modeField(visitor)}
${oneOf(
  'kind',
  'Kind',
  TRANSACTION_KINDS.map((kind) => [kind, kind] as const),
  asked.kind,
)}
${oneOf(
  'status',
  'Status',
  TRANSACTION_STATUSES.map((status) => [status, status] as const),
  asked.status,
)}
${field('request_id', 'Request id', 'text', asked.request_id)}
${keysOffered ? oneOf('key', 'Key', keyChoices, keysNamed.length === 1 ? named?.id : asked.key) : field('key', 'Key name or id', 'text', asked.key)}
${field('service', 'Service', 'text', asked.service)}
${field('action', 'Action', 'text', asked.action)}
${field('external_id', 'External id', 'text', asked.external_id)}
${field('from', 'From', 'date', asked.from)}
${field('to', 'Before', 'date', asked.to)}
<div class="calls-to-action"><button type="submit">Filter</button> <a class="button quiet" href="${address('/balance/transactions.csv', visitor, { ...asked, cursor: '' })}">Download CSV</a></div>
</form></details>`
}

function field(name: keyof Asked, label: string, type: 'text' | 'date', value = ''): Html {
  return html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value}"${type === 'text' && html` maxlength="255"`} autocomplete="off"></div>`
}

function keysToChoose({ keysNamed, asked, visitor }: BalanceView): Html {
  return html`<ul class="actions">${keysNamed.map(
    (
      key,
    ) => html`<li><a href="${address('/balance', visitor, { ...asked, cursor: '', key: key.id })}#history"><bdi class="given">${keyName(key)}</bdi></a>${key.external_id !== null && html` <span class="muted"><bdi>${key.external_id}</bdi></span>`}</li>
`,
  )}</ul>`
}

const ANY = ['', 'any'] as const

function oneOf(
  name: keyof Asked,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen = '',
): Html {
  return choice(name, label, [ANY, ...options], chosen)
}

function history(
  { asked, keys, actionIds, visitor }: BalanceView,
  { transactions, nextCursor }: TransactionPage,
): Html {
  const names = new Map(keys.map((key) => [key.id, keyName(key)]))
  const links = html`<nav class="calls-to-action" aria-label="Pages of the history">
${asked.cursor !== undefined && html`<a class="button quiet" href="${address('/balance', visitor, { ...asked, cursor: '' })}#history">Newest</a>`}
${nextCursor !== null && html`<a class="button quiet" href="${address('/balance', visitor, { ...asked, cursor: nextCursor })}#history">Older</a>`}</nav>`
  if (transactions.length === 0 && Object.keys(asked).length === 0)
    return html`<p>Nothing yet: calls that have a price will stand here, and credit that is added.</p>`
  if (transactions.length === 0)
    return html`<p>${nextCursor === null ? 'Nothing fits the filter.' : 'Nothing in this stretch fits the filter; older ones may.'}</p>${links}`
  return html`<p class="muted">A call in progress is <em>held</em>. One that is <em>settled</em> was charged the amount beside it; one that is <em>released</em> cost nothing, and the error says why. Calls of free actions are not listed.</p>
${table(
  'History',
  [
    'Time (UTC)',
    'What',
    'Status',
    { figures: 'Amount' },
    { figures: 'Balance after' },
    'Key',
    { figures: 'Took' },
  ],
  inOrderOfMoney(transactions).map((line) => cells(line, names, actionIds)),
)}${links}`
}

/** Calls in progress first, then by when the money moved, the latest first: so each balance follows from the one below it. */
function inOrderOfMoney(lines: readonly TransactionRecord[]): TransactionRecord[] {
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
    what(line, actionIds),
    line.error_code === null ? line.status : html`${line.status} ${code(line.error_code)}`,
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

function what({ service, action, kind }: TransactionRecord, actionIds: ReadonlySet<string>): Cell {
  if (service === null || action === null) return kind
  const id = `${service}/${action}`
  // A model or an address may be long.
  return actionIds.has(id)
    ? html`<a href="/catalog/${id}">${code(id)}</a>`
    : html`<span class="given">${code(id)}</span>`
}

// Jobs and sessions take minutes.
const LONGEST_IN_MS = 10_000

function duration(ms: number): string {
  return ms < LONGEST_IN_MS ? `${ms}\u00a0ms` : `${Math.round(ms / 1000)}\u00a0s`
}
