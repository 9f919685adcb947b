import type { StoredAnswer } from '../../calls/idempotency/answers.ts'
import { endStream, failStream } from '../../calls/ways/stream.ts'
import { AppError } from '../../errors/app-error.ts'
import type { CallerLine } from '../ask/caller-line.ts'
import { failureOfError, failureOfUpstreamError, reason } from '../ask/failure.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { meter, type Served } from '../bill/metering.ts'
import type { Candidate } from '../lists/model.ts'
import { servedHop } from '../bill/receipt.ts'
import { Recording } from './recording.ts'
import { relay, type RelayEnd } from './relay.ts'
import type { UpstreamError } from '../ask/upstream-error.ts'
import type { ActiveCompletion } from '../bill/active-completion.ts'
import type { UpstreamCall } from '../ask/upstream-call.ts'
import { callerFormat } from '../wires/caller-formats.ts'
import type { StreamWriter } from '../wires/caller-format.ts'

/**
 * Forwards the stream, bills it and then sends its end. A stream that the upstream completed is
 * billed completely, even after its caller disconnected. Throws only before the first byte is sent.
 */
export async function streamAnswer(
  completion: ActiveCompletion,
  candidate: Candidate,
  call: UpstreamCall,
  line: CallerLine,
): Promise<void> {
  const { router, held, labels, request } = completion
  const { claim } = held.hold
  const { record } = completion
  const writer = callerFormat(request, call.wire.name).createWriter(candidate.id)
  const { accountId } = completion.call.caller
  const recording =
    claim === null && record === null ? null : new Recording(router.recordings, accountId)
  line.start({ model: candidate.id })
  const { streamMs, usageMs } = router.times
  const end = await relay(call, line, {
    limitMs: streamMs,
    usageMs,
    convert(events) {
      const converted = writer.pass(events)
      if (converted !== null) recording?.add(converted)
      return converted
    },
    isStored: claim !== null,
  })
  try {
    const bill = await meter(
      completion,
      served(completion, candidate, call, { end, isDisconnected: line.isDisconnected }),
    )
    const failure = failureOf(candidate, end)
    if (failure !== null) labels.brokenOff = failure.code
    held.hops.push(
      servedHop(candidate, bill, {
        latencyMs: held.latencyMs,
        generationId: call.generationId,
        isWhole: end.kind === 'whole',
      }),
    )
    const facts = {
      bill,
      modelId: candidate.id,
      isTest: completion.call.caller.mode === 'test',
      wantsUsage: request.wantsUsage,
    }
    const last = writer.end(call.filter, facts, failure)
    await endStream(held, {
      charge: bill.charge,
      failure,
      answer: () => (claim === null ? null : storedStream(recording, last, writer)),
      record: async () => {
        const body = recording?.wholeTextWith(last) ?? null
        if (body !== null) await record?.({ body, charged: bill.charge, model: candidate.id })
      },
      send: () => line.end(Buffer.from(last), bill.charge),
    })
  } catch (error) {
    // The response has begun, so only its end can report the failure.
    await failStream(held, error, (failure) => {
      labels.brokenOff = failure.code
      line.end(Buffer.from(writer.fail(failure)), 0n)
    })
  } finally {
    recording?.end()
  }
}

function storedStream(
  recording: Recording | null,
  last: string,
  writer: StreamWriter,
): StoredAnswer | null {
  if (recording === null) return null
  return { status: 200, body: recording.textWith(last, (error) => writer.fail(error)) }
}

function served(
  { held }: ActiveCompletion,
  candidate: Candidate,
  { filter, delivered, generationId }: UpstreamCall,
  { end, isDisconnected }: { readonly end: RelayEnd; readonly isDisconnected: boolean },
): Served {
  const isFailed = end.kind === 'broken' && end.isUpstreams
  return {
    candidate,
    delivered: () => delivered,
    // The usage before an early end is not billed if the caller received no words.
    reported: isFailed && !delivered.hasWords ? null : filter.usage,
    promptUsage: filter.promptUsage,
    usageIs: isFailed ? 'failed' : end.kind === 'whole' ? 'final' : 'running',
    generationId,
    // A call with an Idempotency-Key continues after its caller disconnected.
    isOwed: !isFailed && isDisconnected && held.hold.claim === null,
  }
}

function failureOf(candidate: Candidate, end: RelayEnd): AppError | null {
  if (end.kind === 'whole') return null
  if (end.kind === 'left')
    return new AppError(
      'bad_request',
      'The caller disconnected, so the response ends here. The tokens generated until then are charged.',
    )
  const { code, details, spec } = isUpstreamError(end.error)
    ? failureOfUpstreamError(candidate, end.error)
    : failureOfError(candidate, end.error)
  return new AppError(
    code,
    `"${candidate.id}" ended its response early${reason(fieldsOf(details?.['upstream'])['message'])} ${end.isUpstreams ? 'Only the delivered part is charged.' : 'The tokens generated until then are charged.'}`,
    {
      details,
      fix: spec.retryable
        ? 'Send the request again for a complete response, which is charged again.'
        : 'Change the request before you send it again: details.upstream contains the reason.',
    },
  )
}

function isUpstreamError(error: unknown): error is UpstreamError {
  return (
    !(error instanceof Error) && typeof error === 'object' && error !== null && 'message' in error
  )
}
