import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { DeliveryRecord } from '../../../../events/delivery/delivery-record.ts'
import type {
  WebhookRecord,
  WebhookWithSecret,
} from '../../../../events/webhooks/webhook-record.ts'
import { describeAllowed } from '../../../../lib/permissions.ts'
import { badge } from '../../html/components/badge.ts'
import { actionForm, linkButton, submitButton } from '../../html/components/button.ts'
import { card, facts } from '../../html/components/card.ts'
import { checkField, fieldError, selectField } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { secretValue } from '../../html/components/secret.ts'
import { code, time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { GRACE_OPTIONS } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import type { FieldErrors } from '../visitor/field-errors.ts'
import { addressField, eventBoxes, labelField, type WebhookFormValues } from './webhook-form.ts'
import {
  deliveryTable,
  mayChangeWebhooks,
  nameOf,
  receiverOf,
  statusBadge,
  webhookCrumbs,
  WEBHOOKS_PATH,
} from './webhook-parts.ts'

export type WebhookView = {
  readonly visitor: Visitor
  readonly webhook: WebhookRecord
  readonly deliveries: readonly DeliveryRecord[]
  /** The result of a form. */
  readonly done?: string
  readonly onceToken?: string
  /** The submitted values of rejected settings. */
  readonly typed?: WebhookFormValues
  /** The errors of a form by the name of the field. */
  readonly errors: FieldErrors
  /** The error of a form that is about no field. */
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
    crumbs: webhookCrumbs(visitor, nameOf(webhook)),
    ...(done === undefined ? {} : { confirmation: done }),
    main: html`${pageHeader({
      title: html`<bdi>${nameOf(webhook)}</bdi>`,
      crumbs: webhookCrumbs(visitor, nameOf(webhook)),
      meta: html`${statusBadge(webhook)}${webhook.mode === 'test' && badge('test', 'Test')}<span>${receiverOf(webhook.url)}</span>`,
      ...(mayChangeWebhooks(visitor) ? { actions: actions(view) } : {}),
    })}
${problem !== undefined && note('bad', problem)}
${disabledNote(webhook)}
<div class="split">
<div class="stack">${card({ title: 'Latest deliveries', id: 'deliveries', content: deliveryTable(view.deliveries, visitor) })}
${mayChangeWebhooks(visitor) ? settingsForm(view) : note('info', `${describeAllowed('webhooks.change')} of this account can change webhooks.`)}</div>
<div class="stack">${card({ title: 'Details', content: details(webhook) })}
${
  mayChangeWebhooks(visitor) &&
  html`${webhook.status === 'active' && redeliverCard(view)}
${webhook.format !== 'email' && rotateCard(view)}
${deleteCard(view)}`
}</div>
</div>`,
  })
}

function to({ visitor, webhook }: WebhookView, form: string): string {
  return accountUrl(`${WEBHOOKS_PATH}/${webhook.id}${form}`, visitor)
}

/** Why the gateway disabled the webhook, and what to do. */
function disabledNote({ disabled_because: because }: WebhookRecord): Html | false {
  if (because === 'gone')
    return note(
      'warn',
      'The server answered 410, so the gateway sends no more events. Enable the webhook when the address accepts them again, then send the missed events again.',
    )
  if (because === 'failing')
    return note(
      'warn',
      'No delivery arrived for five days, so the gateway sends no more events. Correct the server, enable the webhook, then send the missed events again.',
    )
  return because === 'closed' && note('warn', 'The key that created the webhook was revoked.')
}

function details(webhook: WebhookRecord): Html {
  const { former_secret_valid_until: formerUntil } = webhook
  return facts([
    ['Receiver', html`<bdi>${receiverOf(webhook.url)}</bdi>`],
    ['Events', html`${webhook.events.map((name) => html`${code(name)} `)}`],
    [
      'Sends events of',
      webhook.scope === 'own' ? 'the key that created it' : 'all keys of the account',
    ],
    ...(webhook.format === 'json' ? [['Signature', signatureText(webhook)] as const] : []),
    ...(formerUntil === null
      ? []
      : [['Former secret', html`also signs until ${time(formerUntil)}`] as const]),
    ['Created', time(webhook.created_at)],
    ['ID', code(webhook.id)],
  ])
}

