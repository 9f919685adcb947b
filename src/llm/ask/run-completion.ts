/** One call of a language model: quote, hold, the answer of an upstream, its bill. */
import { withHold, holdFor, type HeldCall, type Order } from '../../calls/charge.ts'
import {
  ANSWER_STORED_MS,
  replayOrThrow,
  type StoredAnswer,
} from '../../calls/idempotency/answers.ts'
import { claimOn } from '../../calls/idempotency/claim.ts'
import { stopLoop } from '../../calls/loops/stop-loop.ts'
import { assertInTime } from '../../calls/perform/request-end.ts'
import { tallyCall, type CallLabels } from '../../calls/tally-call.ts'
import { AppError } from '../../errors/app-error.ts'
import { limitCost, quoteWithin } from '../../keys/policy/limit-cost.ts'
import { allowedMembers } from '../../keys/policy/require-allowed.ts'
import { HOLD_GRACE_MS, type Claim } from '../../ledger/hold.ts'
import { NO_LANE } from '../../lib/metrics/call-tally.ts'
import {
  SERVICE,
  type ActiveCompletion,
  type CompletionCall,
  type RecordAnswer,
} from '../bill/active-completion.ts'
import { meter } from '../bill/metering.ts'
import type { Prompt } from '../bill/prompt.ts'
import { promptOf } from '../bill/prompt-tokens.ts'
import { quoteOf } from '../bill/quote.ts'
import { servedHop } from '../bill/receipt.ts'
import type { Found } from '../lists/directory.ts'
import type { Candidate } from '../lists/model.ts'
import { prefixKeyOf } from '../lists/prefix-affinity.ts'
import { endInBand } from '../stream/end-in-band.ts'
import { KeptLine } from '../stream/keep-alive.ts'
import { streamAnswer } from '../stream/stream-answer.ts'
import { wholeAnswer, type CompletionAnswer } from '../stream/whole-answer.ts'
import { CallerDisconnected, type CallerLine } from './caller-line.ts'
import { completeWithCassette } from './complete-with-cassette.ts'
import type { Router } from './create-router.ts'
import { openFirst, type Opened } from './open-first.ts'
import type { CompletionRequest } from './read-request.ts'
import { PING } from '../wires/messages/message-writer.ts'
import { readRequest, ROUTES } from '../wires/read-any-request.ts'
import { rejectWithShorterAnswer } from './shorter-answer.ts'
import type { UpstreamCall } from './upstream-call.ts'

/**
 * A call with an Idempotency-Key completes its response for repeated requests, even after its
 * caller disconnected.
 */
const STAYS: Pick<CallerLine, 'isDisconnected' | 'onDisconnect'> = {
  isDisconnected: false,
  onDisconnect: () => {},
}

/**
 * Returns the answer to send, or null if it was streamed to `line`. Throws AppError for every rejection
 * and failure, which are charged nothing. The hold is resolved before the end of the answer is sent.
 */
export function runCompletion(
  router: Router,
  call: CompletionCall,
  line: CallerLine,
): Promise<CompletionAnswer | null> {
  const { mode } = call.caller
  const labels: CallLabels = {
    service: SERVICE,
    lane: mode === 'test' ? 'simulator' : router.directory.isConfigured ? 'vendor' : NO_LANE,
  }
  const calls: UpstreamCall[] = []
  const work = tallyCall(router, mode, labels, () =>
    complete({ router, call, line, labels, calls }),
  )
  router.answers.add(work, calls)
  return work
}

type Completion = {
  readonly router: Router
  readonly call: CompletionCall
  readonly line: CallerLine
  readonly labels: CallLabels
  readonly calls: UpstreamCall[]
}

async function complete(completion: Completion): Promise<CompletionAnswer | null> {
  const { router, call, line, labels } = completion
  const request = readRequest(call, router.extraFields)
  const { cassette } = call
  if (cassette === undefined) return completeLive(completion, request, null)
  const { lane } = labels
  labels.lane = NO_LANE
  return completeWithCassette({ router, call, request, cassette, line }, (record) => {
    labels.lane = lane
    return completeLive(completion, request, record)
  })
}

async function completeLive(
  completion: Completion,
  request: CompletionRequest,
  record: RecordAnswer | null,
): Promise<CompletionAnswer | null> {
  const { router, call } = completion
  let quoted: Quoted
  try {
    quoted = await quote(router, call, request)
  } catch (error) {
    const claim = claimFor(call, router.now())
    return toReplay(request, await replayOrThrow(error, router.database, claim))
  }
  const stopping = stopLoop(router, {
    id: call.id,
    caller: call.caller,
    action: `${SERVICE}/${request.model}`,
    confirm: request.confirmLoop,
    claim: claimFor(call, router.now()),
  })
  const stored = stopping === null ? null : await stopping
  if (stored !== null) return toReplay(request, stored)
  const order = orderFor(router, call, request, quoted)
  return withHold(router, order, (held) => ask({ ...completion, record }, request, quoted, held))
}

type Quoted = ReturnType<typeof quoteOf> & {
  /** The model or tier, as the list names it. */
  readonly model: string
  /** The prefix whose cache a model may have; null without one. */
  readonly prefixKey: string | null
  readonly candidates: readonly Candidate[]
  readonly prompt: Prompt
}

