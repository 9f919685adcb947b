import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerOnce, type AnswerSlot, type StoredAnswer } from '../../../../calls/answers.ts'
import type { Caller } from '../../../../keys/caller.ts'
import type { KeyContext } from '../../../../keys/context.ts'
import type { Id } from '../../../../lib/ids.ts'
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
  const slot = { ...slotOf(request, request.caller, idempotency), nowMs: now(), secret: bearerSecret(request) ?? request.sessionToken ?? '' }
  const answer = await answerOnce(database, slot, work)
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return sendBody(request, reply, answer.body, answer.status)
}

/** What an answer is kept under. Test and live requests of one account never answer for each other. */
export function slotOf({ id, method, url }: FastifyRequest, { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>, { key, fingerprint }: { readonly key: string; readonly fingerprint: string }): AnswerSlot & { readonly callId: Id } {
  const route = `${mode === 'test' ? 'test:' : ''}${method} ${url.split('?', 1)[0] ?? ''}`
  return { accountId, route, key, fingerprint, callId: id }
}
