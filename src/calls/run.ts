import { meterOf, paidTimeOf } from '../catalog/vocabulary/define.ts'
import type { Hop, HopReceipt } from '../catalog/vocabulary/handlers.ts'
import { toHop, withoutCharge } from '../catalog/prices/hop.ts'
import { isDelivered, type Outcome } from '../catalog/vocabulary/outcome.ts'
import type { Entry } from '../catalog/index.ts'
import { billable, excessOf } from '../catalog/prices/price.ts'
import { AppError } from '../errors/app-error.ts'
import { ownerOf } from '../keys/caller.ts'
import { assertHeld } from '../ledger/assert-held.ts'
import { RESULT_KEPT_MS } from '../jobs/job.ts'
import { HOLD_GRACE_MS, type Hold } from '../ledger/hold.ts'
import { NO_LANE } from '../lib/metrics/call-tally.ts'
import { Deadline } from '../lib/deadline.ts'
import { publicId } from '../lib/ids.ts'
import { minMicros, type Micros } from '../lib/money.ts'
import { storedFailure, throwUnlessRepeated, type StoredAnswer } from './idempotency/answers.ts'
import { freeBrowserCall, sellBrowserTime, wayOfPaidTime } from './ways/browser-time.ts'
import { withinCeiling, type Affordable } from './quote/ceiling.ts'
import { claimOf, keptClaimOf, replay } from './idempotency/claim.ts'
import { noLane, requireLane } from './lanes/no-lane.ts'
import { errorOf } from './perform/outcome-error.ts'
import { answerBody } from './perform/envelope.ts'
import { keepOutputs, keepsOutputs } from './perform/store-outputs.ts'
import { perform, type CallScope } from './perform/perform.ts'
import { openSessionCall, requireBox } from './ways/session.ts'
import { readInput } from './quote/read-input.ts'
import { assertInTime, limitWithin } from './perform/request-end.ts'
import { namingSmallerCall } from './quote/smaller-call.ts'
import { isJob, submitCall } from './ways/job.ts'
import type { CallAnswer, CallRequest, Calls } from './call.ts'
import { tallyCall, type CallLabels } from './tally-call.ts'

/** What is left of a hold's grace for settling when files of the answer took all the time that they may. */
const SETTLE_MS = 15_000

/**
 * One call, top to bottom. Throws AppError for every refusal and failure; nothing is charged then.
 * Every way out settles the hold or releases it; the sweep ends what a crash leaves open.
 */
export function runCall(calls: Calls, request: CallRequest): Promise<CallAnswer> {
  const labels: CallLabels = { service: 'unknown', lane: NO_LANE }
  return tallyCall(calls, request.caller.mode, labels, () => carryOut(calls, request, labels))
}

async function carryOut(
  calls: Calls,
  request: CallRequest,
  labels: CallLabels,
): Promise<CallAnswer> {
  let quoted: Quoted
  try {
    quoted = quoteOf(calls, request, labels)
  } catch (error) {
    await throwUnlessRepeated(error, calls.database, claimOf(request, calls.now()))
    return replay(calls, request)
  }
  const { entry, most } = quoted
  const { asked, isOwnSale } =
    paidTimeOf(entry.action) === undefined
      ? { asked: quoted.asked, isOwnSale: false }
      : await wayOfPaidTime(calls, request, entry, quoted.asked)
  const { input, amount } = asked
  // A session that a key opened is extended with that key alone.
  if (isOwnSale && amount > 0n && calls.lanes.targetOf(entry.service.id) === null)
    throw errorOf(noLane(entry, input))
  if (isJob(entry, input)) return submitCall(calls, request, entry, asked)
  if (meterOf(entry.action) !== undefined)
    return openSessionCall(calls, request, entry, { ...asked, most })
  if (amount === 0n && isOwnSale) return freeBrowserCall(calls, request, entry, asked)
  if (amount === 0n) return runFreeCall(calls, request, entry, asked)

  const startedMs = calls.now()
  const hold = await calls.ledger
    .hold({
      id: request.id,
      walletId: request.caller.walletId,
      budgetId: request.caller.budgetId,
      amount,
      deadlineMs: startedMs + entry.action.timeoutMs + HOLD_GRACE_MS,
      kind: 'call',
      service: entry.service.id,
      action: entry.name,
      externalId: request.caller.externalId,
      claim: isKept(request, entry)
        ? keptClaimOf(request, startedMs, RESULT_KEPT_MS)
        : claimOf(request, startedMs),
    })
    .catch((error: unknown) => {
      throw namingSmallerCall(error, entry.action, input)
    })
  if (!hold.opened) return replay(calls, request)
  if (isOwnSale) {
    const sold = await sellBrowserTime(calls, { request, entry, asked, hold, startedMs })
    calls.tally?.charged(request.caller.mode, entry.service.id, sold.charged)
    return sold
  }
  return finish(calls, { request, entry, asked, maxCost: most, hold, startedMs, hops: [] })
}

