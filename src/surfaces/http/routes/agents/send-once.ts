import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerOnce, type StoredAnswer } from '../../../../calls/answers.ts'
import type { KeyContext } from '../../../../keys/context.ts'
import { bearerSecret } from '../../auth.ts'
import { idempotencyOf } from '../../idempotency.ts'
import { sendBody } from '../../send-data.ts'

/** Sends what `work` answers; under an Idempotency-Key only the first request works, and a repeat is sent the same bytes. */
export async function sendOnce({ database, now }: KeyContext, request: FastifyRequest, reply: FastifyReply, work: () => Promise<StoredAnswer>): Promise<FastifyReply> {
  const idempotency = idempotencyOf(request)
  if (idempotency === null) {
    const { status, body } = await work()
    return sendBody(request, reply, body, status)
  }
  const { accountId, mode } = request.caller
  // Test and live requests of one account never answer for each other.
  const route = `${mode === 'test' ? 'test:' : ''}${request.method} ${request.url.split('?', 1)[0] ?? ''}`
  const slot = { accountId, route, key: idempotency.key, fingerprint: idempotency.fingerprint, callId: request.id, nowMs: now(), secret: bearerSecret(request) ?? '' }
  const answer = await answerOnce(database, slot, work)
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return sendBody(request, reply, answer.body, answer.status)
}
