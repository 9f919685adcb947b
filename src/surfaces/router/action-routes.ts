/** APIs of OpenAI that actions of the catalog implement. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallAnswer, Calls } from '../../calls/call.ts'
import { runCall } from '../../calls/run.ts'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import { fieldsOf, isFields, parseFields, type Fields } from '../../lib/json-fields.ts'
import { publicId } from '../../lib/ids.ts'
import { idempotencyOf } from '../http/idempotency.ts'
import { holdWaitOf } from '../http/prefer-wait.ts'
import { remainingCents } from '../http/remaining-cents.ts'
import { requestEndOf } from '../http/request-timeout.ts'
import { sendWhenDone } from '../http/send-when-done.ts'
import { readCallingApp } from './read-calling-app.ts'
import { renderChatError } from './render-chat-error.ts'

type ActionRoute = {
  readonly path: string
  readonly service: string
  readonly action: string
  readonly toParams: (body: Fields) => Fields
}

// Frameworks send several hundred passages at the same time.
const BODY_LIMIT_BYTES = 8 * 1024 * 1024
const MOST_IN_FLIGHT = 1_000

const ROUTES: readonly ActionRoute[] = [
  { path: '/embeddings', service: 'llmnative-b', action: 'embeddings', toParams: withOwnModel },
]

/** Registers the routes. Holds, charges and replays are those of the action. */
export async function actionRoutes(
  app: FastifyInstance,
  { calls }: { readonly calls: Calls },
): Promise<void> {
  const room = new SharedCapacity(MOST_IN_FLIGHT, 'calls')
  app.setErrorHandler(renderChatError)
  for (const route of ROUTES)
    app.post(
      `/api/llm/v1${route.path}`,
      { bodyLimit: BODY_LIMIT_BYTES },
      (request: FastifyRequest, reply: FastifyReply) => {
        reply.header('x-request-id', publicId('request', request.id))
        const { caller, body } = request
        if (caller.mode === 'test') reply.header('x-test', 'true')
        const endsMs = requestEndOf(request, calls.ledger.load)
        const call = {
          id: request.id,
          caller,
          service: route.service,
          action: route.action,
          app: readCallingApp(request.headers),
          body: isFields(body) ? route.toParams(body) : body,
          idempotency: idempotencyOf(request),
          endsMs,
          wait: holdWaitOf(request, reply, endsMs),
        }
        room.take(caller.accountId)
        sendWhenDone(reply, {
          work: runCall(calls, call),
          send: (answer) => sendData(request, reply, answer),
          over: () => room.giveBack(caller.accountId),
        })
      },
    )
}

/** Clients name models with or without their vendor, and a user, which the action does not need. */
function withOwnModel({ user: _user, ...body }: Fields): Fields {
  const { model } = body
  return typeof model === 'string' ? { ...body, model: model.replace(/^openai\//, '') } : body
}

/** Sends the vendor's body, without the envelope. */
function sendData(
  { caller }: FastifyRequest,
  reply: FastifyReply,
  { status, body, charged, wallet, replayed }: CallAnswer,
): FastifyReply {
  reply.header('x-charged-micros', charged.toString()).header('cache-control', 'no-store')
  const remaining = remainingCents(caller, wallet)
  if (remaining !== null) reply.header('x-credits-remaining-cents', String(remaining))
  if (replayed) reply.header('idempotency-replayed', 'true')
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(fieldsOf(parseFields(body))['data']))
}
