import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { DeliveryRecord } from '../../../../events/delivery/delivery-record.ts'
import type {
  WebhookRecord,
  WebhookWithSecret,
} from '../../../../events/webhooks/webhook-record.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { code, time } from '../../html/components/text.ts'
import { choice } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { eventBoxes } from './webhook-form.ts'
import {
  deliveryTable,
  nameOf,
  receiverOf,
  statusBadge,
  WEBHOOKS_PATH,
  webhooksBreadcrumb,
} from './webhook-parts.ts'

export type WebhookView = {
  readonly visitor: Visitor
  readonly webhook: WebhookRecord
  readonly deliveries: readonly DeliveryRecord[]
  /** The result of a form. */
  readonly done?: string
  readonly onceToken?: string
  readonly problem?: string
}

export function webhookPage(site: Site, view: WebhookView): string {
  const { visitor, webhook, done, problem } = view
  return layout(site, {
    path: `${WEBHOOKS_PATH}/${webhook.id}`,
    title: 'Webhook',
    description: 'A webhook of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`${webhooksBreadcrumb(visitor)}
<h1><bdi>${nameOf(webhook)}</bdi>${webhook.mode === 'test' && html` <span class="badge idle">test credit</span>`}</h1>
${problem !== undefined && html`<p class="notice" role="alert">${problem}</p>`}
${done !== undefined && html`<p class="notice" role="status">${done}</p>`}
${facts(webhook)}
<div class="calls-to-action">${actions(view)}</div>
<h2 id="deliveries">Latest deliveries</h2>
${deliveryTable(view.deliveries, visitor)}
${forms(view)}`,
  })
}

function facts(webhook: WebhookRecord): Html {
  const { former_secret_valid_until: formerUntil } = webhook
  const rows = [
    ['Status', statusBadge(webhook)],
    ['Receiver', receiverOf(webhook.url)],
    ['Events', html`${webhook.events.map((name) => html`${code(name)} `)}`],
    [
      'Sends events of',
      webhook.scope === 'own' ? 'the key that created it' : 'all keys of the account',
    ],
    ...(webhook.format === 'json' ? [['Signature', signatureText(webhook)] as const] : []),
    ...(formerUntil === null
      ? []
      : [['Former secret', html`also signs until ${time(formerUntil)}`] as const]),
    ['Created', html`${time(webhook.created_at)}`],
    ['ID', code(webhook.id)],
  ] as const
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function signatureText({ signature }: WebhookRecord): string {
  return signature === 'v1' ? 'v1: HMAC-SHA256' : 'v1a: Ed25519'
}

function actions({ visitor, webhook }: WebhookView): Html {
  const to = (form: string): string => accountUrl(`${WEBHOOKS_PATH}/${webhook.id}${form}`, visitor)
  const isActive = webhook.status === 'active'
  return html`${isActive && html`<form action="${to('/test')}" method="post"><button type="submit">Send test event</button></form>`}
<form action="${to('/status')}" method="post"><button class="button quiet" type="submit" name="status" value="${isActive ? 'disabled' : 'active'}">${isActive ? 'Disable' : 'Enable'}</button></form>`
}

const RANGES = [
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
  ['840', 'All stored events (35 days)'],
] as const
const GRACES = [
  ['0', 'Immediately'],
  ['3600', 'In 1 hour'],
  ['86400', 'In 1 day'],
] as const

function forms({ visitor, webhook, onceToken }: WebhookView): Html {
  const to = (form: string): string => accountUrl(`${WEBHOOKS_PATH}/${webhook.id}${form}`, visitor)
  return html`${
    webhook.status === 'active' &&
    html`<h2 id="redeliver">Send events again</h2>
<p class="muted">Sends stored events with their original ids, also those that this webhook missed.</p>
<form class="filters" action="${to('/redeliver')}" method="post">
${choice('hours', 'Events of', RANGES, '24')}
<div class="calls-to-action"><button class="button quiet" type="submit">Send again</button></div>
</form>`
  }
<h2 id="change">Settings</h2>
<form class="filters" action="${to('')}" method="post">
${webhook.url !== null && html`<div class="wide"><label for="url">Address</label><input id="url" name="url" type="url" required maxlength="2048" value="${webhook.url}" autocomplete="off"></div>`}
<div><label for="label">Label (optional)</label><input id="label" name="label" maxlength="100" value="${webhook.label ?? ''}" autocomplete="off"></div>
${eventBoxes(webhook.events)}
<div class="calls-to-action"><button type="submit">Save</button></div>
</form>
${webhook.format !== 'email' && rotateForm(to('/rotate'), onceToken)}
<h2 id="delete">Delete</h2>
<form action="${to('/delete')}" method="post">
<p class="muted">Deletes the webhook and its deliveries. Its events stay.</p>
<p><label class="check"><input type="checkbox" name="sure" value="yes" required> I understand that this cannot be undone</label></p>
<button class="button quiet" type="submit">Delete webhook</button>
</form>`
}

function rotateForm(action: string, onceToken: string | undefined): Html {
  return html`<h2 id="rotate">Rotate secret</h2>
<form class="filters" action="${action}" method="post">${onceField(onceToken)}
${choice('grace_seconds', 'Former secret expires', GRACES, '86400')}
<div class="calls-to-action"><button class="button quiet" type="submit">Create new secret</button></div>
</form>`
}

/** The only page that shows the secret of a webhook. */
export function webhookSecretPage(
  site: Site,
  { visitor, webhook }: { readonly visitor: Visitor; readonly webhook: WebhookWithSecret },
): string {
  const isPublic = webhook.signature === 'v1a'
  return layout(site, {
    path: `${WEBHOOKS_PATH}/${webhook.id}`,
    title: 'Signing secret',
    description: 'The secret of a webhook.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`${webhooksBreadcrumb(visitor)}
<h1>${isPublic ? 'Public key' : 'Signing secret'}</h1>
<p class="lead"><bdi>${nameOf(webhook)}</bdi></p>
<p class="notice" role="status">Copy it now; you won't see it again. Your server verifies deliveries with it.</p>
<p><code class="secret" tabindex="0">${webhook.secret}</code></p>
<p><a class="button quiet" href="${accountUrl(`${WEBHOOKS_PATH}/${webhook.id}`, visitor)}">View webhook</a></p>`,
  })
}
