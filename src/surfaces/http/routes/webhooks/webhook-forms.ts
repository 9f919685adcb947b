import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { redeliver, redeliverEvents } from '../../../../events/delivery/redeliver.ts'
import {
  deleteWebhook,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from '../../../../events/webhooks/change-webhook.ts'
import { createWebhook } from '../../../../events/webhooks/create-webhook.ts'
import type { WebhookDeps } from '../../../../events/webhooks/webhook-deps.ts'
import {
  NewWebhookBody,
  RotateSecretBody,
  WebhookPatchBody,
} from '../../../../events/webhooks/webhook-input.ts'
import type { WebhookWithSecret } from '../../../../events/webhooks/webhook-record.ts'
import { HOUR_MS, toRfc3339 } from '../../../../lib/clock.ts'
import { readBody } from '../../read-input.ts'
import { accountUrl } from '../account/account-url.ts'
import { answerFormOnce } from '../visitor/answer-form-once.ts'
import { fieldOf } from '../visitor/forms.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'
import { inputOfForm, readWebhookForm } from './webhook-form.ts'
import { webhookSecretPage } from './webhook-page.ts'
import { WEBHOOKS_PATH } from './webhook-parts.ts'

/** A submitted form of a visitor. `id`: the webhook or delivery; empty for a new webhook. */
export type SubmittedForm = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly visitor: Visitor
  readonly id: string
}

export type WebhookForm = {
  readonly path: string
  /** Whether a GET of the path shows a page. */
  readonly isPage: boolean
  work(sent: SubmittedForm): Promise<FastifyReply>
}

type FormDeps = {
  readonly pages: PageDeps
  readonly webhooks: WebhookDeps
  readonly validator: Validator
}

export function webhookForms(deps: FormDeps): readonly WebhookForm[] {
  return [
    creation(deps),
    change(deps),
    rotation(deps),
    ...changesWithoutSecret(deps),
    deletion(deps),
  ]
}

const pathOf = (form: string): string => `${WEBHOOKS_PATH}/:id${form}`

function back({ reply, visitor, id }: SubmittedForm, done: string): FastifyReply {
  return reply.redirect(accountUrl(`${WEBHOOKS_PATH}/${id}`, visitor, { done }), 303)
}

function creation({ pages, webhooks, validator }: FormDeps): WebhookForm {
  return {
    path: WEBHOOKS_PATH,
    isPage: true,
    async work({ request, reply, visitor }) {
      const form = inputOfForm(readWebhookForm(request.body))
      const input = readBody(validator, NewWebhookBody, form)
      const webhook = await answerFormOnce<WebhookWithSecret>(
        pages,
        request,
        visitor.caller,
        (keep) => createWebhook(webhooks, visitor.caller, input, keep),
      )
      if (webhook.format !== 'json') {
        const path = `${WEBHOOKS_PATH}/${webhook.id}`
        return reply.redirect(accountUrl(path, visitor, { done: 'created' }), 303)
      }
      return sendPage(reply, 201, webhookSecretPage(pages.site, { visitor, webhook }))
    },
  }
}

function change({ webhooks, validator }: FormDeps): WebhookForm {
  return {
    path: pathOf(''),
    isPage: true,
    async work(sent) {
      const { url, label, events } = readWebhookForm(sent.request.body)
      const patch = readBody(validator, WebhookPatchBody, {
        ...(url === '' ? {} : { url }),
        label: label === '' ? null : label,
        events,
      })
      await updateWebhook(webhooks, sent.visitor.caller, sent.id, patch)
      return back(sent, 'saved')
    },
  }
}

function rotation({ pages, webhooks, validator }: FormDeps): WebhookForm {
  return {
    path: pathOf('/rotate'),
    isPage: false,
    async work({ request, reply, visitor, id }) {
      const { grace_seconds: graceSeconds = 0 } = readBody(validator, RotateSecretBody, {
        grace_seconds: Number(fieldOf(request.body, 'grace_seconds')),
      })
      const webhook = await answerFormOnce<WebhookWithSecret>(
        pages,
        request,
        visitor.caller,
        (alongside) => rotateSecret(webhooks, visitor.caller, id, { graceSeconds, alongside }),
      )
      return sendPage(reply, 200, webhookSecretPage(pages.site, { visitor, webhook }))
    },
  }
}

function changesWithoutSecret({ pages, webhooks, validator }: FormDeps): readonly WebhookForm[] {
  return [
    {
      path: pathOf('/test'),
      isPage: false,
      async work(sent) {
        await testWebhook(webhooks, sent.visitor.caller, sent.id)
        return back(sent, 'tested')
      },
    },
    {
      path: pathOf('/status'),
      isPage: false,
      async work(sent) {
        const status = fieldOf(sent.request.body, 'status')
        const patch = readBody(validator, WebhookPatchBody, { status })
        await updateWebhook(webhooks, sent.visitor.caller, sent.id, patch)
        return back(sent, status)
      },
    },
    {
      path: pathOf('/redeliver'),
      isPage: false,
      async work(sent) {
        const hours = hoursOf(fieldOf(sent.request.body, 'hours'))
        const since = toRfc3339(Math.max(0, pages.now() - hours * HOUR_MS))
        await redeliverEvents(webhooks, sent.visitor.caller, sent.id, { since })
        return back(sent, 'redelivered')
      },
    },
    {
      path: `${WEBHOOKS_PATH}/deliveries/:id/redeliver`,
      isPage: false,
      async work({ reply, visitor, id }) {
        await redeliver(webhooks, visitor.caller, id)
        const path = `${WEBHOOKS_PATH}/deliveries/${id}`
        return reply.redirect(accountUrl(path, visitor, { done: 'redelivered' }), 303)
      },
    },
  ]
}

const MOST_HOURS = 840

/** Throws AppError invalid_params for a text that is not a number of hours. */
function hoursOf(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_HOURS) return Number(text)
  throw new AppError('invalid_params', 'The time of the events is unknown.', {
    param: 'since',
    fix: 'Choose one of the list.',
  })
}

function deletion({ webhooks }: FormDeps): WebhookForm {
  return {
    path: pathOf('/delete'),
    isPage: false,
    async work({ request, reply, visitor, id }) {
      if (fieldOf(request.body, 'sure') !== 'yes')
        throw new AppError('invalid_params', 'The webhook was not deleted.', {
          param: 'sure',
          fix: 'Tick the box to confirm. This cannot be undone.',
        })
      await deleteWebhook(webhooks, visitor.caller, id)
      return reply.redirect(accountUrl(WEBHOOKS_PATH, visitor, { done: 'deleted' }), 303)
    },
  }
}