async function quote(
  { directory, affinity }: Router,
  { caller }: CompletionCall,
  request: CompletionRequest,
): Promise<Quoted> {
  const find = (name: string): Promise<Found> => directory.find(name, caller.mode, request.needs)
  const founds =
    request.fallbacks.length === 0
      ? [await find(request.model)]
      : await Promise.all([request.model, ...request.fallbacks].map(find))
  const model = founds[0]?.name ?? request.model
  const members = founds.flatMap(({ name, candidates }) => allowedMembers(caller, name, candidates))
  const distinct = [...new Map(members.map((member) => [member.id, member])).values()]
  const prefixKey = distinct.length === 1 ? null : prefixKeyOf(request, caller.accountId, model)
  const candidates = affinity.order(prefixKey, distinct)
  const prompt = promptOf(request)
  const limit = limitCost(caller, request.maxCost)
  const { maxCost } = limit
  return {
    model,
    prefixKey,
    candidates,
    prompt,
    ...quoteWithin(limit, () => quoteOf({ ...request, maxCost }, prompt, candidates)),
  }
}

function orderFor(
  { now, times }: Router,
  call: CompletionCall,
  request: CompletionRequest,
  quoted: Quoted,
): Order<CompletionAnswer | null> {
  const startedMs = now()
  const limitMs = times.answerMs + (request.stream ? times.streamMs : 0) + times.recordMs
  const hold = holdFor(
    call,
    { kind: 'llm', service: SERVICE, action: quoted.model },
    {
      amount: quoted.amount,
      deadlineMs: startedMs + limitMs + HOLD_GRACE_MS,
      claim: claimFor(call, startedMs),
    },
  )
  return {
    hold,
    mode: call.caller.mode,
    startedMs,
    wait: call.wait,
    replay: (stored) => toReplay(request, stored),
    onRejected: (error) => rejectWithShorterAnswer(error, quoted),
  }
}

/** Calls the candidates in order, and relays and bills the first response. */
async function ask(
  {
    router,
    call,
    line,
    labels,
    calls,
    record,
  }: Completion & { readonly record: RecordAnswer | null },
  request: CompletionRequest,
  { candidates, prompt, prefixKey, maxTokens, promptTokens }: Quoted,
  held: HeldCall,
): Promise<CompletionAnswer | null> {
  assertInTime(call.endsMs)
  const { times, now, hiddenTokens } = router
  const leave = (candidate: Candidate, opened: UpstreamCall): void => {
    if (request.stream && !hiddenTokens.canThink(candidate)) opened.leave()
  }
  const kept = request.stream
    ? router.keepAlive.follow(line, request.own?.wire === 'messages' ? PING : null)
    : undefined
  const attempts = {
    request,
    candidates,
    maxTokens,
    promptTokens,
    accountId: call.caller.accountId,
    line: call.idempotency === null ? line : STAYS,
    kept,
    leave,
    calls,
    times,
    now,
    hops: held.hops,
  }
  const completion: ActiveCompletion = { router, call, request, prompt, held, labels, record }
  try {
    const opened = await openFirst(attempts)
    router.affinity.note(prefixKey, opened.candidate.id)
    return await answer(completion, opened, kept ?? line)
  } catch (error) {
    const isLeft = error instanceof CallerDisconnected
    if (isLeft) await held.release('caller_gone')
    const failure = isLeft
      ? new AppError(
          'bad_request',
          'The caller disconnected before the response began. Nothing was charged.',
        )
      : error
    if (kept?.hasStarted !== true || kept.hasEnded) throw failure
    await endInBand(completion, kept, failure)
    return null
  } finally {
    kept?.stop()
  }
}

async function answer(
  completion: ActiveCompletion,
  { candidate, answer: begun }: Opened,
  line: CallerLine | KeptLine,
): Promise<CompletionAnswer | null> {
  if (begun.kind === 'json') {
    const whole = await wholeAnswer(completion, candidate, begun, line)
    if (!(line instanceof KeptLine && line.hasStarted)) return whole
    const { body, charged } = whole
    await completion.record?.({ body, charged, model: candidate.id })
    line.end(Buffer.from(body), charged)
    return null
  }
  if (begun.kind === 'events') await streamAnswer(completion, candidate, begun.call, line)
  else await chargePrompt(completion, candidate, begun.call)
  return null
}

/**
 * Charges a caller who disconnected after the upstream accepted the request and before its first
 * event.
 */
async function chargePrompt(
  completion: ActiveCompletion,
  candidate: Candidate,
  { delivered, filter, generationId }: UpstreamCall,
): Promise<void> {
  const { held, labels } = completion
  const bill = await meter(completion, {
    candidate,
    delivered: () => delivered,
    reported: filter.usage,
    promptUsage: filter.promptUsage,
    usageIs: 'running',
    generationId,
    isOwed: true,
  })
  labels.brokenOff = 'bad_request'
  held.hops.push(
    servedHop(candidate, bill, { latencyMs: held.latencyMs, generationId, isWhole: false }),
  )
  await held.settle(bill.charge, null)
}

function toReplay({ stream }: CompletionRequest, stored: StoredAnswer): CompletionAnswer {
  return { ...stored, charged: 0n, wallet: null, replayed: true, isEvents: stream, model: null }
}

function claimFor({ caller, idempotency, wire }: CompletionCall, nowMs: number): Claim | null {
  const route = caller.mode === 'test' ? `test:${ROUTES[wire]}` : ROUTES[wire]
  return idempotency === null ? null : claimOn(route, caller, idempotency, nowMs + ANSWER_STORED_MS)
}
