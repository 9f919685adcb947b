import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from '../../../../events/delivery/delivery-record.ts'
import {
  countDeliveries,
  listDeliveries,
  readDelivery,
} from '../../../../events/delivery/list-deliveries.ts'
import { listWebhooks, readWebhook } from '../../../../events/webhooks/change-webhook.ts'
import type { WebhookDeps } from '../../../../events/webhooks/webhook-deps.ts'
import { DAY_MS } from '../../../../lib/clock.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { accountUrl } from '../account/account-url.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { fieldErrors, type FieldErrors } from '../visitor/field-errors.ts'
import { describeError, sendErrorPage, sendPage } from '../visitor/send-page.ts'
import { onceTokenOf } from '../visitor/answer-form-once.ts'
import { deliveryPage } from './delivery-page.ts'
import { newWebhookPage } from './new-webhook-page.ts'
import { EMPTY_WEBHOOK_FORM, readWebhookForm, WEBHOOK_FIELD_NAMES } from './webhook-form.ts'
import { webhookForms, type WebhookForm } from './webhook-forms.ts'
import { webhookPage } from './webhook-page.ts'
import { WEBHOOKS_PATH } from './webhook-parts.ts'
import { webhooksPage } from './webhooks-page.ts'
import { requires, type RoutePermission } from '../../guards/requires.ts'

export type WebhookPageDeps = {
  readonly pages: PageDeps
  readonly methods: SignInMethods
  readonly webhooks: WebhookDeps
  readonly validator: Validator
}

const DELIVERIES_SHOWN = 25

/** Messages of finished forms, by the value of `done`. */
const DONE: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  created: 'Webhook added.',
  deleted: 'Webhook deleted.',
  disabled: 'Webhook disabled. It receives no events until you enable it.',
  active: 'Webhook enabled.',
  tested: 'Test event sent. Reload this page to see its result.',
  redelivered: 'The gateway is sending the events again. Reload this page to see the results.',
}

type One = { Params: { id: string } }

/** /webhooks: webhooks, deliveries and their forms. Requires `acceptForms`. */
export async function webhookPageRoutes(
  app: FastifyInstance,
  deps: WebhookPageDeps,
): Promise<void> {
  const { pages, methods, webhooks } = deps
  const { site, findVisitor } = pages

  /** Shows the page to a visitor, and the sign-in page to a stranger. */
  function get(
    path: string,
    api: string,
    show: (request: FastifyRequest, reply: FastifyReply, visitor: Visitor) => Promise<FastifyReply>,
    permission: RoutePermission = 'calls.view',
  ): void {
    app.get(path, requires(permission), async (request, reply) => {
      // Redirects a program with a key to the API.
      if (bearerSecret(request) !== null) return reply.redirect(api, 303)
      const visitor = await findVisitor(request)
      return visitor === null
        ? sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
        : show(request, reply, visitor)
    })
  }

  get(WEBHOOKS_PATH, '/api/v1/webhooks', (request, reply, visitor) =>
    showWebhooks(deps, request, reply, visitor),
  )
  get(
    `${WEBHOOKS_PATH}/new`,
    '/api/v1/webhooks',
    (request, reply, visitor) => showNewWebhook(deps, request, reply, visitor),
    'webhooks.change',
  )
  get(`${WEBHOOKS_PATH}/:id`, '/api/v1/webhooks', (request, reply, visitor) =>
    showWebhook(deps, (request as FastifyRequest<One>).params.id, request, reply, visitor),
  )
  get(`${WEBHOOKS_PATH}/deliveries/:id`, '/api/v1/webhooks/deliveries', (request, reply, visitor) =>
    showDelivery(deps, (request as FastifyRequest<One>).params.id, request, reply, visitor),
  )
  for (const form of webhookForms({ pages, webhooks, validator: deps.validator }))
    registerForm(app, deps, form)
}

async function showWebhooks(
  { pages, webhooks }: WebhookPageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Visitor,
  error?: AppError,
): Promise<FastifyReply> {
  const { database, now, site } = pages
  const { caller } = visitor
  const cursor = fieldOf(request.query, 'cursor')
  const status = DELIVERY_STATUSES.find((one) => one === fieldOf(request.query, 'status'))
  const nowMs = now()
  const [all, counts, page] = await Promise.all([
    listWebhooks(webhooks, caller),
    countDeliveries(database, caller, nowMs - DAY_MS),
    firstPageUnlessKnown(database, caller, { cursor, status }),
  ])
  const markup = webhooksPage(site, {
    visitor,
    webhooks: all,
    counts,
    deliveries: page.deliveries,
    nextCursor: page.nextCursor,
    status,
    isFirstPage: cursor === '',
    nowMs,
    ...(error === undefined ? doneOf(request) : { problem: describeError(error) }),
  })
  return error === undefined ? sendPage(reply, 200, markup) : sendErrorPage(reply, error, markup)
}

