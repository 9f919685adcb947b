import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { answerOnce } from '../../../../calls/answers.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Caller } from '../../../../keys/caller.ts'
import { hashOfToken, newToken } from '../../../../lib/token.ts'
import { html, type Html } from '../../html/html.ts'
import { fieldOf, type PageParts } from '../account/page-parts.ts'
import { slotOf } from '../agents/send-once.ts'

const FIELD = 'once'

/** A form that holds this field is carried out once. `token`: that of a form that is shown again to be sent again. */
export function onceField(token = newToken()): Html {
  return html`<input type="hidden" name="${FIELD}" value="${token}">`
}

export function onceTokenOf(body: unknown): string {
  return fieldOf(body, FIELD)
}

/**
 * Carries a form out once, and answers a double click or a reload as the first time: with the secret of the one key that
 * was made. What is kept for that is sealed with the browser's own session, so no other browser can read it. Throws
 * AppError bad_request, idempotency_in_progress, idempotency_key_reused.
 */
export async function answerFormOnce<Answer>({ database, now, cookie }: PageParts, request: FastifyRequest, caller: Caller, work: () => Promise<Answer>): Promise<Answer> {
  const token = onceTokenOf(request.body)
  if (hashOfToken(token) === null) throw new AppError('bad_request', 'This form is not complete.', { fix: 'Send it again from this page.' })
  const fingerprint = createHash('sha256').update(JSON.stringify(request.body)).digest('hex')
  const slot = { ...slotOf(request, caller, { key: token, fingerprint }), nowMs: now(), secret: cookie.read(request) ?? '' }
  try {
    const { body } = await answerOnce(database, slot, async () => ({ status: 200, body: JSON.stringify(await work()) }))
    return JSON.parse(body) as Answer
  } catch (error) {
    throw inWordsForPeople(error)
  }
}

function inWordsForPeople(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { code, retryAfterSeconds } = error
  if (code === 'idempotency_in_progress') return new AppError(code, 'This form is being worked on already.', { fix: 'Send it again to see what came of it: it is carried out once.', retryAfterSeconds })
  if (code === 'idempotency_key_reused') return new AppError(code, 'This form was sent before, from another browser or with other entries.', { fix: 'See what came of that; if you want this too, send it again.' })
  return error
}
