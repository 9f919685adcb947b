import { billable, leastPrice, worstCase } from '../../catalog/prices/price.ts'
import type {
  CallTools,
  Hop,
  HopReceipt,
  InHouseHandler,
  Invocation,
  LocalHandler,
} from '../../catalog/vocabulary/handlers.ts'
import { toHop } from '../../catalog/prices/hop.ts'
import { failed, isDelivered, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { Source } from '../../catalog/vocabulary/define.ts'
import type { StoreOutput } from '../../catalog/vocabulary/file-field.ts'
import type { Reply, WireRequest } from '../../catalog/vocabulary/wire.ts'
import { anyAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'
import type { Catalog, Entry } from '../../catalog/index.ts'
import type { Validator } from '../../catalog/validate/validate.ts'
import type { Database } from '../../db/database.ts'
import { ownerOf, type Caller } from '../../keys/caller.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { Owner } from '../../lib/owner.ts'
import type { ReplyCache } from '../../upstream/reply-cache.ts'
import type { Wallet } from '../../upstream/pay/purchase.ts'
import { send } from '../../upstream/send.ts'
import type { Sent } from '../../upstream/sent.ts'
import type { Target } from '../../upstream/target.ts'
import type { Lane, Lanes, WalletLane } from '../lanes/lanes.ts'
import { requireReadableAddress } from './address-length.ts'
import { noLane } from '../lanes/no-lane.ts'
import { failureOf } from './outcome-error.ts'
import { keepApart, ownInput, type OwnedCall } from './ownership.ts'
import { openTill, type Till } from '../payments/payment-session.ts'

export type Performers = {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly lanes: Lanes
  readonly inHouse: ReadonlyMap<string, InHouseHandler>
  readonly local: ReadonlyMap<string, LocalHandler>
  readonly now: Clock
  readonly database: Database
  readonly replyCache: ReplyCache
  /** The operator's wallets; without them no merchant is paid. */
  readonly wallet?: Wallet
  /** Pays on test networks, for test keys. */
  readonly testWallet?: Wallet
  /** Which addresses callers may have read; without it none is refused before it is asked. */
  readonly checkAddress?: AddressCheck
  /** Keeps files among the answers; without it they stay as the vendor sent them. */
  readonly keepOutput?: StoreOutput
}

/**
 * Decides how a step of a composite is made. `make` carries it out, telling the vendor the key that it is given;
 * within a step that is itself a composite, `inner` decides.
 */
export type StepMaker = {
  once(entry: Entry, input: Data, make: (vendorKey: Id) => Promise<Invocation>): Promise<Invocation>
  readonly inner: StepMaker
}

/** One call in progress: what its steps share. */
export type CallScope = {
  readonly owner: Owner
  readonly deadline: Deadline
  /** The most that the call may cost; undefined for a step, which its composite covers. */
  readonly held?: Micros | undefined
  /** The call that a step belongs to; left out where the idempotency key is the call's id. */
  readonly callId?: Id
  /** What vendors are told, so that those who know it do not execute a repeated request twice: the call's id, or the step's own. */
  readonly vendorKey: Id
  /** Steps that composites made, in the order of their end. */
  readonly hops: Hop[]
  /** What this call, or this step, paid merchants is noted here. */
  readonly receipts?: HopReceipt[]
  /** Set in a job, whose steps outlive the process. */
  readonly steps?: StepMaker
}

export function scopeFor(
  { id, caller }: { readonly id: Id; readonly caller: Caller },
  deadline: Deadline,
  hops: Hop[],
): CallScope {
  return { owner: ownerOf(caller), deadline, vendorKey: id, hops }
}

/** What is carried out: an action with its input, for a call or a step of one. */
type Work = {
  readonly performers: Performers
  readonly scope: CallScope
  readonly entry: Entry
  readonly input: Data
}

/** A lane that is one request, with the source that makes it. */
type RequestLane = Extract<Lane, { readonly target: Target }> & { readonly source: Source }

/**
 * Carries an action out through its live lane and says what came of it. Money is the caller's business. A call brings
 * `judged`, the lane that judged its input before the hold; that of a step is found, and judges, here.
 */
export async function perform(
  performers: Performers,
  scope: CallScope,
  entry: Entry,
  input: Data,
  judged?: Lane | null,
): Promise<Outcome> {
  const lane =
    judged === undefined ? performers.lanes.laneFor(entry, scope.owner.mode, input) : judged
  if (lane === null) return noLane(entry, input)
  try {
    if (judged === undefined) lane.check?.(input, anyAddress)
    return await performThrough(lane, { performers, scope, entry, input })
  } catch (error) {
    if (scope.deadline.isOver)
      return failed(
        'upstream_timeout',
        `The call took longer than ${entry.action.timeoutMs / 1000} seconds. Nothing was charged.`,
      )
    if (error instanceof AppError) return failureOf(error)
    throw error
  }
}

async function performThrough(lane: Lane, work: Work): Promise<Outcome> {
  const { performers, scope, entry, input } = work
  const { action } = entry
  if (lane.kind === 'local')
    return handlerOf(performers.local, lane.handler)(input, toolsFor(performers, scope, entry))
  if (action.kind === 'local') return noLane(entry)
  if (lane.kind === 'in-house') {
    if (action.kind === 'job') return noLane(entry)
    const body = await handlerOf(performers.inHouse, lane.handler)(
      input,
      toolsFor(performers, scope, entry),
    )
    return outcomeOf(work, action, { status: 200, headers: {}, body })
  }
  return isRequestLane(lane) ? askThrough(lane, work) : noLane(entry)
}

function isRequestLane(lane: Lane): lane is RequestLane {
  return 'source' in lane && lane.source !== null
}

/** Asks the vendor, or the merchant once it is paid, and reads what it answered. */
async function askThrough(lane: RequestLane, work: Work): Promise<Outcome> {
  const { performers, scope, input } = work
  const owned = ownedCallOf(lane, work)
  const till = lane.kind === 'wallet' ? tillFor(lane, work) : null
  const own = owned === null ? input : await ownInput(performers.database, owned)
  const sent = await ask(performers, till?.target ?? lane.target, lane.source, own, scope)
  scope.receipts?.push(...(till?.receipts() ?? []))
  const next = laneAfter(lane, till, work)
  if (next !== null) {
    next.check?.(input, anyAddress)
    return performThrough(next, work)
  }
  const unpaid = till?.failure() ?? null
  if (unpaid !== null) return unpaid
  if (!sent.ok) return { kind: 'failed', ...sent.failure }
  const reply =
    owned === null
      ? sent.reply
      : await keepApart(performers.database, owned, sent.reply, performers.now())
  const outcome = outcomeOf(work, lane.source, reply)
  return till?.priced(outcome) ?? outcome
}

/** Null where nothing of what the call makes, or asks about, lives on at a vendor that all accounts share. */
function ownedCallOf(
  lane: RequestLane,
  { scope, entry: { action, service }, input }: Work,
): OwnedCall | null {
  // An open source keeps nothing for anybody.
  const ownership =
    action.kind === 'call' && lane.source !== action.openSource ? action.ownership : undefined
  return ownership === undefined
    ? null
    : { action, ownership, owner: { ...scope.owner, service: service.id }, input }
}

/**
 * A merchant that asks too much, or in a way that is not paid, leaves the call to the next lane; but for a call that may
 * cost less than the list price: only a merchant may be offered that, and refuses by itself what is not enough.
 */
function laneAfter(
  lane: RequestLane,
  till: Till | null,
  { scope: { held }, entry: { action }, input }: Work,
): Lane | null {
  if (lane.kind !== 'wallet' || till === null || till.refusal() === null) return null
  return held === undefined || held >= leastPrice(action, input) ? lane.otherwise : null
}

function tillFor(
  lane: WalletLane,
  {
    performers: { wallet },
    scope: {
      held,
      vendorKey,
      callId = vendorKey,
      owner: { accountId },
    },
    entry: { action, service, name },
    input,
  }: Work,
): Till {
  invariant(wallet !== undefined, 'a wallet lane is live where there is a wallet')
  return openTill({
    wallet,
    lane,
    buyer: { callId, accountId, service: service.id, action: name },
    room: held ?? worstCase(action, input),
    timeoutMs: action.timeoutMs,
  })
}

/** The source's request and those that follow from its answers; the last answer counts. */
async function ask(
  { replyCache, now }: Pick<Performers, 'replyCache' | 'now'>,
  target: Target,
  source: Source,
  input: Data,
  options: CallScope,
): Promise<Sent> {
  const {
    deadline,
    vendorKey,
    owner: { accountId },
  } = options
  const exchange = (wire: WireRequest) => {
    requireReadableAddress(target, wire, input)
    return replyCache.get(target, wire, () =>
      send(target, wire, { deadline, vendorKey, accountId, now }),
    )
  }
  let sent = await exchange(source.request(input, options.held))
  for (const next of source.followUps ?? []) {
    const wire = sent.ok ? next(sent.reply, input, options.held) : null
    if (wire === null) return sent
    sent = await exchange(wire)
    if (sent.ok && wire.agreed !== undefined)
      sent = { ...sent, reply: { ...sent.reply, agreed: wire.agreed } }
  }
  return sent
}

/** The one place where a vendor's answer becomes an outcome, whichever lane it came through. */
function outcomeOf(
  { performers, entry: { service }, input }: Work,
  source: Source,
  reply: Reply,
): Outcome {
  if (!performers.validator.matches(source.reply, reply.body)) {
    return failed(
      'upstream_error',
      `The service behind "${service.id}" answered in a form that this gateway does not know. Nothing was charged.`,
      {
        upstream: { service: service.id, status: reply.status, code: null, message: null },
      },
    )
  }
  return source.outcome(reply, input)
}

/** What the handler of a composite gets. */
export function toolsFor(performers: Performers, scope: CallScope, entry: Entry): CallTools {
  return {
    ...scope.owner,
    get signal() {
      return scope.deadline.signal
    },
    timeoutMs: entry.action.timeoutMs,
    now: performers.now,
    invoke: (service, action, input, limitMs) =>
      invoke(performers, scope, performers.catalog.findAction(service, action), input, limitMs),
    isLive: (service, action) =>
      scope.owner.mode === 'test' || performers.lanes.statusOf(service, action).live !== null,
  }
}

async function invoke(
  performers: Performers,
  scope: CallScope,
  entry: Entry,
  rawInput: Data,
  limitMs = entry.action.timeoutMs,
): Promise<Invocation> {
  const input = performers.validator.validate(entry.action.input, rawInput)
  // What a step may read is found where it is read: one address among many is no reason to make no step.
  entry.action.check(input)
  const make = (vendorKey: Id): Promise<Invocation> =>
    makeStep(
      performers,
      { ...scope, callId: scope.callId ?? scope.vendorKey, vendorKey },
      entry,
      input,
      limitMs,
    )
  return scope.steps === undefined
    ? make(newId(performers.now()))
    : scope.steps.once(entry, input, make)
}

async function makeStep(
  performers: Performers,
  scope: CallScope,
  entry: Entry,
  input: Data,
  limitMs: number,
): Promise<Invocation> {
  const startedMs = performers.now()
  const deadline = new Deadline(Math.min(limitMs, entry.action.timeoutMs), scope.deadline)
  const inner = scope.steps === undefined ? {} : { steps: scope.steps.inner }
  const receipts: HopReceipt[] = []
  const outcome = await perform(
    performers,
    { ...scope, ...inner, held: undefined, receipts, deadline },
    entry,
    input,
  ).finally(() => deadline.end())
  const charge = billable(entry.action, input, outcome)
  const skipped =
    outcome.kind === 'failed' &&
    outcome.code === 'upstream_not_configured' &&
    outcome.details === undefined
      ? 'not_configured'
      : undefined
  const hop: Hop = {
    ...toHop(entry, { ok: isDelivered(outcome), charge, latencyMs: performers.now() - startedMs }),
    ...(skipped === undefined ? {} : { skipped }),
    ...(receipts[0] === undefined ? {} : { receipt: receipts[0] }),
  }
  scope.hops.push(hop)
  return { hop, outcome }
}

function handlerOf<Handler>(handlers: ReadonlyMap<string, Handler>, name: string): Handler {
  const handler = handlers.get(name)
  if (handler === undefined) throw new AppError('upstream_not_configured')
  return handler
}
