import { createHash } from 'node:crypto'
import type { Claim } from '../../ledger/hold.ts'
import { publicId } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { ownRoute } from '../../lib/owner.ts'
import type { CallAnswer, CallRequest, Idempotency } from '../call.ts'
import { ANSWER_STORED_MS, type StoredAnswer } from './answers.ts'

type Keyed = Pick<CallRequest, 'caller' | 'idempotency'>
type KeyedCall = Keyed & Pick<CallRequest, 'service' | 'action'>

/** The claim of a call on its idempotency key. The hold makes it in the same commit. */
export function claimFor(
  request: KeyedCall,
  nowMs: number,
  keptMs = ANSWER_STORED_MS,
): Claim | null {
  const { idempotency } = request
  return idempotency === null ? null : makeClaim(request, idempotency, nowMs + keptMs)
}

/** The claim of a call whose answer is always stored. Without a caller's key, its key is the id of the transaction. */
export function storedClaimFor(
  request: KeyedCall & Pick<CallRequest, 'id'>,
  nowMs: number,
  keptMs: number,
): Claim {
  const { id, idempotency } = request
  return makeClaim(request, idempotency ?? keyOfTransaction(id), nowMs + keptMs)
}

function keyOfTransaction(id: CallRequest['id']): Idempotency {
  const key = publicId('transaction', id)
  return { key, fingerprint: createHash('sha256').update(key).digest('hex') }
}

function makeClaim(
  { caller, service, action }: Omit<KeyedCall, 'idempotency'>,
  idempotency: Idempotency,
  expiresMs: number,
): Claim {
  return claimOn(routeFor(caller.mode, `${service}/${action}`), caller, idempotency, expiresMs)
}

/** A claim on any route of the gateway. */
export function claimOn(
  route: string,
  caller: CallRequest['caller'],
  { key, ...fingerprints }: Idempotency,
  expiresMs: number,
): Claim {
  return {
    accountId: caller.accountId,
    route: ownRoute(caller, route),
    idempotencyKey: key,
    ...fingerprints,
    expiresMs,
  }
}

/** The answer to a repeated request, which is charged nothing. */
export function toReplay(stored: StoredAnswer): CallAnswer {
  return { ...stored, charged: 0n, wallet: null, replayed: true }
}

/** SQL condition: answers on the route $3, of the key $4 or, if that is null, of every key. */
export const OF_ROUTE =
  "(case when $4::uuid is null then route = $3 or (route like 'key/%' and substr(route, 38) = $3) else route = 'key/' || replace($4::text, '-', '') || '/' || $3 end)"

/** The route of an action. Test and live calls of one account have different routes. */
export function routeFor(mode: Mode, action: string): string {
  return `${mode === 'test' ? 'test:' : ''}run/${action}`
}
