/** Events, webhooks and deliveries in the OpenAPI document. */
import { answers, schemaRef } from '../../../catalog/published/openapi-parts.ts'
import { BalanceAlertBody, KeyAlertBody } from '../../../events/alerts.ts'
import {
  NewWebhookBody,
  RedeliverBody,
  RotateSecretBody,
  WebhookPatchBody,
} from '../../../events/webhooks/webhook-input.ts'
import { DeliveryQuery, EventQuery } from '../routes/events/event-query.ts'
import type { eventSchemas } from './event-schemas.ts'
import { jsonBody, queryParameters } from './from-schema.ts'
import { idempotencyKey, KEYED, requestId, security, WRITE } from './path-parts.ts'

type SchemaName = keyof typeof eventSchemas

const data = (schema: object, further: Readonly<Record<string, object>> = {}) => ({
  type: 'object',
  required: ['ok', 'data', ...Object.keys(further)],
  properties: { ok: { const: true }, data: schema, ...further },
})
const one = (name: SchemaName) => data(schemaRef(name))
const list = (name: SchemaName, further: Readonly<Record<string, object>> = {}) =>
  data({ type: 'array', items: schemaRef(name) }, further)

const tags = ['events']
const FIND = [...KEYED, 404]
const CHANGE = [...WRITE, 404]

const idOf = (what: string, prefix: string) => ({
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: `${what} id (${prefix}_…).`,
})

function operation(
  operationId: string,
  summary: string,
  schema: object,
  {
    statuses,
    status = 200,
    ...more
  }: { readonly statuses: readonly number[]; readonly status?: number } & Readonly<
    Record<string, unknown>
  >,
) {
  return {
    operationId,
    tags,
    security,
    summary,
    ...more,
    responses: answers(
      { status, description: 'The result.', schema, headers: requestId },
      statuses,
    ),
  }
}

const webhookPaths = {
  '/api/v1/webhooks': {
    get: operation(
      'list_webhooks',
      'List webhooks, newest first. A key of scope "own" sees its own.',
      list('Webhook'),
      { statuses: KEYED },
    ),
    post: operation(
      'create_webhook',
      'Register a webhook. Only this response contains its secret.',
      one('WebhookWithSecret'),
      {
        statuses: [...WRITE, 409, 422],
        status: 201,
        parameters: [idempotencyKey],
        requestBody: jsonBody(NewWebhookBody, {
          url: 'https://ops.example.com/tollgate',
          events: ['job.*', 'key.threshold', 'balance.low'],
        }),
      },
    ),
  },
  '/api/v1/webhooks/{id}': {
    parameters: [idOf('Webhook', 'whk')],
    get: operation('read_webhook', 'Read a webhook.', one('Webhook'), { statuses: FIND }),
    patch: operation(
      'update_webhook',
      'Change a webhook, disable it or enable it again.',
      one('Webhook'),
      { statuses: CHANGE, requestBody: jsonBody(WebhookPatchBody, { status: 'active' }) },
    ),
    delete: operation('delete_webhook', 'Delete a webhook and its deliveries.', one('Webhook'), {
      statuses: CHANGE,
    }),
  },
  '/api/v1/webhooks/{id}/rotate': {
    parameters: [idOf('Webhook', 'whk')],
    post: operation(
      'rotate_webhook_secret',
      'Replace the secret. Deliveries have both signatures during the grace period.',
      one('WebhookWithSecret'),
      {
        statuses: [...CHANGE, 409, 422],
        parameters: [idempotencyKey],
        requestBody: jsonBody(RotateSecretBody, { grace_seconds: 3600 }),
      },
    ),
  },
  '/api/v1/webhooks/{id}/test': {
    parameters: [idOf('Webhook', 'whk')],
    post: operation('test_webhook', 'Send a test event to one webhook.', one('TestEvent'), {
      statuses: CHANGE,
      status: 202,
    }),
  },
  '/api/v1/webhooks/{id}/redeliver': {
    parameters: [idOf('Webhook', 'whk')],
    post: operation(
      'redeliver_events',
      'Send stored events to a webhook again: one by its id, or a range of time.',
      one('Redelivered'),
      {
        statuses: CHANGE,
        status: 202,
        requestBody: jsonBody(RedeliverBody, { since: '2027-01-31T00:00:00Z' }),
      },
    ),
  },
  '/api/v1/webhooks/deliveries': {
    get: operation(
      'list_deliveries',
      'List deliveries with their tries, newest first.',
      list('Delivery', { next_cursor: { type: ['string', 'null'] } }),
      { statuses: [400, ...KEYED], parameters: queryParameters(DeliveryQuery) },
    ),
  },
  '/api/v1/webhooks/deliveries/{id}': {
    parameters: [idOf('Delivery', 'dlv')],
    get: operation('read_delivery', 'Read a delivery and its event.', one('DeliveryWithEvent'), {
      statuses: FIND,
    }),
  },
  '/api/v1/webhooks/deliveries/{id}/redeliver': {
    parameters: [idOf('Delivery', 'dlv')],
    post: operation('redeliver', 'Repeat a delivery.', one('Redelivered'), {
      statuses: CHANGE,
      status: 202,
    }),
  },
  '/api/v1/webhooks/job-secret': {
    get: operation(
      'read_job_secret',
      'Read the secret that signs the events of jobs with a webhook_url. It belongs to the calling key.',
      one('JobSecret'),
      { statuses: KEYED },
    ),
  },
}

export const eventPaths = {
  '/api/v1/events': {
    get: operation(
      'list_events',
      'List events after a cursor, oldest first. With wait_s, wait for the next one.',
      list('Event', {
        next_after: {
          type: ['string', 'null'],
          description: 'Send it as "after" in the next request.',
        },
      }),
      { statuses: [400, ...FIND], parameters: queryParameters(EventQuery) },
    ),
  },
  '/api/v1/events/{id}': {
    parameters: [idOf('Event', 'evt')],
    get: operation('read_event', 'Read an event.', one('Event'), { statuses: FIND }),
  },
  '/api/v1/alerts': {
    get: operation(
      'read_balance_alert',
      'Read when balance.low is written. Requires the primary key.',
      one('BalanceAlert'),
      {
        statuses: KEYED,
      },
    ),
    put: operation(
      'set_balance_alert',
      'Set when balance.low is written. Requires the primary key.',
      one('BalanceAlert'),
      { statuses: WRITE, requestBody: jsonBody(BalanceAlertBody, { low_balance_cents: 500 }) },
    ),
  },
  '/api/v1/agents/{id}/alerts': {
    parameters: [idOf('Key', 'agk')],
    get: operation(
      'read_key_alert',
      'Read the percentages of the limit of a key that write key.threshold.',
      one('KeyAlert'),
      { statuses: FIND },
    ),
    put: operation(
      'set_key_alert',
      'Set the percentages of the limit of a key that write key.threshold. Requires the primary key.',
      one('KeyAlert'),
      {
        statuses: CHANGE,
        requestBody: jsonBody(KeyAlertBody, { threshold_percents: [50, 80, 100] }),
      },
    ),
  },
  ...webhookPaths,
}
