import { withoutMargin } from '../../catalog/prices/margin.ts'
import { leastPrice, worstCase } from '../../catalog/prices/price.ts'
import { anyAddress } from '../../catalog/validate/web-address.ts'
import type { Source } from '../../catalog/vocabulary/define.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { Reply, WireRequest } from '../../catalog/vocabulary/wire.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import { errorCatalog } from '../../errors/catalog.ts'
import type { Micros } from '../../lib/money.ts'
import { send } from '../../upstream/send.ts'
import type { SendOptions, Sent } from '../../upstream/sent.ts'
import type { Target } from '../../upstream/target.ts'
import type { Lane, WalletLane } from '../lanes/lane-parts.ts'
import { openPaymentSession, type PaymentSession } from '../payments/payment-session.ts'
import { requireReadableAddress } from './address-length.ts'
import type { Work } from './call-scope.ts'
import { isAnswerLost, lostOrder } from './lost-order.ts'
import { applyOwnership, toOwnInput, type OwnedCall } from './ownership.ts'

/** A lane that sends one request to a vendor. */
export type RequestLane = Extract<Lane, { readonly target: Target }> & { readonly source: Source }

export function isRequestLane(lane: Lane): lane is RequestLane {
  return 'source' in lane && lane.source !== null
}

/** Sends the request of the lane, pays the merchant of a wallet lane, and reads the reply. `performThrough` runs the next lane if the merchant is not paid. */
export async function askVendor(
  lane: RequestLane,
  work: Work,
  performThrough: (lane: Lane, work: Work) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { deps, scope, entry, input } = work
  const owned = findOwnedCall(lane, work)
  const session = lane.kind === 'wallet' ? openSessionFor(lane, work) : null
  const ownInput = owned === null ? input : await toOwnInput(deps.database, owned)
  const exchange = new Exchange(work, lane, session?.target ?? lane.target, ownInput)
  let sent = await exchange.send(lane.source.request(ownInput, heldForVendor(work)))
  if (lane.source.followUps !== undefined) sent = await exchange.follow(lane.source.followUps, sent)
  if (session !== null) scope.receipts?.push(...session.receipts())
  const next = nextLane(lane, session, work)
  if (next !== null) {
    next.check?.(input, anyAddress)
    return performThrough(next, work)
  }
  const other = laneWithoutRoute(lane, work, sent)
  if (other !== null) return performThrough(other, work)
  const unpaid = session?.failure() ?? null
  if (unpaid !== null) return unpaid
  // A merchant accepts an order with its payment.
  const mayBeOrdered = session === null ? exchange.isOrdered : session.receipts().length > 0
  if (!sent.ok)
    return mayBeOrdered && errorCatalog[sent.failure.code].retryable
      ? lostOrder(entry, sent.failure.details)
      : { kind: 'failed', ...sent.failure }
  const reply = owned === null ? sent.reply : await storeOwnership(work, owned, sent.reply)
  if (reply === null) return lostOrder(entry)
  const isReadable = !mayBeOrdered || deps.validator.matches(lane.source.reply, reply.body)
  const outcome = isReadable ? toOutcome(work, lane.source, reply) : lostOrder(entry)
  return session?.priced(outcome) ?? outcome
}

/** The part of the hold that the vendor may charge: the rest is the operator's margin. */
function heldForVendor({ scope: { held }, entry: { action } }: Work): Micros | undefined {
  return held === undefined ? undefined : withoutMargin(held, action.margin)
}

/** The reply for its owner. Null for an order whose id could not be stored, so that its owner cannot refer to it. */
async function storeOwnership(
  { deps, entry }: Work,
  owned: OwnedCall,
  reply: Reply,
): Promise<Reply | null> {
  try {
    return await applyOwnership(deps.database, owned, reply, deps.now())
  } catch (error) {
    if (entry.action.isOrder && error instanceof AppError && error.isRetryable) return null
    throw error
  }
}

/** Null for a call that neither creates nor reads anything stored at a vendor. */
function findOwnedCall(
  lane: RequestLane,
  { scope, entry: { action, service }, input }: Work,
): OwnedCall | null {
  // An open source stores nothing for callers.
  const ownership =
    action.kind === 'call' && lane.source !== action.openSource ? action.ownership : undefined
  return ownership === undefined
    ? null
    : { action, ownership, owner: { ...scope.owner, service: service.id }, input }
}

