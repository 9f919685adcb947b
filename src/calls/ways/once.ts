import type { HopReceipt } from '../../catalog/vocabulary/handlers.ts'
import { toHop } from '../../catalog/prices/hop.ts'
import { billable, excessOf } from '../../catalog/prices/price.ts'
import { isDelivered, type Failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { errorCatalog } from '../../errors/catalog.ts'
import { toStoredFailure } from '../../errors/stored-failure.ts'
import { RESULT_RETENTION_MS } from '../../jobs/job.ts'
import { ownerOf } from '../../keys/caller.ts'
import { HOLD_GRACE_MS } from '../../ledger/hold.ts'
import { Deadline } from '../../lib/deadline.ts'
import { publicId } from '../../lib/ids.ts'
import { minMicros, type Micros } from '../../lib/money.ts'
import type { Call, CallAnswer, Calls, Way } from '../call.ts'
import { heldAction, holdFor, withHold, type HeldCall, type Order } from '../charge.ts'
import type { StoredAnswer } from '../idempotency/answers.ts'
import { claimFor, storedClaimFor, toReplay } from '../idempotency/claim.ts'
import type { LoopOutcome } from '../loops/call-ring.ts'
import type { Loop } from '../loops/loop-rules.ts'
import { adviceField } from '../loops/loop-watch.ts'
import { watchedKey } from '../loops/stop-loop.ts'
import { unlessLooping } from '../loops/unless-looping.ts'
import { writeEnvelope } from '../perform/envelope.ts'
import { toAppError } from '../perform/outcome-error.ts'
import { scopeFor } from '../perform/call-scope.ts'
import { perform } from '../perform/perform.ts'
import { assertInTime } from '../perform/request-end.ts'
import { storeOutputs, hasFileFields } from '../perform/store-outputs.ts'
import { rejectWithSmallerCall } from '../quote/smaller-call.ts'

/** The part of a hold's grace that remains for the settlement when files of the answer took all their time. */
const SETTLE_MS = 15_000

/** Paid calls that one request and its answer complete. */
export const once: Way = {
  takes: () => true,
  run: unlessLooping(runOnce),
}

export function runOnce(calls: Calls, call: Call): Promise<CallAnswer> {
  return withHold(calls, orderFor(calls, call), (held) => carryOut(calls, call, held))
}

/** The hold of a call that ends within its action's time limit. */
export function orderFor(calls: Calls, call: Call): Order<CallAnswer> {
  const { request, entry, amount, input } = call
  const startedMs = calls.now()
  return {
    hold: holdFor(request, heldAction('call', call), {
      amount,
      deadlineMs: startedMs + entry.action.timeoutMs + HOLD_GRACE_MS,
      claim: isReadableLater(call)
        ? storedClaimFor(request, startedMs, RESULT_RETENTION_MS)
        : claimFor(request, startedMs),
    }),
    mode: request.caller.mode,
    startedMs,
    wait: request.wait,
    replay: toReplay,
    onRejected: (error) => rejectWithSmallerCall(error, entry.action, input),
    storeFailure: (error) => storeUnknownEnd(call, error),
  }
}

/** The same request could pay or order again, so its key returns the failure. A buyer without an account has paid already and may try again. */
function storeUnknownEnd({ request }: Call, error: unknown): StoredAnswer | null {
  const isUnknown =
    error instanceof AppError &&
    (error.code === 'payment_unknown' || error.code === 'order_unknown')
  return isUnknown && request.isSold !== true ? toStoredFailure(error) : null
}

async function carryOut(calls: Calls, call: Call, held: HeldCall): Promise<CallAnswer> {
  const { request, entry, input, lane, lowered } = call
  const { action } = entry
  assertInTime(request.endsMs)
  request.cancellation?.check()
  const receipts: HopReceipt[] = []
  const deadline = new Deadline(action.timeoutMs)
  let outcome: Outcome
  try {
    const scope = { ...scopeFor(request, deadline, held.hops), held: held.hold.amount, receipts }
    outcome = await perform(calls, scope, entry, input, lane)
    if (hasFileFields(entry)) outcome = await storeFiles(calls, call, held, outcome)
  } finally {
    deadline.end()
  }
  if (isReadableLater(call)) outcome = withTransaction(call, outcome)
  const excess = excessOf(action, input, outcome)
  if (excess > 0n) await coverExcess(call, held, excess)
  const charge = minMicros(billable(action, input, outcome) + excess, held.hold.amount)
  const advice = noteForLoops(calls, call, outcome, charge)
  const body =
    outcome.kind === 'failed'
      ? ''
      : writeEnvelope({
          data: outcome.data,
          untrusted: action.untrustedContent,
          charge,
          requestId: request.id,
          isTest: request.caller.mode === 'test',
          lowered,
          advice: advice === null ? null : adviceField(advice),
        })
  if (receipts.length > 0) {
    const ok = isDelivered(outcome)
    const line = toHop(entry, { ok, charge, latencyMs: held.latencyMs })
    held.hops.push(...receipts.map((receipt) => ({ ...line, receipt })))
  }
  if (outcome.kind === 'failed') throw await endFailure(call, held, outcome, charge)
  const status = action.answerStatus
  const { charged, wallet } = await held.settle(charge, { status, body })
  return { status, body, charged, wallet, replayed: false }
}

/**
 * The error of a failed call, after the charge for the work that the caller's input used. A repetition
 * under the same key returns the same error. A buyer without an account paid for an answer only.
 */
async function endFailure(
  { request, entry }: Call,
  held: HeldCall,
  outcome: Failed,
  charge: Micros,
): Promise<AppError> {
  if (charge === 0n || request.isSold === true) return toAppError(outcome)
  const error = toAppError(outcome, charge)
  held.hops.push(toHop(entry, { ok: false, charge, latencyMs: held.latencyMs }))
  await held.settle(charge, toStoredFailure(error))
  return error
}

/** Buyers without an account share one key, so they get no advice. */
function noteForLoops(
  { loops }: Calls,
  { request, entry, input }: Call,
  outcome: Outcome,
  cost: Micros,
): Loop | null {
  if (loops === undefined || request.isSold === true || request.caller.breaker === 'off')
    return null
  return loops.note({
    key: watchedKey(request.caller),
    action: `${entry.service.id}/${entry.name}`,
    outcome: classOf(outcome),
    input,
    answer: () => (outcome.kind === 'failed' ? outcome.code : outcome.data),
    cost,
  })
}

function classOf(outcome: Outcome): LoopOutcome {
  if (outcome.kind === 'failed')
    return errorCatalog[outcome.code].fault === 'caller' ? 'failed' : 'outage'
  return outcome.kind === 'empty' ? 'empty' : 'ok'
}

/** Enlarges the hold for a cost above it, within `max_cost_cents`. The payment of a buyer without an account covers only the quoted price. */
async function coverExcess(
  { request, maxCost }: Call,
  held: HeldCall,
  excess: Micros,
): Promise<void> {
  const wanted = maxCost === null ? excess : minMicros(excess, maxCost - held.hold.amount)
  if (wanted > 0n && request.isSold !== true) await held.enlarge(wanted)
}

function withTransaction({ request }: Call, outcome: Outcome): Outcome {
  return outcome.kind === 'failed'
    ? outcome
    : {
        ...outcome,
        data: { ...outcome.data, transaction_id: publicId('transaction', request.id) },
      }
}

/** Whether the caller can read the answer again by its `transaction_id`. That needs an account. */
function isReadableLater({ request, entry }: Call): boolean {
  return entry.action.isReplayable && request.isSold !== true
}

/** Stores the files of the answer within the rest of the call's time and most of the hold's grace. */
async function storeFiles(
  calls: Calls,
  { request: { id, caller }, entry }: Call,
  { hold }: HeldCall,
  outcome: Outcome,
): Promise<Outcome> {
  if (outcome.kind === 'failed') return outcome
  const data = await storeOutputs(outcome.data, {
    store: calls.storeOutput,
    paid: { id, owner: ownerOf(caller) },
    entry,
    limitMs: hold.deadlineMs - SETTLE_MS - calls.now(),
  })
  return { ...outcome, data }
}
