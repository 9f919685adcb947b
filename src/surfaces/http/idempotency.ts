import type { Idempotency } from '../../calls/call.ts'
import type { AnswerSlot } from '../../calls/idempotency/answers.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import { ownRoute, type Owner } from '../../lib/owner.ts'
import type { RouteRequest } from './route-objects.ts'

export const LONGEST_IDEMPOTENCY_KEY = 255

/** The Idempotency-Key of a request with the fingerprint of its body; null without the header. Throws AppError. */
export function idempotencyOf(request: RouteRequest): Idempotency | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  const key = Array.isArray(header) ? header.join() : header
  if (key.length === 0 || key.length > LONGEST_IDEMPOTENCY_KEY) {
    throw new AppError(
      'invalid_params',
      `The Idempotency-Key header must have 1 to ${LONGEST_IDEMPOTENCY_KEY} characters.`,
      {
        param: 'Idempotency-Key',
        fix: 'Send a new UUID for each request, and the same one when you repeat a request.',
      },
    )
  }
  const { bodyFingerprint, formerFingerprint } = request
  return { key, fingerprint: bodyFingerprint ?? '', formerFingerprint }
}

/** The slot of a stored answer. Test and live requests of an account never share one. */
export function slotOf(
  { id, method, url }: Pick<RouteRequest, 'id' | 'method' | 'url'>,
  caller: Owner,
  idempotency: Idempotency,
): AnswerSlot & { readonly callId: Id } {
  const route = ownRoute(
    caller,
    `${caller.mode === 'test' ? 'test:' : ''}${method} ${url.split('?', 1)[0] ?? ''}`,
  )
  return { accountId: caller.accountId, route, ...idempotency, callId: id }
}
