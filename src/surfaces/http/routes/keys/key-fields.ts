/** The fields of the key form, each with its explanation. */
import { LONGEST_EXTERNAL_ID, LONGEST_LABEL } from '../../../../keys/key-input.ts'
import { field, selectField, type FieldView } from '../../html/components/field.ts'
import { html, type Html } from '../../html/html.ts'
import type { FieldErrors } from '../visitor/field-errors.ts'
import { MINT_WORDS, PERIODS, SCOPE_WORDS, type KeyFormValues } from './key-form.ts'
import { BREAKER_WORDS } from './key-policy-form.ts'

export type KeyFieldsView = {
  readonly values: KeyFormValues
  readonly errors: FieldErrors
  /** The actions that the patterns allow, below their fields. */
  readonly reach?: Html
}

/** The parts of the form, separated by lines. */
export function keyFields(view: KeyFieldsView): Html {
  return html`${nameFields(view)}
<hr>
${callFields(view)}
<hr>
${spendingFields(view)}
<hr>
${accessFields(view)}
<hr>
${childFields(view)}`
}

type TextField = Omit<FieldView, 'error' | 'value'> & { readonly value: string }

function text({ errors }: KeyFieldsView, view: TextField): Html {
  return field({ autocomplete: 'off', ...view, error: errors[view.name] })
}

function nameFields(view: KeyFieldsView): Html {
  const { label, externalId } = view.values
  return html`<div class="field-columns">
${text(view, { label: 'Label', name: 'label', value: label, maxLength: LONGEST_LABEL, hint: 'A name for people, such as the program that uses the key.' })}
${text(view, { label: 'External ID', name: 'external_id', value: externalId, maxLength: LONGEST_EXTERNAL_ID, hint: 'Your own identifier for the user of the key. It is on every call.' })}
</div>`
}

function callFields(view: KeyFieldsView): Html {
  const { allow, deny } = view.values
  return html`<h3 id="may-call">What it may call</h3>
<p class="hint">A pattern is <code>service/action</code>, and * stands for any characters. Deny wins over allow. Keys below this one can only do less.</p>
<div class="stack" data-policy>
${text(view, { label: 'Allow', name: 'allow', value: allow, type: 'area', rows: 3, mono: true, maxLength: 20_000, placeholder: 'core/*\nsemantic/search\nllm/core/cheap', hint: 'One pattern per line. Empty: every action.' })}
${text(view, { label: 'Deny', name: 'deny', value: deny, type: 'area', rows: 2, mono: true, maxLength: 20_000, placeholder: '*/sandbox-*', hint: 'One pattern per line. Empty: denies nothing.' })}
${view.reach}</div>`
}

function spendingFields(view: KeyFieldsView): Html {
  const { ceiling, period, maxCall } = view.values
  return html`<h3 id="may-spend">What it may spend</h3>
<p class="hint">The gateway checks these limits before each call. Calls above them are refused and not charged.</p>
<div class="field-columns">
${text(view, { label: 'Spending limit', name: 'ceiling', value: ceiling, unit: '$', inputMode: 'decimal', maxLength: 20, placeholder: 'No limit', hint: 'Empty: the key can spend the whole balance.' })}
${selectField({ label: 'Resets', name: 'period', options: PERIODS, chosen: period, error: view.errors['period'], hint: 'At 00:00 UTC: each day, on Monday, or on the first of the month.' })}
${text(view, { label: 'Limit per call', name: 'max_call', value: maxCall, unit: '$', inputMode: 'decimal', maxLength: 20, placeholder: 'No limit', hint: 'The most that one call may cost.' })}
</div>`
}

function accessFields(view: KeyFieldsView): Html {
  const { scope, expires, rate, ips } = view.values
  return html`<h3 id="access">Access</h3>
<div class="field-columns">
${text(view, { label: 'Expires (UTC)', name: 'expires_at', value: expires, maxLength: 40, placeholder: 'Never, or 2027-01-31T00:00:00Z', hint: 'The key and all keys below it stop then.' })}
${text(view, { label: 'Requests per minute', name: 'rate_limit', value: rate, inputMode: 'numeric', maxLength: 9, placeholder: 'No limit', hint: 'More receive 429 and can retry a moment later.' })}
${scope !== '' && selectField({ label: 'Reads', name: 'scope', options: SCOPE_WORDS, chosen: scope, error: view.errors['scope'], hint: 'Choose the whole account only for trusted programs: it shows the balance, all keys and all calls.' })}
</div>
${text(view, { label: 'Allowed client addresses', name: 'allowed_ips', value: ips, type: 'area', rows: 2, mono: true, maxLength: 20_000, placeholder: '192.0.2.0/24', hint: 'One address or network per line. Empty: any address.' })}`
}

function childFields(view: KeyFieldsView): Html {
  const { mayMint, breaker } = view.values
  return html`<h3 id="behavior">Child keys and loops</h3>
<div class="field-columns">
${mayMint !== '' && selectField({ label: 'Child keys', name: 'may_mint', options: MINT_WORDS, chosen: mayMint, error: view.errors['may_mint'], hint: 'Whether the key may create keys for sub-agents. They all spend from its limit.' })}
${selectField({ label: 'Repeated calls', name: 'breaker', options: BREAKER_WORDS, chosen: breaker, error: view.errors['breaker'], hint: 'What happens when the same call returns the same answer again and again.' })}
</div>`
}
