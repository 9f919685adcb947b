import { leastPrice, worstCase } from '../../catalog/prices/price.ts'
import { anyAddress } from '../../catalog/validate/web-address.ts'
import type { Source } from '../../catalog/vocabulary/define.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { Reply, WireRequest } from '../../catalog/vocabulary/wire.ts'
import { invariant } from '../../errors/app-error.ts'
import { send } from '../../upstream/send.ts'
import type { Sent } from '../../upstream/sent.ts'
import type { Target } from '../../upstream/target.ts'
import type { Lane, WalletLane } from '../lanes/lane-parts.ts'
import { openPaymentSession, type PaymentSession } from '../payments/payment-session.ts'
import { requireReadableAddress } from './address-length.ts'
import type { Work } from './call-scope.ts'
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
  performThrough: (lane: Lane, work: Work) => Promise<Outcome>,
): Promise<Outcome> {
  const { deps, scope, input } = work
  const owned = findOwnedCall(lane, work)
  const session = lane.kind === 'wallet' ? openSessionFor(lane, work) : null
  const ownInput = owned === null ? input : await toOwnInput(deps.database, owned)
  const sent = await exchange(work, lane, session?.target ?? lane.target, ownInput)
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
  if (!sent.ok) return { kind: 'failed', ...sent.failure }
  const reply =
    owned === null ? sent.reply : await applyOwnership(deps.database, owned, sent.reply, deps.now())
  const outcome = toOutcome(work, lane.source, reply)
  return session?.priced(outcome) ?? outcome
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
    timeoutMs: action.timeoutMs,
  })
}

/** Sends the request of the source and its follow-ups. Returns the last reply. */
async function exchange(
  { deps, scope, entry }: Work,
  lane: RequestLane,
  target: Target,
  input: Data,
): Promise<Sent> {
  const { source } = lane
  const { replyCache, now, lanes } = deps
  const { deadline, vendorKey, held, cancellation } = scope
  const { accountId } = scope.owner
  const sendOne = async (wire: WireRequest): Promise<Sent> => {
    requireReadableAddress(target, wire, input)
    const sent = await replyCache.get(target, wire, () =>
      send(target, wire, {
        deadline,
        vendorKey,
        accountId,
        now,
        ...(cancellation === undefined ? {} : { beforeBytes: async () => cancellation.begin() }),
      }),
    )
    lanes.observe(entry, lane, input, wire, sent)
    return sent
  }
  let sent = await sendOne(source.request(input, held))
  for (const next of source.followUps ?? []) {
    const wire = sent.ok ? next(sent.reply, input, held) : null
    if (wire === null) return sent
    sent = await sendOne(wire)
    if (sent.ok && wire.agreed !== undefined)
      sent = { ...sent, reply: { ...sent.reply, agreed: wire.agreed } }
  }
  return sent
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
