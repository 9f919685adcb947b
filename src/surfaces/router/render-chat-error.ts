import { AppError } from '../../errors/app-error.ts'
import { publicId } from '../../lib/ids.ts'
import { chatError } from '../../llm/ask/chat-error.ts'
import { wireError } from '../../llm/ask/wire-error.ts'
import { messagesError } from '../../llm/wires/messages/messages-error.ts'
import { logFault, toAppError } from '../http/render-error.ts'
import type { RouteReply, RouteRequest } from '../http/route-objects.ts'

// OpenAI clients retry temporary failures twice within seconds, unless x-should-retry is false.
const LONGEST_RETRY_SECONDS = 60

/** Sends any error in the format of the API that the caller speaks. */
export function renderRouterError<Reply extends RouteReply>(
  error: unknown,
  request: RouteRequest,
  reply: Reply,
): Reply {
  return sendError(error, request, reply, speaksMessages(request) ? messagesError : chatError)
}

/** Sends any error in the format of chat completions. */
export function renderChatError<Reply extends RouteReply>(
  error: unknown,
  request: RouteRequest,
  reply: Reply,
): Reply {
  return sendError(error, request, reply, chatError)
}

const MESSAGES_PATH = /^\/api\/llm\/v1\/messages(?:[/?]|$)/

/** Whether the caller uses a client of the Messages API. */
export function speaksMessages({ url, headers }: RouteRequest): boolean {
  return MESSAGES_PATH.test(url) || headers['anthropic-version'] !== undefined
}

function sendError<Reply extends RouteReply>(
  error: unknown,
  request: RouteRequest,
  reply: Reply,
  bodyOf: (error: AppError) => object,
): Reply {
  const known = isTooLarge(error)
    ? new AppError('payload_too_large', 'The body is larger than 20 MiB.', {
        fix: 'Send at most 20 MiB of JSON; send large images as URLs.',
      })
    : toAppError(error)
  logFault(known, error, request)
  const { spec, retryAfterSeconds } = known
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (!spec.retryable || (retryAfterSeconds ?? 0) > LONGEST_RETRY_SECONDS)
    reply.header('x-should-retry', 'false')
  // Other clients do not retry 409 by default.
  else if (known.code === 'room_held') reply.header('x-should-retry', 'true')
  const requestId = publicId('request', request.id)
  reply
    .code(wireError(known).status)
    .header('x-request-id', requestId)
    .header('request-id', requestId)
    .header('x-charged-micros', '0')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ ...bodyOf(known), request_id: requestId }))
  return reply
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}
