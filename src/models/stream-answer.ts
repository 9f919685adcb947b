import { AppError } from '../errors/app-error.ts'
import { billOf, type Bill } from './bill.ts'
import type { CallerLine } from './caller-line.ts'
import { failureOfError, failureOfTold } from './failure.ts'
import type { Candidate } from './model.ts'
import { servedHop } from './receipt.ts'
import { relay, type RelayEnd } from './relay.ts'
import type { ToldError } from './told-error.ts'
import { release, settle, type Underway } from './underway.ts'
import type { UpstreamCall } from './upstream-call.ts'
import { END_MARK, errorEvent, usageEvent } from './write-events.ts'

// As much as the longest answer that may be asked for takes, several times over.
const MOST_RECORDED_BYTES = 16 * 1024 * 1024

/** Passes the stream on, bills what was delivered, and only then sends the end. Throws only while nothing was sent. */
export async function streamAnswer(underway: Underway, candidate: Candidate, call: UpstreamCall, line: CallerLine): Promise<void> {
  const { router, prompt, hold, startedMs } = underway
  const recording = new Recording(hold.claim !== null)
  line.start({ model: candidate.id })
  const end = await relay(call, line, { limitMs: router.times.streamMs, record: (events) => recording.add(events) })
  try {
    // What an upstream counted before it broke off was of no use to a caller who got no word of it.
    const reported = end.kind === 'whole' || call.delivered.hasWords ? call.filter.usage : null
    const bill = billOf({ candidate, reported, prompt, texts: () => call.delivered.texts, held: hold.amount, startedMs })
    const failure = failureOf(candidate, end)
    if (failure !== null) underway.course.brokenOff = failure.code
    underway.hops.push(servedHop(candidate, bill, router.now() - startedMs, failure === null))
    const last = lastEvents(underway, call, candidate, bill, failure)
    if (bill.charge === 0n && failure !== null) await release(underway, failure.code)
    else await settle(underway, bill, { status: 200, body: recording.textWith(last) })
    line.end(Buffer.from(last), bill.charge)
  } catch (error) {
    // The answer has begun, so its end is the only place left to tell.
    const told = error instanceof AppError ? error : new AppError('internal', undefined, { cause: error })
    underway.course.brokenOff = told.code
    line.end(Buffer.from(errorEvent(told) + END_MARK), 0n)
    if (!(error instanceof AppError)) throw error
  }
}

function failureOf(candidate: Candidate, end: RelayEnd): AppError | null {
  if (end.kind === 'whole') return null
  if (end.kind === 'gone') return new AppError('bad_request', 'The caller hung up, so the answer was broken off here. What was delivered is charged.')
  const { code, details, spec } = isTold(end.error) ? failureOfTold(candidate, end.error) : failureOfError(candidate, end.error)
  return new AppError(code, `"${candidate.id}" broke off in the middle of its answer. Only what was delivered is charged.`, {
    details,
    fix: spec.retryable ? 'Send the request again for a whole answer, which is charged anew.' : 'Change the request before you send it again: details.upstream says why it broke off.',
  })
}

function isTold(error: unknown): error is ToldError {
  return !(error instanceof Error) && typeof error === 'object' && error !== null && 'message' in error
}

function lastEvents({ request, call: { caller } }: Underway, { filter }: UpstreamCall, candidate: Candidate, bill: Bill, failure: AppError | null): string {
  const sent = filter.usageEvent ?? { ...filter.first, usage: undefined }
  const usage = request.wantsUsage ? usageEvent({ sent, bill, modelId: candidate.id, isTest: caller.mode === 'test' }) : ''
  return `${usage}${failure === null ? '' : errorEvent(failure)}${END_MARK}`
}

/** What was sent, kept only for a replay. */
class Recording {
  readonly #isOn: boolean
  #size = 0
  #kept: Buffer[] = []

  constructor(isOn: boolean) {
    this.#isOn = isOn
  }

  add(events: Buffer): void {
    if (!this.#isOn) return
    this.#size += events.length
    if (this.#size <= MOST_RECORDED_BYTES) this.#kept.push(events)
  }

  textWith(last: string): string {
    const end = this.#size <= MOST_RECORDED_BYTES ? last : errorEvent(new AppError('payload_too_large', 'The rest of this answer was too long to be kept for a replay.')) + END_MARK
    // PostgreSQL keeps no zero bytes, and JSON has none.
    return `${Buffer.concat(this.#kept).toString('utf8').replaceAll('\0', '')}${end}`
  }
}