/**
 * The lane to use after a merchant that asked too much or for an unsupported payment. A call that holds
 * less than the list price has no next lane: only a merchant can accept less.
 */
function nextLane(
  lane: RequestLane,
  session: PaymentSession | null,
  { scope: { held }, entry: { action }, input }: Work,
): Lane | null {
  if (lane.kind !== 'wallet' || session === null || session.refusal() === null) return null
  return held === undefined || held >= leastPrice(action, input) ? lane.otherwise : null
}

/** The lane to use after a route that is gone. Null if the input or its lane allows no other. */
function laneWithoutRoute(
  lane: RequestLane,
  { deps, scope, entry, input }: Work,
  sent: Sent,
): Lane | null {
  if (sent.ok || sent.failure.code !== 'upstream_gone' || lane.kind === 'wallet') return null
  const other = deps.lanes.laneFor(entry, scope.owner.mode, input)
  if (other?.kind !== 'in-house' && other?.kind !== 'open') return null
  if ('target' in other && other.target.service === lane.target.service) return null
  try {
    other.check?.(input, deps.checkAddress ?? anyAddress)
    return other
  } catch {
    return null
  }
}

function openSessionFor(lane: WalletLane, work: Work): PaymentSession {
  const { deps, scope, entry, input } = work
  const { action, service, name } = entry
  const { held, vendorKey, callId = vendorKey, owner } = scope
  invariant(deps.wallet !== undefined, 'a wallet lane is live only with a wallet')
  return openPaymentSession({
    wallet: deps.wallet,
    lane,
    buyer: { callId, accountId: owner.accountId, service: service.id, action: name },
    most: held ?? worstCase(action, input),
    margin: action.margin,
    timeoutMs: action.timeoutMs,
  })
}

/** The requests of a source to its vendor: the first one and its follow-ups. */
class Exchange {
  /** The vendor accepted an order, or may have accepted it. */
  isOrdered = false
  readonly #work: Work
  readonly #lane: RequestLane
  readonly #target: Target
  readonly #input: Data

  constructor(work: Work, lane: RequestLane, target: Target, input: Data) {
    this.#work = work
    this.#lane = lane
    this.#target = target
    this.#input = input
  }

  async send(wire: WireRequest): Promise<Sent> {
    const { deps, scope, entry } = this.#work
    const { deadline, vendorKey, cancellation, owner } = scope
    requireReadableAddress(this.#target, wire, this.#input)
    const isOrder = entry.action.isOrder && this.#lane.kind !== 'open'
    let wasSent = false
    const options: SendOptions = {
      deadline,
      vendorKey,
      accountId: owner.accountId,
      now: deps.now,
      beforeBytes:
        cancellation === undefined && !isOrder
          ? undefined
          : async () => {
              cancellation?.begin()
              wasSent = true
            },
    }
    const sent = await (wire.cacheSeconds === undefined
      ? send(this.#target, wire, options)
      : deps.replyCache.get(this.#target, wire, () => send(this.#target, wire, options)))
    if (isOrder && wasSent && wire.method !== 'GET')
      this.isOrdered ||= sent.ok || isAnswerLost(sent.failure)
    deps.lanes.observe(entry, this.#lane, this.#input, wire, sent)
    return sent
  }

  /** Returns the last reply. */
  async follow(followUps: NonNullable<Source['followUps']>, first: Sent): Promise<Sent> {
    const held = heldForVendor(this.#work)
    let sent = first
    for (const next of followUps) {
      const wire = sent.ok ? next(sent.reply, this.#input, held) : null
      if (wire === null) break
      sent = await this.send(wire)
      if (sent.ok && wire.agreed !== undefined)
        sent = { ...sent, reply: { ...sent.reply, agreed: wire.agreed } }
    }
    return sent
  }
}

/** Turns a reply into an outcome, for every lane. */
export function toOutcome(
  { deps, entry: { service }, input }: Work,
  source: Pick<Source, 'reply' | 'outcome'>,
  reply: Reply,
): Outcome {
  if (deps.validator.matches(source.reply, reply.body)) return source.outcome(reply, input)
  return failed(
    'upstream_error',
    `The service behind "${service.id}" answered in an unknown format. Nothing was charged.`,
    { upstream: { service: service.id, status: reply.status, code: null, message: null } },
  )
}
