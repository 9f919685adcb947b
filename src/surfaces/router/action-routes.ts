/** APIs of OpenAI that actions of the catalog implement. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallAnswer } from '../../calls/call.ts'
import { runCall } from '../../calls/run.ts'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import { fieldsOf, isFields, parseFields, type Fields } from '../../lib/json-fields.ts'
import { publicId } from '../../lib/ids.ts'
import { cassetteOf, notCovered } from '../http/cassette-of.ts'
import { idempotencyOf } from '../http/idempotency.ts'
import { holdWaitOf } from '../http/prefer-wait.ts'
import { remainingCents } from '../http/remaining-cents.ts'
import { requestEndOf } from '../http/request-timeout.ts'
import type { CalledAction } from '../http/log-calls.ts'
import { sendWhenDone } from '../http/send-when-done.ts'
import {
  JSON_CONTENT,
  type ActionContent,
  type ActionDeps,
  type ActionRoute,
} from './action-route.ts'
import { imageRoute } from './image-route.ts'
import { readCallingApp } from './read-calling-app.ts'
import { renderChatError } from './render-chat-error.ts'
import { speechRoute } from './speech-route.ts'

const embeddingsRoute: ActionRoute = {
  paths: ['/embeddings'],
  service: 'llmnative-b',
  action: 'embeddings',
  most: 1_000,
  // Frameworks send several hundred passages at the same time.
  bodyLimitBytes: 8 * 1024 * 1024,
  toParams: withOwnModel,
}

/** Registers the routes. Holds, charges and replays are those of the actions. */
export async function actionRoutes(app: FastifyInstance, deps: ActionDeps): Promise<void> {
  app.setErrorHandler(renderChatError)
  for (const route of [embeddingsRoute, imageRoute, speechRoute]) {
    const { service, action } = route
    const calledAction = (): CalledAction => ({ surface: 'router', service, action })
    const room = new SharedCapacity(route.most, 'calls')
    for (const path of route.paths)
      app.post(
        `/api/llm/v1${path}`,
        { bodyLimit: route.bodyLimitBytes, config: { calledAction } },
        (request: FastifyRequest, reply: FastifyReply) => {
          reply.header('x-request-id', publicId('request', request.id))
          const { caller } = request
          if (caller.mode === 'test') reply.header('x-test', 'true')
          const work = perform(deps, route, request, reply)
          room.take(caller.accountId)
          sendWhenDone(reply, {
            work: work(),
            send(answer) {
              deps.callLogger.answered(request, answer)
              return sendContent(request, reply, answer)
            },
            over: () => room.giveBack(caller.accountId),
          })
        },
      )
  }
}

type Performed = Omit<CallAnswer, 'body'> & { readonly content: ActionContent }

/** Reads the request. Throws AppError for an invalid one; the returned function makes the call. */
function perform(
  deps: ActionDeps,
  { service, action, toParams, toContent }: ActionRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): () => Promise<Performed> {
  const { calls } = deps
  const { caller, body } = request
  // The files of other answers belong to the mode of their key and expire.
  if (toContent !== undefined && request.headers['x-tollgate-cassette'] !== undefined)
    throw notCovered()
  const endsMs = requestEndOf(request, calls.ledger.load)
  const call = {
    id: request.id,
    caller,
    service,
    action,
    app: readCallingApp(request.headers),
    surface: 'router' as const,
    body: isFields(body) ? toParams(body, calls) : body,
    idempotency: idempotencyOf(request),
    cassette: cassetteOf(request, reply),
    endsMs,
    wait: holdWaitOf(request, reply, endsMs),
  }
  return async () => {
    const { body: envelope, ...answer } = await runCall(calls, call)
    // Without the envelope, which clients of OpenAI do not know.
    const data = fieldsOf(fieldsOf(parseFields(envelope))['data'])
    const content: ActionContent =
      toContent === undefined
        ? { type: JSON_CONTENT, body: JSON.stringify(data) }
        : await toContent(deps, { caller, body: fieldsOf(body), data })
    return { ...answer, content }
  }
}

/** Clients name models with or without their vendor, and a user, which the action does not need. */
function withOwnModel({ user: _user, ...body }: Fields): Fields {
  const { model } = body
  return typeof model === 'string' ? { ...body, model: model.replace(/^openai\//, '') } : body
}

function sendContent(
  { caller }: FastifyRequest,
  reply: FastifyReply,
  { status, content, charged, wallet, replayed }: Performed,
): FastifyReply {
  reply.header('x-charged-micros', charged.toString()).header('cache-control', 'no-store')
  const remaining = remainingCents(caller, wallet)
  if (remaining !== null) reply.header('x-credits-remaining-cents', String(remaining))
  if (replayed) reply.header('idempotency-replayed', 'true')
  return 'location' in content
    ? reply
        .code(303)
        .header('location', content.location)
        .type(JSON_CONTENT)
        .send(JSON.stringify({ url: content.location }))
    : reply.code(status).type(content.type).send(content.body)
}
