import { createHash } from 'node:crypto'
import type { Claim } from '../../ledger/hold.ts'
import { publicId } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { ownRoute } from '../../lib/owner.ts'
import { ANSWER_KEPT_MS, replayOf } from './answers.ts'
import type { CallAnswer, CallRequest, Calls } from '../call.ts'

/** The claim that a call makes on its idempotency key, in the same step as its hold. */
export function claimOf(
  request: CallRequest,
  nowMs: number,
  keptMs = ANSWER_KEPT_MS,
): Claim | null {
  const { idempotency } = request
  return idempotency === null ? null : claimWith({ ...request, idempotency }, nowMs, keptMs)
}

function claimWith(
  request: CallRequest & { readonly idempotency: NonNullable<CallRequest['idempotency']> },
  nowMs: number,
  keptMs: number,
): Claim {
  const { key, fingerprint } = request.idempotency
  return {
    accountId: request.caller.accountId,
    route: routeOf(request),
    idempotencyKey: key,
    fingerprint,
    expiresMs: nowMs + keptMs,
  }
}

/** The claim of a call whose answer is kept in any case: without a key of the caller's, under the transaction's id, which nobody knows before. */
export function keptClaimOf(request: CallRequest, nowMs: number, keptMs: number): Claim {
  const key = publicId('transaction', request.id)
  const idempotency = request.idempotency ?? {
    key,
    fingerprint: createHash('sha256').update(key).digest('hex'),
  }
  return claimWith({ ...request, idempotency }, nowMs, keptMs)
}

/** What was answered to the first request with this key, charged nothing again. */
export async function replay(calls: Calls, request: CallRequest): Promise<CallAnswer> {
  const stored = await replayOf(calls.database, {
    accountId: request.caller.accountId,
    route: routeOf(request),
    key: request.idempotency?.key ?? '',
    fingerprint: request.idempotency?.fingerprint ?? '',
  })
  return { ...stored, charged: 0n, wallet: null, replayed: true }
}

function routeOf({ caller, service, action }: CallRequest): string {
  return ownRoute(caller, routeFor(caller.mode, `${service}/${action}`))
}

/** SQL for answers on the route $3: those of the key $4, or where that is null those of every key. */
export const OF_ROUTE =
  "(case when $4::uuid is null then route = $3 or (route like 'key/%' and substr(route, 38) = $3) else route = 'key/' || replace($4::text, '-', '') || '/' || $3 end)"

/** Test and live calls of one account never answer for each other. */
export function routeFor(mode: Mode, action: string): string {
  return `${mode === 'test' ? 'test:' : ''}run/${action}`
}
