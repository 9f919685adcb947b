import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../../../events/event-types.ts'
import type { Format } from '../../../../events/webhooks/webhook-input.ts'
import { checkField, field, fieldError, selectField } from '../../html/components/field.ts'
import { code } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import type { FieldErrors } from '../visitor/field-errors.ts'
import { fieldOf } from '../visitor/forms.ts'

/** The submitted text of each field. */
export type WebhookFormValues = {
  readonly url: string
  readonly label: string
  readonly format: string
  readonly events: readonly string[]
}

export const EMPTY_WEBHOOK_FORM: WebhookFormValues = {
  url: '',
  label: '',
  format: 'json',
  events: ['job.failed', 'key.threshold', 'balance.low'],
}

const OFFERED = EVENT_TYPE_NAMES.filter((name) => name !== 'webhook.test')

const FORMATS: readonly (readonly [Format, string])[] = [
  ['json', 'JSON, signed'],
  ['slack', 'Slack message'],
  ['email', 'Email to the account'],
]

export function readWebhookForm(body: unknown): WebhookFormValues {
  return {
    url: fieldOf(body, 'url').trim(),
    label: fieldOf(body, 'label').trim(),
    format: fieldOf(body, 'format'),
    // A form has one value per name, so each event has a field of its own.
    events: OFFERED.filter((name) => fieldOf(body, `event ${name}`) !== ''),
  }
}

/** The body of a request to create a webhook. */
export function inputOfForm({ url, label, format, events }: WebhookFormValues): object {
  return {
    ...(format === 'email' && url === '' ? {} : { url }),
    format,
    events,
    ...(label === '' ? {} : { label }),
  }
}

/** The fields of the forms of a webhook, by the parameters of errors. */
export const WEBHOOK_FIELD_NAMES = {
  url: 'url',
  label: 'label',
  format: 'format',
  events: 'events',
  status: 'status',
  grace_seconds: 'grace_seconds',
  since: 'hours',
  sure: 'sure',
} as const

export type WebhookFieldsView = {
  readonly typed: WebhookFormValues
  readonly errors: FieldErrors
  readonly sendsEmail: boolean
}

/** The fields of a new webhook. */
export function webhookFields({ typed, errors, sendsEmail }: WebhookFieldsView): Html {
  const formats = FORMATS.filter(([format]) => sendsEmail || format !== 'email')
  return html`<div class="field-columns">
${addressField(typed.url, errors, { required: false, ...(sendsEmail ? { hint: 'A public address that accepts POST. Leave it empty for email.' } : {}) })}
${labelField(typed.label, errors)}
${selectField({ label: 'Format', name: 'format', options: formats, chosen: typed.format, error: errors['format'], hint: 'JSON is for programs, Slack messages are for people.' })}
</div>
${eventBoxes(typed.events, errors)}`
}

export function addressField(
  value: string,
  errors: FieldErrors,
  {
    required,
    hint = 'A public address that accepts POST. Use https.',
  }: { readonly required: boolean; readonly hint?: string },
): Html {
  return field({
    label: 'Address',
    name: 'url',
    type: 'url',
    value,
    required,
    maxLength: 2048,
    placeholder: 'https://ops.example.com/tollgate',
    autocomplete: 'off',
    error: errors['url'],
    hint,
  })
}

export function labelField(value: string, errors: FieldErrors): Html {
  return field({
    label: 'Label (optional)',
    name: 'label',
    value,
    maxLength: 100,
    autocomplete: 'off',
    error: errors['label'],
    hint: 'A name for people.',
  })
}

/** One box per type of event, with its cause. */
export function eventBoxes(chosen: readonly string[], errors: FieldErrors): Html {
  const error = errors['events']
  return html`<fieldset class="events"${error !== undefined && html` aria-describedby="events-error"`}><legend>Events</legend>${error !== undefined && fieldError('events', error)}
<div class="event-boxes">${OFFERED.map((name, place) =>
    checkField({
      name: `event ${name}`,
      value: 'yes',
      checked: isChosen(chosen, name),
      label: html`${EVENT_TYPES[name].title} ${code(name)}`,
      hint: EVENT_TYPES[name].cause,
      isWrong: error !== undefined && place === 0,
    }),
  )}</div></fieldset>`
}

function isChosen(chosen: readonly string[], name: string): boolean {
  return chosen.some(
    (pattern) =>
      pattern === '*' ||
      pattern === name ||
      (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))),
  )
}
