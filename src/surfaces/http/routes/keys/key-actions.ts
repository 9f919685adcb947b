/** The other forms of one key: notifications, rotation and revocation. */
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { actionForm, submitButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { field, fieldError, selectField } from '../../html/components/field.ts'
import { code, time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { GRACE_OPTIONS } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import type { KeyView } from './key-view.ts'

// Gives time to deploy the new secret.
const DEFAULT_GRACE = '3600'

/** The longest text of a list of percentages. */
const LONGEST_PERCENTS = 60

export function keyActions(view: KeyView): Html {
  const { key } = view
  return html`${key.ceiling_cents !== null && alertCard(view)}
${key.client_id === null && rotateCard(view)}
${key.primary ? html`<p class="muted">This is the primary key of the account. It cannot be revoked.</p>` : revokeCard(view)}`
}

function to({ visitor, key }: KeyView, form: string): string {
  return accountUrl(`/keys/${key.id}${form}`, visitor)
}

function alertCard(view: KeyView): Html {
  const { alertPercents, errors } = view
  return card({
    title: 'Notifications',
    content: html`<form class="stack" action="${to(view, '/alerts')}" method="post">
${field({ label: 'Notify at (% of the limit)', name: 'percents', value: alertPercents.join(', '), maxLength: LONGEST_PERCENTS, inputMode: 'numeric', autocomplete: 'off', error: errors['percents'], hint: html`Writes the event ${code('key.threshold')}, which <a href="${accountUrl('/webhooks', view.visitor)}">webhooks</a> send. Empty: no events.` })}
${submitButton('Save notifications', { kind: 'quiet', block: true })}</form>`,
  })
}

function rotateCard(view: KeyView): Html {
  const { key, errors, grace = DEFAULT_GRACE, onceToken } = view
  return card({
    title: 'Rotate',
    id: 'rotate',
    content: html`<p class="hint">A new secret with the same policy, spending and child keys. The current one begins with ${code(`${key.key_prefix}…`)}.</p>
${key.former_key_valid_until !== null && formerSecret(view, key)}
<form class="stack" action="${to(view, '/rotate')}" method="post">${onceField(onceToken)}
${selectField({ label: 'Former secret expires', name: 'grace_seconds', options: GRACE_OPTIONS, chosen: grace, error: errors['grace_seconds'] })}
${submitButton('Create new secret', { kind: 'quiet', icon: 'rotate', block: true })}</form>`,
  })
}

function formerSecret(view: KeyView, { former_key_valid_until: until }: KeyRecord): Html {
  return html`<div class="row between"><p id="former">Former secret valid until ${time(until ?? '')}.</p>${actionForm(to(view, '/end-former'), 'End now', { kind: 'quiet', size: 'small' })}</div>`
}

function revokeCard(view: KeyView): Html {
  const { key, errors } = view
  const isClient = key.client_id !== null
  const error = errors['sure']
  return card({
    title: isClient ? 'Disconnect' : 'Revoke',
    id: 'revoke',
    kind: 'danger',
    content: html`<form class="stack" action="${to(view, '/revoke')}" method="post">
<p class="hint">${isClient ? 'Disconnecting permanently ends the access of the client. To use it again, connect it again.' : 'Revoking permanently ends the key and all keys below it. All calls with them are rejected.'}</p>
<label class="check"><input id="sure" type="checkbox" name="sure" value="yes" required${error !== undefined && html` aria-invalid="true" aria-describedby="sure-error" autofocus`}> <span>I understand that this cannot be undone</span></label>
${error !== undefined && fieldError('sure', error)}
${submitButton(isClient ? 'Disconnect client' : 'Revoke key', { kind: 'danger', block: true })}</form>`,
  })
}