type Quoted = { readonly entry: Entry; readonly asked: Affordable; readonly most: Micros | null }

function quoteOf(calls: Calls, request: CallRequest, labels: CallLabels): Quoted {
  const entry = calls.catalog.findAction(request.service, request.action)
  labels.service = entry.service.id
  const read = readInput(calls, entry, request.caller.mode, request.body)
  // Before anything about money: no credit buys what is not set up here.
  requireLane(entry, read)
  if (meterOf(entry.action) !== undefined) requireBox(calls, request.caller, entry)
  const asked = withinCeiling(entry, read)
  labels.lane = read.lane?.kind ?? NO_LANE
  return { entry, asked, most: read.maxCost }
}

/** A call whose money is held. */
export type HeldCall = {
  readonly request: CallRequest
  readonly entry: Entry
  readonly asked: Affordable
  readonly maxCost: Micros | null
  readonly hold: Hold
  readonly startedMs: number
  readonly hops: Hop[]
}

async function finish(calls: Calls, call: HeldCall): Promise<CallAnswer> {
  const { request, entry, asked, startedMs, hops } = call
  const receipts: HopReceipt[] = []
  let { hold } = call
  let outcome: Outcome
  let charge: Micros
  let body: string
  try {
    assertInTime(request.endsMs)
    outcome = await outcomeOf(calls, call, receipts)
    const excess = excessOf(entry.action, asked.input, outcome)
    hold = await coverExcess(calls, call, excess)
    charge = minMicros(billable(entry.action, asked.input, outcome) + excess, hold.amount)
    body =
      outcome.kind === 'failed'
        ? ''
        : answerBody({
            data: outcome.data,
            untrusted: entry.action.untrustedContent,
            charge,
            requestId: request.id,
            isTest: request.caller.mode === 'test',
            lowered: asked.lowered,
          })
  } catch (error) {
    await release(calls, call, error instanceof AppError ? error.code : 'internal')
    throw error
  }
  const latencyMs = calls.now() - startedMs
  hops.push(
    ...receipts.map((receipt) => ({
      ...toHop(entry, { ok: isDelivered(outcome), charge, latencyMs }),
      receipt,
    })),
  )
  if (outcome.kind === 'failed') {
    const error = errorOf(outcome)
    // Who bought the call from us has paid already, and gets another try.
    await release(
      calls,
      call,
      error.code,
      error.code === 'payment_unknown' && request.isSold !== true ? storedFailure(error) : null,
    )
    throw error
  }
  const status = entry.action.answerStatus
  const settled = await calls.ledger.resolve({
    hold,
    charge,
    latencyMs,
    errorCode: null,
    hops: hopsText(hops),
    answer: { status, body },
  })
  assertHeld(settled)
  calls.tally?.charged(request.caller.mode, entry.service.id, settled.charged)
  return { status, body, charged: settled.charged, wallet: settled.wallet, replayed: false }
}

