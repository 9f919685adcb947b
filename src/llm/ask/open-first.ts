import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { CallerGone, type CallerLine } from './caller-line.ts'
import { completionOfEvents } from '../stream/completion-of-events.ts'
import { failureOfError, failureOfStatus, failureOfTold } from './failure.ts'
import type { RecordTimes } from '../bill/generation-record.ts'
import { isFields, listedFields, parseFields, type Fields } from '../../lib/json-fields.ts'
import { unlessLeftAlone } from '../lists/model-breaker.ts'
import type { Candidate } from '../lists/model.ts'
import type { CompletionRequest } from './read-request.ts'
import { errorOf } from './told-error.ts'
import { UpstreamCall, type Opening } from './upstream-call.ts'
import { upstreamBody } from './upstream-body.ts'

export type RouterTimes = RecordTimes & {
  /** For the first event of a stream, where another model can be asked after this one. */
  readonly firstByteMs: number
  /** For a whole answer, fallbacks included. */
  readonly answerMs: number
  /** Between two events. */
  readonly idleMs: number
  /** For a whole stream from its first event. */
  readonly streamMs: number
  /** For the usage, once the answer is finished. */
  readonly usageMs: number
}

export const ROUTER_TIMES: RouterTimes = {
  firstByteMs: 60_000,
  answerMs: 300_000,
  idleMs: 120_000,
  streamMs: 900_000,
  usageMs: 30_000,
  recordMs: 15_000,
  recordPauseMs: 250,
}

/** `left`: the caller is gone and no event came, but the upstream had accepted the request. */
export type Opened = {
  readonly candidate: Candidate
  readonly answer:
    | { readonly kind: 'events' | 'left'; readonly call: UpstreamCall }
    | { readonly kind: 'json'; readonly json: Fields }
}

export type Attempts = {
  readonly request: CompletionRequest
  readonly candidates: readonly Candidate[]
  readonly maxTokens: number
  readonly promptTokens: number
  readonly accountId: Id
  readonly line: Pick<CallerLine, 'isGone' | 'onGone'>
  /** Is called when the caller hangs up while this candidate's answer is awaited or under way. */
  readonly leave: (candidate: Candidate, call: UpstreamCall) => void
  /** Every request that was made. */
  readonly calls: UpstreamCall[]
  readonly times: RouterTimes
  readonly now: Clock
  /** Attempts that failed, for the receipt. */
  readonly hops: Hop[]
}

/** The first candidate that begins to answer. Throws AppError of the first failure when none does, CallerGone when the caller hung up. */
export async function openFirst(attempts: Attempts): Promise<Opened> {
  const { candidates, line, now, hops } = attempts
  const deadlineMs = now() + attempts.times.answerMs
  const failures: AppError[] = []
  for (const [place, candidate] of candidates.entries()) {
    // Some upstreams charge the operator for what they were sent, however soon they are left.
    if (line.isGone) throw new CallerGone()
    const startedMs = now()
    const leftMs = deadlineMs - startedMs
    if (leftMs <= 0) break
    const givenMs = Math.min(leftMs, patience(attempts, candidates.length - place))
    const tried = await unlessLeftAlone({
      candidate,
      accountId: attempts.accountId,
      givenMs,
      now,
      isGone: () => line.isGone,
      open: () => open(attempts, candidate, givenMs),
    })
    if (!(tried instanceof AppError)) return tried
    if (tried.code === 'shutting_down') throw tried
    if (line.isGone) throw new CallerGone()
    failures.push(tried)
    hops.push({
      provider: candidate.upstream.name,
      action: candidate.id,
      ok: false,
      charged_cents: 0,
      charged_micros: 0,
      latency_ms: now() - startedMs,
    })
  }
  const [first] = failures
  if (first === undefined || failures.length === 1) throw first ?? new AppError('upstream_timeout')
  throw new AppError(
    first.code,
    `None of ${failures.length} models answered; the first: ${first.message}`,
    {
      fix: first.fix,
      details: {
        ...first.details,
        tried: failures.map(({ code, details }) => ({
          code,
          ...(details?.['upstream'] as object),
        })),
      },
      retryAfterSeconds: first.retryAfterSeconds,
    },
  )
}

/** How long a model may be silent. The last one may take all the time that is left. */
function patience({ request, times }: Attempts, candidatesLeft: number): number {
  if (candidatesLeft === 1) return times.answerMs
  return request.stream ? times.firstByteMs : times.answerMs / candidatesLeft
}

async function open(
  { request, maxTokens, promptTokens, accountId, line, leave, calls, times, now }: Attempts,
  candidate: Candidate,
  firstByteMs: number,
): Promise<Opened | AppError> {
  const body = upstreamBody(request, candidate, { maxTokens, promptTokens, accountId })
  const call = new UpstreamCall(candidate.upstream, {
    body,
    stream: request.stream,
    choices: request.choices,
    times: { firstByteMs, idleMs: request.stream ? times.idleMs : times.answerMs },
  })
  calls.push(call)
  line.onGone(() => leave(candidate, call))
  // An upstream that accepted a request and then gives no answer and no reason may charge the prompt.
  const unanswered = (failure: AppError): Opened | AppError =>
    line.isGone && call.isAccepted ? { candidate, answer: { kind: 'left', call } } : failure
  try {
    const opening = await call.opened
    if (opening.kind === 'events' && call.filter.first === null && call.filter.error === null)
      return unanswered(
        new AppError(
          'upstream_error',
          `"${candidate.id}" answered with an empty stream. Nothing was charged.`,
        ),
      )
    return opened(candidate, call, opening, now())
  } catch (error) {
    return unanswered(failureOfError(candidate, error))
  }
}

function opened(
  candidate: Candidate,
  call: UpstreamCall,
  opening: Opening,
  nowMs: number,
): Opened | AppError {
  if (opening.kind === 'events') {
    return call.filter.error === null || call.filter.first !== null
      ? { candidate, answer: { kind: 'events', call } }
      : failureOfTold(candidate, call.filter.error)
  }
  const { status, text } = opening
  if (status < 200 || status > 299) return failureOfStatus(candidate, opening, nowMs)
  const json = parseFields(text) ?? completionOfEvents(Buffer.from(text))
  if (json === null)
    return new AppError(
      'upstream_error',
      `"${candidate.id}" answered in a form that this gateway does not know. Nothing was charged.`,
    )
  const error = errorOf(json)
  if (error !== null) return failureOfTold(candidate, error)
  if (
    !listedFields(json['choices']).some(
      ({ message, delta }) => isFields(message) || isFields(delta),
    )
  )
    return new AppError(
      'upstream_error',
      `"${candidate.id}" answered without any choice. Nothing was charged.`,
    )
  return { candidate, answer: { kind: 'json', json } }
}
