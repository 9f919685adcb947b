import type { CallAnswer } from '../../calls/call.ts'
import { publicId } from '../../lib/ids.ts'
import { remainingCents } from './remaining-cents.ts'
import type { RouteReply, RouteRequest } from './route-objects.ts'

/** Sends the answer of a call, with its charge and the remaining credit in headers. */
export function sendAnswer<Reply extends RouteReply>(
  request: RouteRequest,
  reply: Reply,
  answer: CallAnswer,
): Reply {
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('x-request-id', publicId('request', request.id))
    .header('x-charged-micros', answer.charged.toString())
  const remaining = remainingCents(request.caller, answer.wallet)
  if (remaining !== null) reply.header('x-credits-remaining-cents', String(remaining))
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  reply.code(answer.status).send(answer.body)
  return reply
}
