import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { EventRecord } from '../../../../events/event-record.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import type { ListedKey } from '../../../../keys/list-key-trees.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { badge } from '../../html/components/badge.ts'
import { code, time } from '../../html/components/text.ts'
import { choice, dollarText } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import {
  keyFields,
  scopeLabel,
  describeUnsaved,
  formValuesOfKey,
  type KeyFormValues,
} from './key-form.ts'
import { keyEvents } from './key-events.ts'
import { policyFacts } from './key-policy-form.ts'
import { clientOf, keyTable, limitTextOf, spentOf, statusOf } from './key-table.ts'
import { readOnlyNotice } from './keys-page.ts'

export type KeyView = {
  readonly visitor: Visitor
  readonly key: KeyRecord
  readonly typed: KeyFormValues
  /** The first child keys. */
  readonly children: readonly ListedKey[]
  /** The latest events of the key, newest first. */
  readonly events: readonly EventRecord[]
  /** The submitted values, if the key changed after the form was opened. */
  readonly notSaved?: KeyFormValues
  /** The tag of the settings that the form shows. */
  readonly filledFrom: string
  /** The completed change. */
  readonly done?: KeyDone
  /** The submitted grace period of the rotation form, in seconds. */
  readonly grace?: string
  /** The token of a form that must be sent again. */
  readonly onceToken?: string
  /** The error of a form. */
  readonly problem?: string
}

/** Confirmations, by the query of the page. */
const KEY_DONE = {
  saved: 'Saved.',
  paused: 'Key paused. Its calls are rejected until you resume it.',
  resumed: 'Key resumed.',
  revoked: 'Key revoked.',
  'former-ended': 'The former secret is no longer valid.',
} as const
export type KeyDone = keyof typeof KEY_DONE

export function isKeyDone(text: string | undefined): text is KeyDone {
  return text !== undefined && Object.hasOwn(KEY_DONE, text)
}

export function keyPage(site: Site, view: KeyView): string {
  const { visitor, key } = view
  return layout(site, {
    path: `/keys/${key.id}`,
    title: 'Key',
    description: 'A key of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    ...(view.done === undefined ? {} : { confirmation: KEY_DONE[view.done] }),
    main: html`${keysBreadcrumb(visitor)}
<h1><bdi>${key.label ?? `${key.key_prefix}…`}</bdi>${key.mode === 'test' && html` ${badge('test', 'Test')}`}</h1>
${view.problem !== undefined && html`<p class="notice" role="alert">${view.problem}</p>`}
${view.notSaved !== undefined && unsavedNotice(view.notSaved, formValuesOfKey(key))}
${facts(key, visitor)}
${
  view.children.length > 0 &&
  html`<h2 id="children">Child keys</h2>
<p class="muted">Each spends from this key, too. Pausing or revoking this key stops all of them.</p>
${keyTable(view.children, visitor)}`
}
${keyEvents(view.events, visitor)}
${!visitor.caller.primary ? html`<h2>Changes</h2>${readOnlyNotice(visitor)}` : key.status !== 'revoked' && forms(view)}`,
  })
}

export function keysBreadcrumb(visitor: Visitor): Html {
  return html`<nav class="breadcrumb" aria-label="Breadcrumb"><ol><li><a href="${accountUrl('/keys', visitor)}">Keys</a></li></ol></nav>`
}

function unsavedNotice(typed: KeyFormValues, present: KeyFormValues): Html {
  const words = describeUnsaved(typed, present)
  return html`${words !== null && html`<p>Not saved: <bdi class="given">${words}</bdi>.</p>`}`
}

