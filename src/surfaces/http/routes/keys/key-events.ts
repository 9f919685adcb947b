import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { EventRecord } from '../../../../events/event-record.ts'
import { EVENT_TYPES } from '../../../../events/event-types.ts'
import { html, type Html } from '../../html/html.ts'
import { table } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import { moneyText } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'

/** The latest events of a key, newest first, with a link to the webhooks and their deliveries. */
export function keyEvents(events: readonly EventRecord[], visitor: Visitor): Html {
  return html`<p class="hint"><a href="${accountUrl('/webhooks', visitor)}">Webhooks</a> send events to an address, and list each delivery.</p>
${
  events.length === 0
    ? html`<p>No events of this key yet.</p>`
    : table(
        'Events',
        ['Event', 'Time', 'Details'],
        events.map((event) => [
          EVENT_TYPES[event.type].title,
          time(event.timestamp),
          detailsOf(event),
        ]),
      )
}`
}

function detailsOf({ data }: EventRecord): Html | string {
  const { threshold_percent: percent, ceiling_micros: ceiling, spent_micros: spent } = data
  if (typeof percent === 'number' && typeof ceiling === 'number' && typeof spent === 'number')
    return `${moneyText(spent)} spent: ${percent}% of ${moneyText(ceiling)}`
  const { action, service } = data
  const subject = action ?? service
  return typeof subject === 'string' ? html`<bdi>${subject}</bdi>` : '–'
}
