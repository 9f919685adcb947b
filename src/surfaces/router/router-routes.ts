/** /api/llm/v1: chat completions, Messages and Responses. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { publicId } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { SERVICE } from '../../llm/bill/active-completion.ts'
import type { Router } from '../../llm/ask/create-router.ts'
import { runCompletion } from '../../llm/ask/run-completion.ts'
import type { CallerWire } from '../../llm/wires/wire.ts'
import type { CompletionAnswer } from '../../llm/stream/whole-answer.ts'
import type { CalledAction, CallLogger } from '../http/log-calls.ts'
import { sendWhenDone } from '../http/send-when-done.ts'
import { LONGEST_STOP_MS } from '../http/connections/close-on-stop.ts'
import { cassetteOf } from '../http/cassette-of.ts'
import { requires } from '../http/guards/requires.ts'
import { idempotencyOf } from '../http/idempotency.ts'
import { holdWaitOf } from '../http/prefer-wait.ts'
import type { RouteReply, RouteRequest } from '../http/route-objects.ts'
import { remainingCents } from '../http/remaining-cents.ts'
import { requestEndOf } from '../http/request-timeout.ts'
import {
  JSON_TYPE,
  sendDocument,
  storeDocument,
  type StoredDocument,
} from '../http/routes/public/documents.ts'
import { createPromptCounter } from '../../llm/ask/count-prompt.ts'
import { isCodex, readCallingApp } from './read-calling-app.ts'
import { messagesModel, messagesModels } from './messages-models.ts'
import { codexModelsDocument, modelLine, modelsDocument, tierLine } from './model-lines.ts'
import { pricingDocument } from './offer-documents.ts'
import { renderChatError, renderRouterError, speaksMessages } from './render-chat-error.ts'
import { ResponseLine } from './response-line.ts'

const BODY_LIMIT_BYTES = 20 * 1024 * 1024
// Each completion holds its request and a few events in memory.
const MOST_IN_FLIGHT = 10_000

const COMPLETIONS: readonly (readonly [path: string, wire: CallerWire])[] = [
  ['/chat/completions', 'chat'],
  ['/completions', 'completions'],
  ['/messages', 'messages'],
  ['/responses', 'responses'],
]

/** Chat completions for browser sessions. Requires a caller. */
export async function playgroundChatRoute(
  app: FastifyInstance,
  { path, ...deps }: CompletionDeps & { readonly path: string },
): Promise<void> {
  app.setErrorHandler(renderRouterError)
  const config = { calledAction, ...requires('calls.run').config }
  app.post(path, { bodyLimit: BODY_LIMIT_BYTES, config }, createCompletions(deps)('chat'))
}

/** Registers the routes that need a key. */
export async function routerRoutes(
  app: FastifyInstance,
  { router, callLogger }: { readonly router: Router; readonly callLogger: CallLogger },
): Promise<void> {
  app.setErrorHandler(renderRouterError)
  waitForAnswers(app, router)

  const complete = createCompletions({ router, callLogger, mostInFlight: MOST_IN_FLIGHT })
  for (const [path, wire] of COMPLETIONS)
    app.post(
      `/api/llm/v1${path}`,
      { bodyLimit: BODY_LIMIT_BYTES, config: { calledAction, renderError: renderRouterError } },
      complete(wire),
    )

  const count = createPromptCounter(router)
  app.post(
    '/api/llm/v1/messages/count_tokens',
    { bodyLimit: BODY_LIMIT_BYTES },
    async (request, reply) => {
      nameRequest(request, reply)
      const { caller, body, headers } = request
      const { tokens, isEstimated } = await count({ caller, body, headers })
      reply.header('x-token-count', isEstimated ? 'estimated' : 'upstream')
      return reply.header('x-charged-micros', '0').send({ input_tokens: tokens })
    },
  )

  app.get('/api/llm/v1/models', async (request, reply) => {
    nameRequest(request, reply)
    const offer = await router.directory.offer(modeOf(request, router))
    if (speaksMessages(request)) return messagesModels(offer)
    return isCodex(request.headers) ? codexModelsDocument(offer) : modelsDocument(offer)
  })

  // Model names contain slashes. Some clients escape them, others do not.
  app.get<{ Params: { '*': string } }>('/api/llm/v1/models/*', async (request, reply) => {
    nameRequest(request, reply)
    const { '*': id } = request.params
    const mode = modeOf(request, router)
    const [model] = await router.directory.candidatesFor(id, mode, { tools: false, images: false })
    if (model === undefined) throw new AppError('model_not_found')
    const members = (await router.directory.offer(mode)).tiers.get(id)
    if (speaksMessages(request))
      return messagesModel(id, members === undefined ? model.model : undefined)
    return members === undefined ? { ...modelLine(model), id } : tierLine(id, model, members)
  })
}

