/** Markup that the webhook pages share. */
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { DeliveryCount } from '../../../../events/delivery/list-deliveries.ts'
import type { DeliveryRecord } from '../../../../events/delivery/delivery-record.ts'
import type { WebhookRecord } from '../../../../events/webhooks/webhook-record.ts'
import { HOUR_MS } from '../../../../lib/clock.ts'
import { may } from '../../guards/requires.ts'
import { badge } from '../../html/components/badge.ts'
import { emptyState } from '../../html/components/note.ts'
import type { Crumb } from '../../html/components/page-header.ts'
import { html, type Html } from '../../html/html.ts'
import { table } from '../../html/components/table.ts'
import { code, time } from '../../html/components/text.ts'
import { accountUrl } from '../account/account-url.ts'

export const WEBHOOKS_PATH = '/webhooks'

/** A session of a key changes the webhooks of that key. */
export function mayChangeWebhooks(visitor: Visitor): boolean {
  return visitor.role === null || may(visitor, 'webhooks.change')
}

/** The way to a page of a webhook or delivery. */
export function webhookCrumbs(visitor: Visitor, ...labels: readonly string[]): readonly Crumb[] {
  return [
    { label: 'Webhooks', href: accountUrl(WEBHOOKS_PATH, visitor) },
    ...labels.map((label) => ({ label })),
  ]
}

/** The address without its scheme, or the mailbox of the account. */
export function receiverOf(url: string | null): string {
  return url === null ? 'Email to the account' : url.replace(/^https?:\/\//, '')
}

export function nameOf({ label, url }: Pick<WebhookRecord, 'label' | 'url'>): string {
  return label ?? receiverOf(url)
}

const REASONS = {
  asked: 'Disabled',
  gone: 'Disabled: the server answered 410',
  failing: 'Disabled: failing for five days',
  closed: 'Disabled: the key was revoked',
} as const

export function statusBadge({
  status,
  disabled_because: because,
  failing_since: since,
}: WebhookRecord): Html {
  if (status === 'disabled')
    return badge(because === 'asked' ? 'free' : 'error', REASONS[because ?? 'asked'])
  return since === null
    ? badge('live', 'Active')
    : badge('error', html`Failing since ${time(since)}`)
}

/** The first patterns, and the number of the others. */
export function patternsText(events: readonly string[], most = 2): Html {
  const further = events.length - most
  return html`${events.slice(0, most).map((name) => html`${code(name)} `)}${further > 0 && html`<span class="muted">+${further}</span>`}`
}

const HOURS = 24
const [WIDTH, PITCH, HEIGHT] = [6, 8, 20]

/** One bar per hour: green when all deliveries arrived, amber when one failed. */
export function hourBars(counts: readonly DeliveryCount[], nowMs: number): Html {
  const last = Math.floor(nowMs / HOUR_MS)
  const byHour = new Map(counts.map((count) => [count.hour, count]))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const failed = counts.reduce((sum, one) => sum + one.failed, 0)
  const bars = Array.from({ length: HOURS }, (_, place) => {
    const found = byHour.get(last - HOURS + 1 + place)
    const kind = found === undefined ? 'empty' : found.failed > 0 ? 'failed' : 'good'
    return html`<rect class="${kind}" x="${place * PITCH}" y="0" width="${WIDTH}" height="${HEIGHT}" rx="1"/>`
  })
  const label = `${total} deliveries, ${failed} not delivered`
  return html`<svg class="hours" role="img" aria-label="${label}" viewBox="0 0 ${HOURS * PITCH} ${HEIGHT}" width="${HOURS * PITCH}" height="${HEIGHT}"><title>${label}</title>${bars}</svg>`
}

export function resultBadge({ status, next_try_at: next, tries }: DeliveryRecord): Html {
  if (status === 'delivered') return badge('live', 'Delivered')
  if (status === 'failed') return badge('error', 'Failed')
  return tries.length === 0 || next === null
    ? badge('info', 'Sending')
    : badge('pending', html`Retry ${time(next)}`)
}

export function deliveryTable(deliveries: readonly DeliveryRecord[], visitor: Visitor): Html {
  if (deliveries.length === 0) return emptyState('webhook', 'No deliveries.')
  return table(
    'Deliveries',
    ['Time', 'Event', 'Receiver', { figures: 'Tries' }, 'Result'],
    deliveries.map((delivery) => [
      html`<a href="${accountUrl(`${WEBHOOKS_PATH}/deliveries/${delivery.id}`, visitor)}">${time(delivery.created_at)}</a>`,
      code(delivery.type),
      html`<bdi class="given">${receiverOf(delivery.url)}</bdi>`,
      delivery.tries.length,
      resultBadge(delivery),
    ]),
  )
}
