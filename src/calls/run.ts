import { invariant } from '../errors/app-error.ts'
import { NO_LANE } from '../lib/metrics/call-tally.ts'
import { ownerOf } from '../keys/caller.ts'
import { boundAnswer } from './bounding/bound-answer.ts'
import { runWithCassette, type WholeAnswer } from './cassettes/run-with-cassette.ts'
import type { Call, CallAnswer, CallRequest, Calls } from './call.ts'
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
  const perform = (): Promise<WholeAnswer> => runWhole(calls, request, labels)
  return boundCall(
    calls,
    await (cassette === undefined
      ? perform()
      : runWithCassette(calls, { ...request, cassette }, labels, perform)),
  )
}

async function runWhole(
  calls: Calls,
  request: CallRequest,
  labels: CallLabels,
): Promise<WholeAnswer> {
  let call: Call
  try {
    call = quoteCall(calls, request, labels)
  } catch (error) {
    const stored = await replayOrThrow(error, calls.database, claimFor(request, calls.now()))
    return { request, entry: null, maxChars: null, answer: toReplay(stored) }
  }
  const way = calls.ways.find(({ takes }) => takes(call))
  invariant(way !== undefined, 'the last way takes every call')
  const { entry, maxChars } = call
  return { request, entry, maxChars, answer: await way.run(calls, call) }
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
