import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { DeliveryCount } from '../../../../events/delivery/list-deliveries.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryRecord,
  type DeliveryStatus,
} from '../../../../events/delivery/delivery-record.ts'
import type { WebhookRecord } from '../../../../events/webhooks/webhook-record.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { table } from '../../html/components/table.ts'
import { accountHeading } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { EMPTY_WEBHOOK_FORM, webhookFields, type WebhookFormValues } from './webhook-form.ts'
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
  readonly sendsEmail: boolean
  /** The submitted values of the form. */
  readonly typed?: WebhookFormValues
  readonly onceToken?: string
  readonly problem?: string
}

export function webhooksPage(site: Site, view: WebhooksView): string {
  const { visitor, webhooks, problem } = view
  return layout(site, {
    path: WEBHOOKS_PATH,
    title: 'Webhooks',
    description: 'Webhooks of the account and their deliveries.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`${accountHeading('Webhooks', WEBHOOKS_PATH, visitor)}
<p class="lead">The gateway notifies your servers when a job ends, a key nears its limit or credit runs low. Deliveries are signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> define it.</p>
${problem !== undefined && html`<p class="notice" role="alert">${problem}</p>`}
${webhooks.length === 0 ? html`<p>No webhooks yet.</p>` : endpointTable(view)}
${newForm(view)}
<h2 id="deliveries">Deliveries</h2>
${chips(view)}
${deliveryTable(view.deliveries, visitor)}
${pages(view)}`,
  })
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

function newForm(view: WebhooksView): Html {
  const { visitor, typed, onceToken, sendsEmail, webhooks } = view
  const isOpen = typed !== undefined || webhooks.length === 0
  return html`<details${isOpen && html` open`}><summary>Add a webhook</summary>
<form class="filters" action="${accountUrl(WEBHOOKS_PATH, visitor)}" method="post">${onceField(onceToken)}
${webhookFields(typed ?? EMPTY_WEBHOOK_FORM, sendsEmail)}
<div class="calls-to-action"><button type="submit">Add webhook</button></div>
</form></details>`
}

const STATUS_LABELS = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const

function chips({ visitor, status }: WebhooksView): Html {
  const choices = [undefined, ...DELIVERY_STATUSES]
  return html`<nav class="chips" aria-label="Results"><ul>${choices.map((choice) => html`<li><a href="${accountUrl(WEBHOOKS_PATH, visitor, { status: choice ?? '' })}#deliveries"${choice === status && html` aria-current="true"`}>${choice === undefined ? 'All' : STATUS_LABELS[choice]}</a></li>`)}</ul></nav>`
}

function pages({ visitor, status, isFirstPage, nextCursor }: WebhooksView): Html {
  const to = (cursor: string): string =>
    `${accountUrl(WEBHOOKS_PATH, visitor, { status: status ?? '', cursor })}#deliveries`
  return html`<nav class="calls-to-action" aria-label="Pages of the deliveries">
${!isFirstPage && html`<a class="button quiet" href="${to('')}">Newest</a>`}
${nextCursor !== null && html`<a class="button quiet" href="${to(nextCursor)}">Older</a>`}</nav>`
}
