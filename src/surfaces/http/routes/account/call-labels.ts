/** How pages show the fields of a call. */
import type { TransactionKind, TransactionStatus } from '../../../../history/transaction-filter.ts'
import type { TransactionRecord } from '../../../../history/transaction-record.ts'
import { html, type Html } from '../../html/html.ts'
import { type Cell } from '../../html/components/table.ts'
import { code } from '../../html/components/text.ts'
import { moneyText } from './account-components.ts'

export const KIND_LABELS = {
  call: 'Call',
  job: 'Job',
  llm: 'Language model',
  session: 'Session',
  topup: 'Top-up',
  grant: 'Grant',
  refund: 'Refund',
  adjustment: 'Adjustment',
} as const satisfies Record<TransactionKind, string>

export const STATUS_LABELS = {
  held: 'Pending',
  settled: 'Charged',
  released: 'Not charged',
} as const satisfies Record<TransactionStatus, string>

/** Actions with a catalog page are links. `actionIds` has them as `service/action`. */
export function actionCell(
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

export function amountCell(line: TransactionRecord): Html | string {
  if (line.status === 'held') return html`up&nbsp;to ${moneyText(line.held_micros)}`
  return line.amount_micros > 0
    ? html`+${moneyText(line.amount_micros)}`
    : moneyText(-line.amount_micros)
}

// Jobs and sessions take minutes.
const LONGEST_IN_MS = 10_000

export function durationText(ms: number | null): string {
  if (ms === null) return '–'
  return ms < LONGEST_IN_MS ? `${ms}\u00a0ms` : `${Math.round(ms / 1000)}\u00a0s`
}
