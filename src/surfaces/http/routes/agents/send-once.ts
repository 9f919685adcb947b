import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerOnce, type StoredAnswer } from '../../../../calls/answers.ts'
import type { KeyContext } from '../../../../keys/context.ts'
import { bearerSecret } from '../../auth.ts'
import { idempotencyOf, slotOf } from '../../idempotency.ts'
import { sendBody } from '../../send-data.ts'

/** Sends what `work` answers; under an Idempotency-Key only the first request works, and a repeat is sent the same bytes. */
export async function sendOnce({ database, now }: KeyContext, request: FastifyRequest, reply: FastifyReply, work: () => Promise<StoredAnswer>): Promise<FastifyReply> {
  const idempotency = idempotencyOf(request)
  if (idempotency === null) {
    const { status, body } = await work()
    return sendBody(request, reply, body, status)
  }
  const slot = { ...slotOf(request, request.caller, idempotency), nowMs: now(), secret: bearerSecret(request) ?? request.sessionToken ?? '' }
  const answer = await answerOnce(database, slot, work)
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return sendBody(request, reply, answer.body, answer.status)
}
