/** JSON Schemas for events, webhooks and deliveries. */
import type { BalanceAlert, KeyAlertRecord } from '../../../events/alerts.ts'
import { DELIVERY_STATUSES, type DeliveryRecord } from '../../../events/delivery/delivery-record.ts'
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../../events/event-types.ts'
import type { EventRecord } from '../../../events/event-record.ts'
import { SIGNATURES } from '../../../events/webhooks/secrets.ts'
import { FORMATS } from '../../../events/webhooks/webhook-input.ts'
import type { WebhookRecord } from '../../../events/webhooks/webhook-record.ts'
import {
  amount,
  amountOrNull,
  record,
  text,
  textOrNull,
  time,
  timeOrNull,
  type FieldsOf,
} from './schema-parts.ts'

const eventId = { type: 'string', pattern: '^evt_' }

const dataDescription = EVENT_TYPE_NAMES.map(
  (name) => `${name}: ${Object.keys(EVENT_TYPES[name].fields).join(', ')}`,
).join('; ')

const eventFields: FieldsOf<EventRecord> = {
  id: eventId,
  type: { enum: EVENT_TYPE_NAMES },
  timestamp: time,
  data: {
    type: 'object',
    required: ['sequence'],
    properties: {
      sequence: {
        ...amount,
        description: 'The position among the events of the account in this mode.',
      },
    },
    additionalProperties: true,
    description: `Ids and amounts. ${dataDescription}.`,
  },
}

const webhookFields: FieldsOf<WebhookRecord> = {
  id: { type: 'string', pattern: '^whk_' },
  url: { ...textOrNull, description: 'Null for the format "email".' },
  format: { enum: [...FORMATS] },
  events: { type: 'array', items: text },
  label: textOrNull,
  mode: { enum: ['live', 'test'] },
  scope: {
    enum: ['own', 'account'],
    description: '"own": receives only the events of the key that created it.',
  },
  signature: { enum: [...SIGNATURES] },
  status: { enum: ['active', 'disabled'] },
  disabled_because: {
    enum: ['asked', 'gone', 'failing', 'closed', null],
    description:
      'asked: by a request; gone: the receiver answered 410; failing: no success for five days; closed: the key or account was closed.',
  },
  failing_since: { ...timeOrNull, description: 'The first failure since the last success.' },
  former_secret_valid_until: {
    ...timeOrNull,
    description: 'Until then, deliveries also carry a signature by the former secret.',
  },
  created_at: time,
}

const deliveryFields: FieldsOf<DeliveryRecord> = {
  id: { type: 'string', pattern: '^dlv_' },
  event_id: eventId,
  type: { enum: EVENT_TYPE_NAMES },
  webhook_id: { ...textOrNull, description: 'Null for the webhook_url of a job.' },
  url: textOrNull,
  status: { enum: [...DELIVERY_STATUSES] },
  next_try_at: timeOrNull,
  tries: {
    type: 'array',
    description: 'The last 20 tries, oldest first.',
    items: record({
      at: time,
      took_ms: amount,
      status: { ...amountOrNull, description: 'The status of the response; null without one.' },
      note: { ...textOrNull, description: 'Why the try failed.' },
    }),
  },
  ended_at: timeOrNull,
  created_at: time,
}

const balanceAlertFields: FieldsOf<BalanceAlert> = { low_balance_cents: amount }
const keyAlertFields: FieldsOf<KeyAlertRecord> = {
  key_id: { type: 'string', pattern: '^agk_' },
  threshold_percents: { type: 'array', items: amount },
}

export const eventSchemas = {
  Event: record(eventFields),
  Webhook: record(webhookFields),
  WebhookWithSecret: record({
    ...webhookFields,
    secret: {
      ...text,
      description:
        'The signing secret (whsec_…), or the public key for v1a (whpk_…). No other response contains it.',
    },
  }),
  Delivery: record(deliveryFields),
  DeliveryWithEvent: record({ ...deliveryFields, event: record(eventFields) }),
  BalanceAlert: record(balanceAlertFields),
  KeyAlert: record(keyAlertFields),
  JobSecret: record({ secret: { type: 'string', pattern: '^whsec_' } }),
  TestEvent: record({ event_id: eventId }),
  Redelivered: record({ deliveries: { ...amount, description: 'The number of deliveries.' } }),
}
