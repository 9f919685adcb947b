import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../../../events/event-types.ts'
import type { Format } from '../../../../events/webhooks/webhook-input.ts'
import { html, type Html } from '../../html/html.ts'
import { choice } from '../account/account-components.ts'
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

export function webhookFields(typed: WebhookFormValues, sendsEmail: boolean): Html {
  const formats = FORMATS.filter(([format]) => sendsEmail || format !== 'email')
  return html`<div class="wide"><label for="url">Address</label><input id="url" name="url" type="url" maxlength="2048" value="${typed.url}" placeholder="https://ops.example.com/tollgate" autocomplete="off"></div>
<div><label for="label">Label (optional)</label><input id="label" name="label" maxlength="100" value="${typed.label}" autocomplete="off"></div>
${choice('format', 'Format', formats, typed.format)}
${eventBoxes(typed.events)}`
}

export function eventBoxes(chosen: readonly string[]): Html {
  return html`<fieldset class="events"><legend>Events</legend>${OFFERED.map((name) => html`<label class="check"><input type="checkbox" name="event ${name}" value="yes"${isChosen(chosen, name) && html` checked`}> ${EVENT_TYPES[name].title} <span class="muted">${name}</span></label>`)}</fieldset>`
}

function isChosen(chosen: readonly string[], name: string): boolean {
  return chosen.some(
    (pattern) =>
      pattern === '*' ||
      pattern === name ||
      (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))),
  )
}