function facts(key: KeyRecord, visitor: Visitor): Html {
  const rows = [
    ['Status', statusOf(key)],
    ['Prefix', code(`${key.key_prefix}…`)],
    ...(key.former_key_valid_until === null
      ? []
      : [['Former secret', html`valid until ${time(key.former_key_valid_until)}`] as const]),
    ['Access', scopeLabel(key.scope)],
    ...(key.parent_id === null
      ? []
      : [
          [
            'Parent',
            html`<a href="${accountUrl(`/keys/${key.parent_id}`, visitor)}">${key.parent_id}</a>`,
          ] as const,
        ]),
    ...(key.client_id === null
      ? []
      : [
          [
            'Connected client',
            html`<bdi>${clientOf(key.client_id)}</bdi><br>${code(key.client_id)}`,
          ] as const,
        ]),
    ['Child keys', key.may_mint || key.primary ? 'May create' : 'Not allowed'],
    ['Spending limit', limitTextOf(key)],
    ['Spent', html`${spentOf(key)} since ${time(key.window_started_at)}`],
    ...(key.remaining_micros === null
      ? []
      : [
          [
            'Remaining limit',
            html`${dollarText(key.remaining_micros)}${key.window_resets_at !== null && html` until ${time(key.window_resets_at)}`}`,
          ] as const,
        ]),
    ...policyFacts(key),
    ['Last used', key.last_used_at === null ? 'Never' : html`${time(key.last_used_at)}`],
    ['Created', html`${time(key.created_at)}`],
    ['External ID', key.external_id ?? 'None'],
    ['ID', code(key.id)],
  ] as const
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

const GRACES = [
  ['0', 'Immediately'],
  ['3600', 'In 1 hour'],
  ['86400', 'In 1 day'],
] as const
// Gives time to deploy the new secret.
const DEFAULT_GRACE = '3600'

function forms({
  visitor,
  key,
  typed,
  filledFrom,
  grace = DEFAULT_GRACE,
  onceToken,
}: KeyView): Html {
  const to = (form: string): string => accountUrl(`/keys/${key.id}${form}`, visitor)
  const isPaused = key.status === 'paused'
  return html`<h2 id="change">Settings</h2>
<form class="filters" action="${to('')}" method="post"><input type="hidden" name="filled_from" value="${filledFrom}">
${keyFields(typed)}
<div class="calls-to-action"><button type="submit">Save</button></div>
</form>
<h2 id="pause">${isPaused ? 'Resume' : 'Pause'}</h2>
<form action="${to('/pause')}" method="post">
<p class="muted">${isPaused ? 'The key is paused. Paid calls are rejected.' : 'Paid calls are rejected until you resume the key.'}</p>
<button class="button quiet" type="submit" name="paused" value="${isPaused ? 'no' : 'yes'}">${isPaused ? 'Resume key' : 'Pause key'}</button>
</form>
${key.client_id === null && rotateForm(to('/rotate'), grace, onceToken)}
${key.client_id === null && key.former_key_valid_until !== null && formerForm(to('/end-former'), key.former_key_valid_until)}
${key.primary ? html`<p class="muted">This is the primary key of the account. It cannot be revoked.</p>` : revokeForm(to('/revoke'), key)}`
}

function rotateForm(action: string, grace: string, onceToken: string | undefined): Html {
  return html`<h2 id="rotate">Rotate secret</h2>
<form class="filters" action="${action}" method="post">${onceField(onceToken)}
${choice('grace_seconds', 'Former secret expires', GRACES, grace)}
<div class="calls-to-action"><button class="button quiet" type="submit">Create new secret</button></div>
</form>`
}

function formerForm(action: string, until: string): Html {
  return html`<h2 id="former">Former secret</h2>
<form action="${action}" method="post">
<p class="muted">Valid until ${time(until)}. It ends earlier if you end it here or create another secret.</p>
<button class="button quiet" type="submit">End now</button>
</form>`
}

function revokeForm(action: string, { client_id: clientId }: KeyRecord): Html {
  const isClient = clientId !== null
  return html`<h2 id="revoke">${isClient ? 'Disconnect' : 'Revoke'}</h2>
<form action="${action}" method="post">
<p class="muted">${isClient ? 'Disconnecting permanently ends the access of the client. To use it again, connect it again.' : 'Revoking permanently ends the key and all keys below it. All calls with them are rejected.'}</p>
<p><label class="check"><input type="checkbox" name="sure" value="yes" required> I understand that this cannot be undone</label></p>
<button class="button quiet" type="submit">${isClient ? 'Disconnect client' : 'Revoke key'}</button>
</form>`
}
