import type { CallMarks } from '../../../../history/stored-answers.ts'
import type { TransactionPage } from '../../../../history/list-transactions.ts'
import type { TransactionRecord } from '../../../../history/transaction-record.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { html, type Html } from '../../html/html.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { code, time } from '../../html/components/text.ts'
import { moneyText, keyName } from './account-components.ts'
import { accountUrl, CALLS_PATH, TRANSACTIONS_PATH } from './account-url.ts'
import { actionCell, amountCell, durationText, STATUS_LABELS } from './call-labels.ts'

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

export type HistoryView = {
  readonly visitor: Visitor
  readonly filter: HistoryFilter
  /** The keys whose names the page shows. */
  readonly keys: readonly KeyRecord[]
  /** Actions with a catalog page, as `service/action`. Models and fetched URLs have none. */
  readonly actionIds: ReadonlySet<string>
  readonly marks: CallMarks
}

/** A page of the history, with links to its calls and to the neighbouring pages. */
export function historyTable(
  { filter, keys, actionIds, marks, visitor }: HistoryView,
  { transactions, nextCursor }: TransactionPage,
): Html {
  const names = new Map(keys.map((key) => [key.id, keyName(key)]))
  const links = html`<nav class="calls-to-action" aria-label="Pages of the history">
${filter.cursor !== undefined && html`<a class="button quiet" href="${accountUrl(TRANSACTIONS_PATH, visitor, { ...filter, cursor: '' })}">Newest</a>`}
${nextCursor !== null && html`<a class="button quiet" href="${accountUrl(TRANSACTIONS_PATH, visitor, { ...filter, cursor: nextCursor })}">Older</a>`}</nav>`
  if (transactions.length === 0 && Object.keys(filter).length === 0)
    return html`<p>No transactions yet. Paid calls and added credit appear here.</p>`
  if (transactions.length === 0)
    return html`<p>${nextCursor === null ? 'No matching calls.' : 'No matching calls in this period. There may be older ones.'}</p>${links}`
  return html`<p class="muted">A <em>pending</em> call is in progress, and a <em>queued</em> job waits for a worker. A call that failed is <em>not charged</em> and shows its error. Select the status of a call to see its stored answer. Calls of free actions are not listed.</p>
${table(
  'History',
  [
    'Time',
    'Action',
    'Status',
    { figures: 'Amount' },
    { figures: 'Balance after' },
    'Key',
    { figures: 'Duration' },
  ],
  byBalanceChange(transactions).map((line) => cells(line, { names, actionIds, marks, visitor })),
)}${links}`
}

/** Sorts pending calls first, then by balance change, newest first, so that each balance follows from the one below. */
function byBalanceChange(lines: readonly TransactionRecord[]): TransactionRecord[] {
  const place = ({ sequence }: TransactionRecord): number => sequence ?? Number.POSITIVE_INFINITY
  return lines.toSorted((one, other) =>
    place(one) === place(other) ? 0 : place(other) - place(one),
  )
}

type RowView = Pick<HistoryView, 'actionIds' | 'marks' | 'visitor'> & {
  readonly names: ReadonlyMap<string, string>
}

function cells(line: TransactionRecord, view: RowView): Cell[] {
  return [
    time(line.created_at),
    actionCell(line, view.actionIds),
    statusCell(line, view),
    amountCell(line),
    line.balance_after_micros === null ? '–' : moneyText(line.balance_after_micros),
    line.agent_id === null
      ? '–'
      : html`<bdi class="given">${view.names.get(line.agent_id) ?? line.agent_id}</bdi>`,
    durationText(line.latency_ms),
  ]
}

/** A positive amount is credit, which is added and not charged. Calls link to their page. */
function statusCell(line: TransactionRecord, { marks, visitor }: RowView): Html {
  const id = line.request_id === null ? null : parsePublicId('request', line.request_id)
  const isQueued = id !== null && marks.queued.has(id)
  const text =
    line.amount_micros > 0
      ? 'Added'
      : isQueued && line.status === 'held'
        ? 'Queued'
        : STATUS_LABELS[line.status]
  return html`${line.request_id === null ? text : html`<a href="${accountUrl(`${CALLS_PATH}/${line.request_id}`, visitor)}">${text}</a>`}${line.error_code !== null && html` ${code(line.error_code)}`}${id !== null && marks.stored.has(id) && html` <span class="badge live">answer stored</span>`}`
}
