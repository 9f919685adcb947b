import type { Visitor } from '../../../../auth/records/browser-session.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryRecord,
  type DeliveryStatus,
} from '../../../../events/delivery/delivery-record.ts'
import type { DeliveryCount } from '../../../../events/delivery/list-deliveries.ts'
import type { WebhookRecord } from '../../../../events/webhooks/webhook-record.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { may } from '../../guards/requires.ts'
import { linkButton } from '../../html/components/button.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table } from '../../html/components/table.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { keySessionNote } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import {
  deliveryTable,
  hourBars,
  nameOf,
  patternsText,
  receiverOf,
  statusBadge,
  WEBHOOKS_PATH,
} from './webhook-parts.ts'

export type WebhooksView = {
  readonly visitor: Visitor
  readonly webhooks: readonly WebhookRecord[]
  readonly counts: readonly DeliveryCount[]
  readonly deliveries: readonly DeliveryRecord[]
  readonly nextCursor: string | null
  readonly status: DeliveryStatus | undefined
  readonly isFirstPage: boolean
  readonly nowMs: number
  readonly problem?: string
  /** The result of a form. */
  readonly done?: string
}

export function webhooksPage(site: Site, view: WebhooksView): string {
  const { visitor, webhooks, problem, done } = view
  const hasDeliveries = view.deliveries.length > 0 || webhooks.length > 0 || !view.isFirstPage
  return layout(site, {
    path: WEBHOOKS_PATH,
    title: 'Webhooks',
    description: 'Webhooks of the account and their deliveries.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    ...(done === undefined ? {} : { confirmation: done }),
    main: html`${pageHeader({
      title: 'Webhooks',
      lead: html`The gateway notifies your servers when a job ends, a key nears its limit or credit runs low. Deliveries are signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> define it.`,
      ...(webhooks.length > 0 && may(visitor, 'webhooks.change')
        ? { actions: addButton(visitor) }
        : {}),
    })}
${keySessionNote(WEBHOOKS_PATH, visitor)}
${problem !== undefined && note('bad', problem)}
${webhooks.length === 0 ? emptyState('webhook', 'No webhooks yet. Add an address to receive events.', may(visitor, 'webhooks.change') ? addButton(visitor) : undefined) : endpointTable(view)}
${
  hasDeliveries &&
  html`<h2 id="deliveries">Deliveries</h2>
${chips(view)}
${deliveryTable(view.deliveries, visitor)}
${pages(view)}`
}`,
  })
}

function addButton(visitor: Visitor): Html {
  return linkButton(accountUrl(`${WEBHOOKS_PATH}/new`, visitor), 'Add webhook', { icon: 'plus' })
}

function endpointTable({ visitor, webhooks, counts, nowMs }: WebhooksView): Html {
  return table(
    'Webhooks',
    ['Webhook', 'Events', 'Last 24 hours', 'Status'],
    webhooks.map((webhook) => {
      const id = parsePublicId('webhook', webhook.id)
      return [
        html`<a class="given" href="${accountUrl(`${WEBHOOKS_PATH}/${webhook.id}`, visitor)}">${nameOf(webhook)}</a>${webhook.label !== null && html`<br><span class="muted">${receiverOf(webhook.url)}</span>`}`,
        patternsText(webhook.events),
        hourBars(
          counts.filter(({ webhook_id: of }) => of === id),
          nowMs,
        ),
        statusBadge(webhook),
      ]
    }),
  )
}

const STATUS_LABELS = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const

function chips({ visitor, status }: WebhooksView): Html {
  const choices = [undefined, ...DELIVERY_STATUSES]
  return html`<nav class="chips" aria-label="Results"><ul>${choices.map((choice) => html`<li><a href="${accountUrl(WEBHOOKS_PATH, visitor, { status: choice ?? '' })}#deliveries"${choice === status && html` aria-current="true"`}>${choice === undefined ? 'All' : STATUS_LABELS[choice]}</a></li>`)}</ul></nav>`
}

function pages({ visitor, status, isFirstPage, nextCursor }: WebhooksView): Html {
  const to = (cursor: string): string =>
    `${accountUrl(WEBHOOKS_PATH, visitor, { status: status ?? '', cursor })}#deliveries`
  return html`${(!isFirstPage || nextCursor !== null) && html`<nav class="row" aria-label="Pages of the deliveries">${!isFirstPage && linkButton(to(''), 'Newest', { kind: 'quiet' })}${nextCursor !== null && linkButton(to(nextCursor), 'Older', { kind: 'quiet' })}</nav>`}`
}
