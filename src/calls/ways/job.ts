import { RESULT_RETENTION_MS } from '../../jobs/job.ts'
import { submitJob, type Submission } from '../../jobs/submit.ts'
import { publicId } from '../../lib/ids.ts'
import type { Call, CallAnswer, Calls, Way } from '../call.ts'
import { heldAction, holdFor, withHoldOf } from '../charge.ts'
import { claimFor, toReplay } from '../idempotency/claim.ts'
import { unlessLooping } from '../loops/unless-looping.ts'
import { writeEnvelope } from '../perform/envelope.ts'
import { rejectWithSmallerCall } from '../quote/smaller-call.ts'
import { isJob } from '../quote/webhook-url.ts'

/** A job's hold outlives its deadline by this much, so that the job resolves it before the sweep does. */
const JOB_HOLD_GRACE_MS = 600_000

/** Calls that a worker carries out later. The submission itself is charged nothing. */
export const job: Way = {
  takes: ({ entry, input }) => isJob(entry, input),
  run: unlessLooping(submit),
}

async function submit(calls: Calls, call: Call): Promise<CallAnswer> {
  const { request, entry, input, amount, lowered } = call
  const { action } = entry
  const { id, caller } = request
  const nowMs = calls.now()
  const limitMs = action.kind === 'job' ? action.poll.giveUpAfterSeconds * 1000 : action.timeoutMs
  const deadlineMs = nowMs + limitMs
  const hold = holdFor(request, heldAction('job', call), {
    amount,
    deadlineMs: deadlineMs + JOB_HOLD_GRACE_MS,
    claim: claimFor(request, nowMs, RESULT_RETENTION_MS),
  })
  const body = writeEnvelope({
    data: { job_id: publicId('job', id), status: 'queued', async: true },
    untrusted: false,
    charge: 0n,
    requestId: id,
    isTest: caller.mode === 'test',
    lowered,
  })
  const submission = {
    hold,
    accountId: caller.accountId,
    mode: caller.mode,
    input,
    terms: action.terms ?? null,
    isDeep: action.kind === 'local' && action.running === 'deep',
    deadlineMs,
    webhookUrl: call.webhookUrl,
    answer: { status: 200, body },
  }
  const onRejected = (error: unknown): never => rejectWithSmallerCall(error, action, input)
  return withHoldOf<CallAnswer>(
    calls,
    { hold, wait: request.wait, replay: toReplay, onRejected },
    (waitedMs) => submitJob(calls.database, laterBy(submission, waitedMs), nowMs + waitedMs),
    () => ({ status: 200, body, charged: 0n, wallet: null, replayed: false }),
  )
}

/** The submission of a call that waited for money. */
function laterBy(submission: Submission, ms: number): Submission {
  const { hold, deadlineMs } = submission
  return ms === 0
    ? submission
    : {
        ...submission,
        hold: { ...hold, deadlineMs: hold.deadlineMs + ms },
        deadlineMs: deadlineMs + ms,
      }
}
