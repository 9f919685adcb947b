/** How pages show the fields of a call. */
import type { CallRecord } from '../../../../history/calls/call-record.ts'
import type { ChargeState } from '../../../../history/transaction-filter.ts'
import { moneyText } from '../account/account-components.ts'
import { badge, type BadgeKind } from '../../html/components/badge.ts'
import { html, type Html } from '../../html/html.ts'

export const CHARGE_LABELS = {
  charged: 'Charged',
  pending: 'Pending',
  not_charged: 'Not charged',
} as const satisfies Record<ChargeState, string>

const BADGES = {
  charged: 'charged',
  pending: 'pending',
  not_charged: 'free',
} as const satisfies Record<ChargeState, BadgeKind>

export const SURFACE_LABELS = { api: 'HTTP API', router: 'Router', mcp: 'MCP' } as const

export function chargeBadge({ charge }: CallRecord): Html {
  return badge(BADGES[charge], CHARGE_LABELS[charge])
}

export function chargeText({ charge, charged_micros: charged, held_micros: held }: CallRecord) {
  if (charge === 'pending') return html`${moneyText(held)}<br><span class="muted">held</span>`
  return charged === 0 ? html`<span class="muted">free</span>` : html`${moneyText(charged)}`
}

/** The HTTP status, with the code of an error; of calls of several kinds the class of their statuses. */
export function httpCell({ http_status: status, error, omitted }: CallRecord): Html {
  if (status === null) return html`<span class="muted">…</span>`
  const isFailed = status >= FIRST_ERROR
  if (omitted > 0 && error === null && isFailed)
    return html`<span class="http failed">${classOf(status)}</span> <span class="muted">several errors</span>`
  return html`<span class="http${error !== null && isFailed && ' failed'}">${status}</span>${error !== null && html` <code>${error.code}</code>`}`
}

const FIRST_ERROR = 400
const FIRST_FAILURE = 500

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`
}

/** The words and the filter of calls that have no row of their own. */
export function omittedCalls({ http_status: status, error, agent_id: key }: CallRecord): {
  readonly words: string
  readonly filter: Readonly<Record<string, string>>
} {
  const http = status ?? 0
  return {
    words: http >= FIRST_FAILURE ? 'failed' : http >= FIRST_ERROR ? 'rejected' : 'free',
    filter: {
      ...(key === null ? {} : { key }),
      http: classOf(http),
      ...(error === null ? {} : { q: error.code }),
    },
  }
}

// Seconds are enough above it.
const LONGEST_IN_MS = 1_000
const MINUTE_MS = 60_000

export function durationText(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < LONGEST_IN_MS) return `${ms}\u00a0ms`
  if (ms < MINUTE_MS) return `${(ms / 1000).toFixed(1)}\u00a0s`
  return `${Math.floor(ms / MINUTE_MS)}\u00a0min ${Math.round((ms % MINUTE_MS) / 1000)}\u00a0s`
}