/** Completions are listed by their model. */
function calledAction({ body }: RouteRequest): CalledAction {
  const { model } = fieldsOf(body)
  return { surface: 'router', service: SERVICE, action: typeof model === 'string' ? model : null }
}

type CompletionDeps = {
  readonly router: Router
  readonly callLogger: CallLogger
  readonly mostInFlight: number
}

/** Creates the handlers of completions by wire. All of them share one capacity. */
function createCompletions({ router, callLogger, mostInFlight }: CompletionDeps) {
  const room = new SharedCapacity(mostInFlight, 'calls')
  return (wire: CallerWire) => (request: RouteRequest, reply: RouteReply) => {
    nameRequest(request, reply)
    const { caller } = request
    if (caller.mode === 'test') reply.header('x-test', 'true')
    const endsMs = requestEndOf(request, router.ledger.load)
    const call = {
      id: request.id,
      wire,
      headers: request.headers,
      app: readCallingApp(request.headers),
      caller,
      body: request.body,
      idempotency: idempotencyOf(request),
      cassette: cassetteOf(request, reply),
      endsMs,
      wait: holdWaitOf(request, reply, endsMs),
    }
    room.take(caller.accountId)
    sendWhenDone(reply, {
      work: runCompletion(router, call, new ResponseLine(reply)),
      send(answer) {
        if (answer === null) return
        callLogger.answered(request, answer)
        sendAnswer(request, reply, answer)
      },
      over: () => room.giveBack(caller.accountId),
    })
  }
}

function nameRequest({ id }: RouteRequest, reply: RouteReply): void {
  const requestId = publicId('request', id)
  // Anthropic's clients read the second one.
  reply.header('x-request-id', requestId).header('request-id', requestId)
}

/** Delays a stop until completions without a caller are complete, like other calls in flight. */
function waitForAnswers(app: FastifyInstance, { answers }: Router): void {
  let sinceMs = performance.now()
  app.addHook('preClose', async () => {
    sinceMs = performance.now()
  })
  app.addHook('onClose', () =>
    answers.settled(Math.max(0, LONGEST_STOP_MS - (performance.now() - sinceMs))),
  )
}

/** Registers the route that needs no key. */
export async function pricingRoute(
  app: FastifyInstance,
  { router }: { readonly router: Router },
): Promise<void> {
  let published: { readonly version: string; readonly document: StoredDocument } | undefined
  app.setErrorHandler(renderChatError)
  app.get('/api/llm/v1/pricing', async (request, reply) => {
    const isLive = router.directory.isConfigured
    const offer = await router.directory.offer(isLive ? 'live' : 'test')
    if (published?.version !== offer.version)
      published = {
        version: offer.version,
        document: storeDocument(JSON.stringify(pricingDocument(offer, isLive)), JSON_TYPE),
      }
    return sendDocument(request, reply, published.document)
  })
}

// Without an upstream, live keys see the list of test keys, too.
function modeOf({ caller }: FastifyRequest, { directory }: Router): Mode {
  return caller.mode === 'test' || !directory.isConfigured ? 'test' : 'live'
}

function sendAnswer(
  { caller }: RouteRequest,
  reply: RouteReply,
  { status, body, charged, wallet, replayed, isEvents, model }: CompletionAnswer,
): RouteReply {
  reply.header('x-charged-micros', charged.toString()).header('cache-control', 'no-store')
  const remaining = remainingCents(caller, wallet)
  if (remaining !== null) reply.header('x-credits-remaining-cents', String(remaining))
  if (replayed) reply.header('idempotency-replayed', 'true')
  if (model !== null) reply.header('x-model', model)
  return reply
    .code(status)
    .type(isEvents ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8')
    .send(body)
}
