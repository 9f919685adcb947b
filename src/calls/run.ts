import { invariant } from '../errors/app-error.ts'
import { NO_LANE } from '../lib/metrics/call-tally.ts'
import { ownerOf } from '../keys/caller.ts'
import { boundAnswer } from './bounding/bound-answer.ts'
import { runWithCassette, type WholeAnswer } from './cassettes/run-with-cassette.ts'
import type { Call, CallAnswer, CallRequest, Calls, Way } from './call.ts'
import { claimFor, toReplay } from './idempotency/claim.ts'
import { replayOrThrow } from './idempotency/answers.ts'
import { quoteCall } from './quote/quote-call.ts'
import { tallyCall, type CallLabels } from './tally-call.ts'

/** Quotes a call and runs the way that takes it. Throws AppError for every rejection and failure, which are charged nothing. */
export function runCall(calls: Calls, request: CallRequest): Promise<CallAnswer> {
  const labels: CallLabels = { service: 'unknown', lane: NO_LANE }
  return tallyCall(calls, request.caller.mode, labels, () => quoteAndRun(calls, request, labels))
}

async function quoteAndRun(
  calls: Calls,
  request: CallRequest,
  labels: CallLabels,
): Promise<CallAnswer> {
  const { cassette } = request
  if (cassette !== undefined) {
    const perform = (): Promise<WholeAnswer> => runWhole(calls, request, labels)
    return boundCall(calls, await runWithCassette(calls, { ...request, cassette }, labels, perform))
  }
  const call = quoteOrReplay(calls, request, labels)
  if (call instanceof Promise) return call
  const { entry, maxChars } = call
  const answer = await wayOf(calls, call).run(calls, call)
  return maxChars === null ? answer : boundCall(calls, { request, entry, maxChars, answer })
}

async function runWhole(
  calls: Calls,
  request: CallRequest,
  labels: CallLabels,
): Promise<WholeAnswer> {
  const call = quoteOrReplay(calls, request, labels)
  if (call instanceof Promise) return { request, entry: null, maxChars: null, answer: await call }
  const { entry, maxChars } = call
  return { request, entry, maxChars, answer: await wayOf(calls, call).run(calls, call) }
}

/** The call, or the stored answer of a repeated request that can no longer be quoted. */
function quoteOrReplay(
  calls: Calls,
  request: CallRequest,
  labels: CallLabels,
): Call | Promise<CallAnswer> {
  try {
    return quoteCall(calls, request, labels)
  } catch (error) {
    return replayOrThrow(error, calls.database, claimFor(request, calls.now())).then(toReplay)
  }
}

function wayOf({ ways }: Calls, call: Call): Way {
  const way = ways.find(({ takes }) => takes(call))
  invariant(way !== undefined, 'the last way takes every call')
  return way
}

/** The stored answer of a repeated request is whole, so a repetition can have another limit. */
async function boundCall(
  calls: Calls,
  { request, entry, maxChars, answer }: WholeAnswer,
): Promise<CallAnswer> {
  if (maxChars === null || entry === null || request.isSold === true) return answer
  const body = await boundAnswer(
    {
      maxChars,
      id: request.id,
      owner: ownerOf(request.caller),
      source: `${entry.service.id}/${entry.name}`,
      store: calls.storeOutput,
    },
    answer.body,
  )
  return { ...answer, body }
}
