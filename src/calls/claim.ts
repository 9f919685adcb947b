import type { Claim } from '../ledger/hold.ts'
import { ANSWER_KEPT_MS, replayOf } from './answers.ts'
import type { CallAnswer, CallRequest, Calls } from './run.ts'

/** The claim that a call makes on its idempotency key, in the same step as its hold. */
export function claimOf(request: CallRequest, nowMs: number, keptMs = ANSWER_KEPT_MS): Claim | null {
  if (request.idempotency === null) return null
  const { key, fingerprint } = request.idempotency
  return { accountId: request.caller.accountId, route: routeOf(request), idempotencyKey: key, fingerprint, expiresMs: nowMs + keptMs }
}

/** What was answered to the first request with this key, charged nothing again. */
export async function replay(calls: Calls, request: CallRequest): Promise<CallAnswer> {
  const stored = await replayOf(calls.database, { accountId: request.caller.accountId, route: routeOf(request), key: request.idempotency?.key ?? '', fingerprint: request.idempotency?.fingerprint ?? '' })
  return { ...stored, charged: 0n, wallet: null, replayed: true }
}

// Test and live calls of one account never answer for each other.
function routeOf({ caller, service, action }: CallRequest): string {
  return `${caller.mode === 'test' ? 'test:' : ''}run/${service}/${action}`
}