/** The hold with as much more as is free for what the call cost beyond it, within its `max_cost_cents`. A buyer's payment covers no more than was asked for it. */
async function coverExcess(
  { ledger }: Calls,
  { request, maxCost, hold }: HeldCall,
  excess: Micros,
): Promise<Hold> {
  const wanted = maxCost === null ? excess : minMicros(excess, maxCost - hold.amount)
  return wanted <= 0n || request.isSold === true ? hold : ledger.enlarge(hold, wanted)
}

/** What came of it, its files kept. What merchants were paid is noted in `receipts`. */
async function outcomeOf(calls: Calls, call: HeldCall, receipts: HopReceipt[]): Promise<Outcome> {
  const {
    request,
    entry,
    asked: { input, lane },
    hold,
    hops,
  } = call
  const deadline = new Deadline(entry.action.timeoutMs)
  try {
    const performed = await perform(
      calls,
      { ...scopeOf(request, deadline, hops), held: hold.amount, receipts },
      entry,
      input,
      lane,
    )
    const outcome = keepsOutputs(entry) ? await withKeptFiles(calls, call, performed) : performed
    if (outcome.kind === 'failed' || !isKept(request, entry)) return outcome
    return {
      ...outcome,
      data: { ...outcome.data, transaction_id: publicId('transaction', request.id) },
    }
  } finally {
    deadline.end()
  }
}

/** Whether the answer can be read again later. Who buys a single call has no account to read it with. */
function isKept({ isSold }: CallRequest, { action }: Entry): boolean {
  return action.isReplayable && isSold !== true
}

/** Files may take what is left of the call's own time and most of the hold's grace, and no more. */
async function withKeptFiles(
  calls: Calls,
  { request: { id, caller }, entry, startedMs }: HeldCall,
  outcome: Outcome,
): Promise<Outcome> {
  if (outcome.kind === 'failed') return outcome
  const withinMs = startedMs + entry.action.timeoutMs + HOLD_GRACE_MS - SETTLE_MS - calls.now()
  return {
    ...outcome,
    data: await keepOutputs(outcome.data, {
      keep: calls.keepOutput,
      paid: { id, owner: ownerOf(caller) },
      entry,
      withinMs,
    }),
  }
}

async function runFreeCall(
  calls: Calls,
  request: CallRequest,
  entry: Entry,
  { input, lane }: Affordable,
): Promise<CallAnswer> {
  const deadline = new Deadline(limitWithin(entry.action.timeoutMs, request.endsMs))
  const giveUp = (): void => deadline.expire()
  request.gone?.addEventListener('abort', giveUp, { once: true })
  const outcome = await perform(calls, scopeOf(request, deadline, []), entry, input, lane).finally(
    () => {
      deadline.end()
      request.gone?.removeEventListener('abort', giveUp)
    },
  )
  if (outcome.kind === 'failed') throw errorOf(outcome)
  const body = answerBody({
    data: outcome.data,
    untrusted: entry.action.untrustedContent,
    charge: 0n,
    requestId: request.id,
    isTest: request.caller.mode === 'test',
  })
  return { status: entry.action.answerStatus, body, charged: 0n, wallet: null, replayed: false }
}

// An uncharged call frees its idempotency key, so that a retry may try again; unless an answer is stored.
async function release(
  calls: Calls,
  { hold, hops, startedMs }: HeldCall,
  errorCode: string,
  answer: StoredAnswer | null = null,
): Promise<void> {
  await calls.ledger.resolve({
    hold,
    charge: 0n,
    latencyMs: calls.now() - startedMs,
    errorCode,
    hops: hopsText(hops.map(withoutCharge)),
    answer,
  })
}

function scopeOf({ id, caller }: CallRequest, deadline: Deadline, hops: Hop[]): CallScope {
  return { owner: ownerOf(caller), deadline, vendorKey: id, hops }
}

/** Null when the transaction's own service, action and latency say it all. */
function hopsText(hops: readonly Hop[]): string | null {
  return hops.length === 0 ? null : JSON.stringify(hops)
}
