/** One call of a language model, top to bottom: the same path of money as `calls/run.ts`, with an answer that may flow. */
import { ANSWER_KEPT_MS, replayOf, throwUnlessRepeated } from '../../calls/idempotency/answers.ts'
import { assertInTime } from '../../calls/perform/request-end.ts'
import { tallyCall, type CallLabels } from '../../calls/tally-call.ts'
import { AppError } from '../../errors/app-error.ts'
import { HOLD_GRACE_MS, type Claim } from '../../ledger/hold.ts'
import { NO_LANE } from '../../lib/metrics/call-tally.ts'
import { ownRoute } from '../../lib/owner.ts'
import { CallerGone, type CallerLine } from './caller-line.ts'
import type { Router } from './create-router.ts'
import { meter } from '../bill/metering.ts'
import type { Candidate } from '../lists/model.ts'
import { openFirst, type Opened } from './open-first.ts'
import { promptOf, type Prompt } from '../bill/prompt-tokens.ts'
import { quoteOf } from '../bill/quote.ts'
import { readCompletionRequest, type CompletionRequest } from './read-request.ts'
import { servedHop } from '../bill/receipt.ts'
import { namingShorterAnswer } from './shorter-answer.ts'
import { streamAnswer } from '../stream/stream-answer.ts'
import { release, settle, SERVICE, type CompletionCall, type Underway } from '../bill/underway.ts'
import type { UpstreamCall } from './upstream-call.ts'
import { wholeAnswer, type CompletionAnswer } from '../stream/whole-answer.ts'

const ROUTE = 'llm/chat/completions'

/** The line of a call with an Idempotency-Key, whose answer is made whole for the repeat, whoever is there to take it. */
const STAYS: Pick<CallerLine, 'isGone' | 'onGone'> = { isGone: false, onGone: () => {} }

/**
 * The answer to be sent whole; null when it went to the line as it came. Throws AppError for every refusal and failure;
 * nothing is charged then. Every way out settles the hold or releases it, before the end of the answer is sent.
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

async function complete({
  router,
  call,
  line,
  labels,
  calls,
}: Completion): Promise<CompletionAnswer | null> {
  const request = readCompletionRequest(call.body, router.extraFields)
  let quoted: Quoted
  try {
    quoted = await quote(router, call, request)
  } catch (error) {
    await throwUnlessRepeated(error, router.database, claimOf(call, router.now()))
    return replay(router, call, request)
  }
  const { candidates, prompt, amount, maxTokens, promptTokens } = quoted

  const startedMs = router.now()
  const { answerMs, streamMs, recordMs } = router.times
  let hold: Awaited<ReturnType<typeof router.dailyCap.hold>>
  try {
    hold = await router.dailyCap.hold({
      id: call.id,
      walletId: call.caller.walletId,
      budgetId: call.caller.budgetId,
      amount,
      deadlineMs: startedMs + answerMs + (request.stream ? streamMs : 0) + recordMs + HOLD_GRACE_MS,
      kind: 'llm',
      service: SERVICE,
      action: request.model,
      externalId: call.caller.externalId,
      claim: claimOf(call, startedMs),
    })
  } catch (error) {
    throw namingShorterAnswer(error, quoted)
  }
  if (!hold.opened) return replay(router, call, request)

  const underway: Underway = { router, call, request, prompt, hold, startedMs, hops: [], labels }
  try {
    assertInTime(call.endsMs)
    const { times, now, hiddenTokens } = router
    const leave = (candidate: Candidate, asked: UpstreamCall): void => {
      if (request.stream && !hiddenTokens.canThink(candidate)) asked.leave()
    }
    const attempts = {
      request,
      candidates,
      maxTokens,
      promptTokens,
      accountId: call.caller.accountId,
      line: call.idempotency === null ? line : STAYS,
      leave,
      calls,
      times,
      now,
      hops: underway.hops,
    }
    return await answer(underway, await openFirst(attempts), line)
  } catch (error) {
    throw await released(underway, error)
  }
}

type Quoted = ReturnType<typeof quoteOf> & {
  readonly candidates: readonly Candidate[]
  readonly prompt: Prompt
}

async function quote(
  { directory }: Router,
  { caller }: CompletionCall,
  request: CompletionRequest,
): Promise<Quoted> {
  const candidates = await directory.candidatesFor(request.model, caller.mode, request.needs)
  const prompt = promptOf(request)
  return { candidates, prompt, ...quoteOf(request, prompt, candidates) }
}

async function answer(
  underway: Underway,
  { candidate, answer: begun }: Opened,
  line: CallerLine,
): Promise<CompletionAnswer | null> {
  if (begun.kind === 'json') return wholeAnswer(underway, candidate, begun.json, line)
  if (begun.kind === 'events') await streamAnswer(underway, candidate, begun.call, line)
  else await chargePrompt(underway, candidate, begun.call)
  return null
}

/** For a caller who left after the upstream had accepted the request, which brought no event. */
async function chargePrompt(
  underway: Underway,
  candidate: Candidate,
  { delivered, filter, generationId }: UpstreamCall,
): Promise<void> {
  const { router, hops, labels, startedMs } = underway
  const bill = await meter(underway, {
    candidate,
    delivered: () => delivered,
    reported: filter.usage,
    usageIs: 'running',
    generationId,
    isOwed: true,
  })
  labels.brokenOff = 'bad_request'
  hops.push(servedHop(candidate, bill, router.now() - startedMs, false))
  await settle(underway, bill)
}

async function released(underway: Underway, error: unknown): Promise<unknown> {
  // The ledger could not be reached to settle: its books decide, and its sweep takes the hold.
  if (error instanceof AppError && error.code === 'overloaded') return error
  const failure =
    error instanceof CallerGone
      ? new AppError(
          'bad_request',
          'The caller hung up before the answer began. Nothing was charged.',
        )
      : error
  await release(
    underway,
    error instanceof CallerGone
      ? 'caller_gone'
      : error instanceof AppError
        ? error.code
        : 'internal',
  )
  return failure
}

async function replay(
  router: Router,
  call: CompletionCall,
  { stream }: CompletionRequest,
): Promise<CompletionAnswer> {
  const stored = await replayOf(router.database, {
    accountId: call.caller.accountId,
    route: routeOf(call),
    key: call.idempotency?.key ?? '',
    fingerprint: call.idempotency?.fingerprint ?? '',
  })
  return { ...stored, charged: 0n, wallet: null, replayed: true, isEvents: stream, model: null }
}

function claimOf(call: CompletionCall, nowMs: number): Claim | null {
  if (call.idempotency === null) return null
  const { key, fingerprint } = call.idempotency
  return {
    accountId: call.caller.accountId,
    route: routeOf(call),
    idempotencyKey: key,
    fingerprint,
    expiresMs: nowMs + ANSWER_KEPT_MS,
  }
}

function routeOf({ caller }: CompletionCall): string {
  return ownRoute(caller, caller.mode === 'test' ? `test:${ROUTE}` : ROUTE)
}