async function showNewWebhook(
  { pages, webhooks }: WebhookPageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Visitor,
  error?: AppError,
): Promise<FastifyReply> {
  const markup = newWebhookPage(pages.site, {
    visitor,
    sendsEmail: webhooks.sendsEmail,
    typed: error === undefined ? EMPTY_WEBHOOK_FORM : readWebhookForm(request.body),
    ...messagesOf(request, error),
    ...(error?.isRetryable === true ? { onceToken: onceTokenOf(request.body) } : {}),
  })
  return error === undefined ? sendPage(reply, 200, markup) : sendErrorPage(reply, error, markup)
}

/** An invalid cursor shows the first page. */
async function firstPageUnlessKnown(
  database: PageDeps['database'],
  caller: Visitor['caller'],
  { cursor, status }: { readonly cursor: string; readonly status: DeliveryStatus | undefined },
) {
  const filter = { status, limit: DELIVERIES_SHOWN }
  const first = () => listDeliveries(database, caller, { ...filter, cursor: null })
  if (cursor === '') return first()
  return listDeliveries(database, caller, { ...filter, cursor }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_params') return first()
    throw error
  })
}

async function showWebhook(
  { pages: { database, site }, webhooks }: WebhookPageDeps,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Visitor,
  error?: AppError,
): Promise<FastifyReply> {
  const webhook = await readWebhook(webhooks, visitor.caller, id)
  const { deliveries } = await listDeliveries(database, visitor.caller, {
    webhookId: id,
    cursor: null,
    limit: DELIVERIES_SHOWN,
  })
  const markup = webhookPage(site, {
    visitor,
    webhook,
    deliveries,
    ...(error !== undefined && request.routeOptions.url === `${WEBHOOKS_PATH}/:id`
      ? { typed: readWebhookForm(request.body) }
      : {}),
    ...messagesOf(request, error),
    ...(error?.isRetryable === true ? { onceToken: onceTokenOf(request.body) } : {}),
  })
  return error === undefined ? sendPage(reply, 200, markup) : sendErrorPage(reply, error, markup)
}

async function showDelivery(
  { pages: { database, site } }: WebhookPageDeps,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Visitor,
  error?: AppError,
): Promise<FastifyReply> {
  const delivery = await readDelivery(database, visitor.caller, id)
  const markup = deliveryPage(site, { visitor, delivery, ...messagesOf(request, error) })
  return error === undefined ? sendPage(reply, 200, markup) : sendErrorPage(reply, error, markup)
}

function messagesOf(
  request: FastifyRequest,
  error: AppError | undefined,
): { readonly errors: FieldErrors; readonly done?: string; readonly problem?: string } {
  if (error === undefined) return { errors: {}, ...doneOf(request) }
  const errors = fieldErrors(error, WEBHOOK_FIELD_NAMES)
  return Object.keys(errors).length > 0 ? { errors } : { errors, problem: describeError(error) }
}

function doneOf({ query }: FastifyRequest): { readonly done?: string } {
  const done = DONE[fieldOf(query, 'done')]
  return done === undefined ? {} : { done }
}

/** Registers a form, which only a page of this gateway can submit. A GET shows its page. */
function registerForm(app: FastifyInstance, deps: WebhookPageDeps, form: WebhookForm): void {
  const { site, findVisitor } = deps.pages
  const isNew = form.path === WEBHOOKS_PATH
  const isDelivery = form.path.startsWith(`${WEBHOOKS_PATH}/deliveries/`)
  app.post<{ Params: { id?: string } }>(
    form.path,
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('webhooks.change') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const visitor = await findVisitor(request)
      if (visitor === null) return reply.redirect(WEBHOOKS_PATH, 303)
      const id = request.params.id ?? ''
      try {
        return await form.work({ request, reply, visitor, id })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (isNew) return showNewWebhook(deps, request, reply, visitor, error)
        if (error.code === 'unknown_webhook' || error.code === 'unknown_delivery')
          return showWebhooks(deps, request, reply, visitor, error)
        const show = isDelivery ? showDelivery : showWebhook
        return show(deps, id, request, reply, visitor, error)
      }
    },
  )
  if (form.isPage) return
  app.get<One>(form.path, requires('public'), async (request, reply) => {
    const visitor = await findVisitor(request)
    const folder = isDelivery ? `${WEBHOOKS_PATH}/deliveries` : WEBHOOKS_PATH
    const page = `${folder}/${encodeURIComponent(request.params.id)}`
    return reply.redirect(visitor === null ? page : accountUrl(page, visitor), 303)
  })
}