function signatureText({ signature }: WebhookRecord): string {
  return signature === 'v1' ? 'v1: HMAC-SHA256' : 'v1a: Ed25519'
}

function actions(view: WebhookView): Html {
  const isActive = view.webhook.status === 'active'
  const status = html`<input type="hidden" name="status" value="${isActive ? 'disabled' : 'active'}">`
  return html`${isActive && actionForm(to(view, '/test'), 'Send test event', { kind: 'quiet', icon: 'play' })}${actionForm(to(view, '/status'), isActive ? 'Disable' : 'Enable', { hidden: status, kind: 'quiet' })}`
}

const RANGES = [
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
  ['840', 'All stored events (35 days)'],
] as const

function settingsForm(view: WebhookView): Html {
  const { webhook, errors } = view
  const typed = view.typed ?? {
    url: webhook.url ?? '',
    label: webhook.label ?? '',
    events: webhook.events,
  }
  return html`<form class="key-form" action="${to(view, '')}" method="post">${card({
    title: 'Settings',
    id: 'change',
    content: html`<div class="field-columns">
${webhook.url !== null && addressField(typed.url, errors, { required: true })}
${labelField(typed.label, errors)}
</div>
${eventBoxes(typed.events, errors)}`,
    foot: html`<span>Changes apply to events from now on.</span>${submitButton('Save')}`,
  })}</form>`
}

function redeliverCard(view: WebhookView): Html {
  return card({
    title: 'Send events again',
    id: 'redeliver',
    content: html`<form class="stack" action="${to(view, '/redeliver')}" method="post">
<p class="hint">Sends stored events with their original ids, also those that this webhook missed.</p>
${selectField({ label: 'Events of', name: 'hours', options: RANGES, chosen: '24', error: view.errors['hours'] })}
${submitButton('Send again', { kind: 'quiet', block: true })}</form>`,
  })
}

function rotateCard(view: WebhookView): Html {
  return card({
    title: 'Rotate secret',
    id: 'rotate',
    content: html`<form class="stack" action="${to(view, '/rotate')}" method="post">${onceField(view.onceToken)}
<p class="hint">Until the former secret expires, deliveries carry a signature of both.</p>
${selectField({ label: 'Former secret expires', name: 'grace_seconds', options: GRACE_OPTIONS, chosen: '86400', error: view.errors['grace_seconds'] })}
${submitButton('Create new secret', { kind: 'quiet', icon: 'rotate', block: true })}</form>`,
  })
}

function deleteCard(view: WebhookView): Html {
  const error = view.errors['sure']
  return card({
    title: 'Delete',
    id: 'delete',
    kind: 'danger',
    content: html`<form class="stack" action="${to(view, '/delete')}" method="post">
<p class="hint">Deletes the webhook and its deliveries. Its events stay.</p>
${checkField({ label: 'I understand that this cannot be undone', name: 'sure', value: 'yes', required: true, isWrong: error !== undefined })}
${error !== undefined && fieldError('sure', error)}
${submitButton('Delete webhook', { kind: 'danger', block: true })}</form>`,
  })
}

/** The only page that shows the secret of a webhook. */
export function webhookSecretPage(
  site: Site,
  { visitor, webhook }: { readonly visitor: Visitor; readonly webhook: WebhookWithSecret },
): string {
  const title = webhook.signature === 'v1a' ? 'Public key' : 'Signing secret'
  const page = accountUrl(`${WEBHOOKS_PATH}/${webhook.id}`, visitor)
  return layout(site, {
    path: `${WEBHOOKS_PATH}/${webhook.id}`,
    title,
    description: 'The secret of a webhook.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    crumbs: webhookCrumbs(visitor, title),
    main: html`${pageHeader({
      title,
      crumbs: webhookCrumbs(visitor, title),
      lead: html`<bdi>${nameOf(webhook)}</bdi>`,
      actions: linkButton(page, 'View webhook', { kind: 'quiet' }),
    })}
${card({
  content: html`${note('warn', html`<p role="status">Copy it now; you won't see it again. Your server verifies deliveries with it.</p>`)}
${secretValue(webhook.secret)}`,
})}`,
  })
}
