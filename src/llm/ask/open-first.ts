import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { CallerDisconnected, type CallerLine } from './caller-line.ts'
import { failureOfError, failureOfStatus, failureOfUpstreamError } from './failure.ts'
import type { KeptLine } from '../stream/keep-alive.ts'
import type { RecordTimes } from '../bill/generation-record.ts'
import type { Fields } from '../../lib/json-fields.ts'
import { openUnlessFailing } from '../lists/model-breaker.ts'
import type { Candidate } from '../lists/model.ts'
import type { CompletionRequest } from './read-request.ts'
import { upstreamWireOf } from '../wires/upstream-wires.ts'
import type { UpstreamWire } from '../wires/wire.ts'
import { UpstreamCall, type Opening } from './upstream-call.ts'
import { nativeBody, upstreamBody } from './upstream-body.ts'

export type RouterTimes = RecordTimes & {
  /** For the first event of a stream if another model can be tried afterwards. */
  readonly firstByteMs: number
  /** For a whole response, including fallbacks. */
  readonly answerMs: number
  /** Between two events. */
  readonly idleMs: number
  /** For a whole stream after its first event. */
  readonly streamMs: number
  /** For the usage after the response is finished. */
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

/** `left`: the caller disconnected before any event, but the upstream had accepted the request. */
export type Opened = {
  readonly candidate: Candidate
  readonly answer:
    | { readonly kind: 'events' | 'left'; readonly call: UpstreamCall }
    | {
        readonly kind: 'json'
        readonly wire: UpstreamWire
        readonly json: Fields
        /** The response as the upstream sent it. */
        readonly text: string
      }
}

export type Attempts = {
  readonly request: CompletionRequest
  readonly candidates: readonly Candidate[]
  readonly maxTokens: number
  readonly promptTokens: number
  readonly accountId: Id
  readonly line: Pick<CallerLine, 'isDisconnected' | 'onDisconnect'>
  /**
   * Called when the caller disconnects while this candidate's response is awaited or in progress.
   */
  readonly leave: (candidate: Candidate, call: UpstreamCall) => void
  /** The stream that starts before its first event if that takes long. */
  readonly kept?: Pick<KeptLine, 'tries' | 'heard'> | undefined
  /** All requests that were sent. */
  readonly calls: UpstreamCall[]
  readonly times: RouterTimes
  readonly now: Clock
  /** Failed attempts, for the receipt. */
  readonly hops: Hop[]
}

/**
 * Opens the first candidate that starts to respond. Throws the first failure if none does,
 * CallerDisconnected if the caller disconnected.
 */
export async function openFirst(attempts: Attempts): Promise<Opened> {
  const { candidates, line, now, hops } = attempts
  const deadlineMs = now() + attempts.times.answerMs
  const failures: AppError[] = []
  for (const [place, candidate] of candidates.entries()) {
    // Some upstreams charge for every request they received, even if it is cancelled immediately.
    if (line.isDisconnected) throw new CallerDisconnected()
    const startedMs = now()
    const leftMs = deadlineMs - startedMs
    if (leftMs <= 0) break
    attempts.kept?.tries(candidate.id, place === candidates.length - 1)
    const limitMs = Math.min(leftMs, silenceLimit(attempts, candidates.length - place))
    const tried = await openUnlessFailing({
      candidate,
      accountId: attempts.accountId,
      limitMs,
      now,
      isDisconnected: () => line.isDisconnected,
      open: () => open(attempts, candidate, limitMs),
    })
    if (!(tried instanceof AppError)) return tried
    if (tried.code === 'shutting_down') throw tried
    if (line.isDisconnected) throw new CallerDisconnected()
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
  // Only the request can be at fault for an error that no upstream sent.
  if (first === undefined || failures.every(({ code }) => code === 'invalid_params'))
    throw first ?? new AppError('upstream_timeout')
  if (failures.length === 1) throw first
  throw new AppError(
    first.code,
    `All ${failures.length} models failed; the first: ${first.message}`,
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

/** How long a model may be silent. The last candidate gets all the remaining time. */
function silenceLimit({ request, times }: Attempts, candidatesLeft: number): number {
  if (candidatesLeft === 1) return times.answerMs
  return request.stream ? times.firstByteMs : times.answerMs / candidatesLeft
}

async function open(
  { request, maxTokens, promptTokens, accountId, line, kept, leave, calls, times, now }: Attempts,
  candidate: Candidate,
  firstByteMs: number,
): Promise<Opened | AppError> {
  const { own } = request
  const wire = upstreamWireOf(candidate.upstream, own)
  const isNative = own !== null && wire.name === own.wire
  const facts = { maxTokens, promptTokens, accountId }
  let body: string
  try {
    body = isNative
      ? nativeBody({ ...request, own }, candidate, facts)
      : upstreamBody(request, candidate, facts)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  const call = new UpstreamCall(candidate.upstream, {
    wire,
    ...(isNative ? { headers: own.headersFor(candidate) } : {}),
    body,
    stream: request.stream,
    choices: request.choices,
    onComment: kept === undefined ? undefined : () => kept.heard(),
    times: { firstByteMs, idleMs: request.stream ? times.idleMs : times.answerMs },
  })
  calls.push(call)
  line.onDisconnect(() => leave(candidate, call))
  // An upstream that accepted a request but sends neither a response nor an error may charge the
  // prompt.
  const unanswered = (failure: AppError): Opened | AppError =>
    line.isDisconnected && call.isAccepted ? { candidate, answer: { kind: 'left', call } } : failure
  try {
    const opening = await call.opened
    if (opening.kind === 'events' && call.filter.first === null && call.filter.error === null)
      return unanswered(
        new AppError(
          'upstream_error',
          `"${candidate.id}" returned an empty stream. Nothing was charged.`,
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
      : failureOfUpstreamError(candidate, call.filter.error)
  }
  const { status, text } = opening
  if (status < 200 || status > 299) return failureOfStatus(candidate, opening, nowMs)
  const { wire } = call
  const json = wire.readWhole(text)
  if (json === null)
    return new AppError(
      'upstream_error',
      `"${candidate.id}" responded in an unknown format. Nothing was charged.`,
    )
  const error = wire.errorOf(json)
  if (error !== null) return failureOfUpstreamError(candidate, error)
  if (!wire.isAnswered(json))
    return new AppError(
      'upstream_error',
      `"${candidate.id}" returned no choices. Nothing was charged.`,
    )
  return { candidate, answer: { kind: 'json', wire, json, text } }
}
