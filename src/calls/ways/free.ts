import { Deadline } from '../../lib/deadline.ts'
import type { Call, CallAnswer, Calls, Way } from '../call.ts'
import { writeEnvelope } from '../perform/envelope.ts'
import { toAppError } from '../perform/outcome-error.ts'
import { scopeFor } from '../perform/call-scope.ts'
import { perform } from '../perform/perform.ts'
import { limitWithin } from '../perform/request-end.ts'

/** Calls that hold no money. They end when the caller leaves. */
export const free: Way = {
  takes: ({ amount }) => amount === 0n,
  run: runFree,
}

export async function runFree(
  calls: Calls,
  { request, entry, input, lane }: Call,
): Promise<CallAnswer> {
  const { id, caller, gone, endsMs } = request
  const { timeoutMs, untrustedContent, answerStatus } = entry.action
  const deadline = new Deadline(limitWithin(timeoutMs, endsMs))
  const leave = (): void => deadline.expire()
  gone?.addEventListener('abort', leave, { once: true })
  const outcome = await perform(calls, scopeFor(request, deadline, []), entry, input, lane).finally(
    () => {
      deadline.end()
      gone?.removeEventListener('abort', leave)
    },
  )
  if (outcome.kind === 'failed') throw toAppError(outcome)
  const body = writeEnvelope({
    data: outcome.data,
    untrusted: untrustedContent,
    charge: 0n,
    requestId: id,
    isTest: caller.mode === 'test',
  })
  return { status: answerStatus, body, charged: 0n, wallet: null, replayed: false }
}
