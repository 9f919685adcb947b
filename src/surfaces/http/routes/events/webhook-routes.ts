import type { FastifyInstance } from 'fastify'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { listDeliveries, readDelivery } from '../../../../events/delivery/list-deliveries.ts'
import { redeliver, redeliverEvents } from '../../../../events/delivery/redeliver.ts'
import {
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from '../../../../events/webhooks/change-webhook.ts'
import { createWebhook } from '../../../../events/webhooks/create-webhook.ts'
import type { WebhookDeps } from '../../../../events/webhooks/webhook-deps.ts'
import {
  NewWebhookBody,
  RedeliverBody,
  RotateSecretBody,
  USUAL_GRACE_SECONDS,
  WebhookPatchBody,
} from '../../../../events/webhooks/webhook-input.ts'
import type { WebhookWithSecret } from '../../../../events/webhooks/webhook-record.ts'
import { readBody, readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { sendOnce } from '../../send-once.ts'
import { DeliveryQuery } from './event-query.ts'
import { requires } from '../../guards/requires.ts'

export type WebhookRouteDeps = { readonly webhooks: WebhookDeps; readonly validator: Validator }

const DEFAULT_LIMIT = 50

type One = { Params: { id: string } }

/** Webhooks and deliveries. Requires `requireKeyOrSession`. The functions of src/events check permissions. */
export async function webhookRoutes(
  app: FastifyInstance,
  { webhooks, validator }: WebhookRouteDeps,
): Promise<void> {
  app.get('/api/v1/webhooks', requires('calls.view'), async (request, reply) =>
    sendBody(request, reply, dataBody(await listWebhooks(webhooks, request.caller))),
  )

  app.post('/api/v1/webhooks', requires('webhooks.change'), async (request, reply) => {
    const input = readBody(validator, NewWebhookBody, request.body)
    return sendOnce<WebhookWithSecret>(webhooks, request, reply, 201, (keep) =>
      createWebhook(webhooks, request.caller, input, keep),
    )
  })

  app.get<One>('/api/v1/webhooks/:id', requires('calls.view'), async (request, reply) =>
    sendBody(
      request,
      reply,
      dataBody(await readWebhook(webhooks, request.caller, request.params.id)),
    ),
  )

  app.patch<One>('/api/v1/webhooks/:id', requires('webhooks.change'), async (request, reply) => {
    const patch = readBody(validator, WebhookPatchBody, request.body)
    return sendBody(
      request,
      reply,
      dataBody(await updateWebhook(webhooks, request.caller, request.params.id, patch)),
    )
  })

  app.delete<One>('/api/v1/webhooks/:id', requires('webhooks.change'), async (request, reply) =>
    sendBody(
      request,
      reply,
      dataBody(await deleteWebhook(webhooks, request.caller, request.params.id)),
    ),
  )

  app.post<One>(
    '/api/v1/webhooks/:id/rotate',
    requires('webhooks.change'),
    async (request, reply) => {
      const { grace_seconds: graceSeconds = USUAL_GRACE_SECONDS } = readBody(
        validator,
        RotateSecretBody,
        request.body,
      )
      return sendOnce<WebhookWithSecret>(webhooks, request, reply, 200, (alongside) =>
        rotateSecret(webhooks, request.caller, request.params.id, {
          graceSeconds,
          ...(alongside === undefined ? {} : { alongside }),
        }),
      )
    },
  )

  app.post<One>('/api/v1/webhooks/:id/test', requires('webhooks.change'), async (request, reply) =>
    sendBody(
      request,
      reply,
      dataBody(await testWebhook(webhooks, request.caller, request.params.id)),
      202,
    ),
  )

  app.post<One>(
    '/api/v1/webhooks/:id/redeliver',
    requires('webhooks.change'),
    async (request, reply) => {
      const range = readBody(validator, RedeliverBody, request.body)
      return sendBody(
        request,
        reply,
        dataBody(await redeliverEvents(webhooks, request.caller, request.params.id, range)),
        202,
      )
    },
  )

  registerDeliveries(app, { webhooks, validator })
}

function registerDeliveries(app: FastifyInstance, { webhooks, validator }: WebhookRouteDeps): void {
  app.get('/api/v1/webhooks/deliveries', requires('calls.view'), async (request, reply) => {
    const {
      webhook_id: webhookId,
      limit = DEFAULT_LIMIT,
      cursor = null,
      ...filter
    } = readQuery(validator, DeliveryQuery, request.query)
    const page = await listDeliveries(webhooks.database, request.caller, {
      ...filter,
      webhookId,
      cursor,
      limit,
    })
    return sendBody(request, reply, dataBody(page.deliveries, page.nextCursor))
  })

  app.get<One>('/api/v1/webhooks/deliveries/:id', requires('calls.view'), async (request, reply) =>
    sendBody(
      request,
      reply,
      dataBody(await readDelivery(webhooks.database, request.caller, request.params.id)),
    ),
  )

  app.post<One>(
    '/api/v1/webhooks/deliveries/:id/redeliver',
    requires('webhooks.change'),
    async (request, reply) =>
      sendBody(
        request,
        reply,
        dataBody(await redeliver(webhooks, request.caller, request.params.id)),
        202,
      ),
  )

  app.get('/api/v1/webhooks/job-secret', requires('webhooks.change'), async (request, reply) =>
    sendBody(
      request,
      reply,
      dataBody({ secret: webhooks.secrets.jobSecret(request.caller.keyId) }),
    ),
  )
}
