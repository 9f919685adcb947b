import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerOnce, type Keep } from '../../calls/idempotency/answers.ts'
import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { bearerSecret } from './guards/require-caller.ts'
import { idempotencyOf, slotOf } from './idempotency.ts'
import { dataBody, sendBody } from './send-data.ts'

/** Sends the result of `work`. With an Idempotency-Key, a repeated request gets the stored response. */
export async function sendOnce<Result>(
  { database, now }: { readonly database: Database; readonly now: Clock },
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  work: (keep?: Keep<Result>) => Promise<Result>,
): Promise<FastifyReply> {
  const idempotency = idempotencyOf(request)
  if (idempotency === null) return sendBody(request, reply, dataBody(await work()), status)
  const slot = {
    ...slotOf(request, request.caller, idempotency),
    nowMs: now(),
    secret: bearerSecret(request) ?? request.sessionToken ?? '',
  }
  const answer = await answerOnce(
    database,
    slot,
    (result) => ({ status, body: dataBody(result) }),
    work,
  )
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return sendBody(request, reply, answer.body, answer.status)
}
