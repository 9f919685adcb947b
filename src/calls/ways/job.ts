import { isLaunched } from '../../catalog/vocabulary/define.ts'
import type { Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { RESULT_KEPT_MS } from '../../jobs/job.ts'
import { submitJob } from '../../jobs/submit.ts'
import type { HoldRequest } from '../../ledger/hold.ts'
import { publicId } from '../../lib/ids.ts'
import type { Affordable } from '../quote/ceiling.ts'
import { claimOf, replay } from '../idempotency/claim.ts'
import { answerBody } from '../perform/envelope.ts'
import { namingSmallerCall } from '../quote/smaller-call.ts'
import type { CallAnswer, CallRequest, Calls } from '../call.ts'

/** A job's hold outlives its deadline by this much: whoever ends an overdue job resolves the hold, not the sweep. */
const JOB_HOLD_GRACE_MS = 600_000

/** Some actions are answered at once for one input, and by a job for another. */
export function isJob({ action }: Entry, input: Data): boolean {
  return isLaunched(action, input) || (action.kind === 'local' && action.running !== undefined)
}

/** Holds the budget and leaves the work to a worker. The submission itself is charged nothing. */
export async function submitCall(
  calls: Calls,
  request: CallRequest,
  entry: Entry,
  { input, amount, lowered }: Affordable,
): Promise<CallAnswer> {
  const { action } = entry
  const { caller } = request
  const nowMs = calls.now()
  const deadlineMs =
    nowMs + (action.kind === 'job' ? action.poll.giveUpAfterSeconds * 1000 : action.timeoutMs)
  const hold: HoldRequest = {
    id: request.id,
    walletId: caller.walletId,
    budgetId: caller.budgetId,
    amount,
    deadlineMs: deadlineMs + JOB_HOLD_GRACE_MS,
    kind: 'job',
    service: entry.service.id,
    action: entry.name,
    externalId: caller.externalId,
    claim: claimOf(request, nowMs, RESULT_KEPT_MS),
  }
  const data = { job_id: publicId('job', request.id), status: 'queued', async: true }
  const body = answerBody({
    data,
    untrusted: false,
    charge: 0n,
    requestId: request.id,
    isTest: caller.mode === 'test',
    lowered,
  })
  const isDeep = action.kind === 'local' && action.running === 'deep'
  const verdict = await submitJob(
    calls.database,
    {
      hold,
      accountId: caller.accountId,
      mode: caller.mode,
      input,
      isDeep,
      deadlineMs,
      answer: { status: 200, body },
    },
    nowMs,
  )
  if (verdict === 'repeated') return replay(calls, request)
  if (verdict !== 'opened')
    throw namingSmallerCall(await calls.ledger.refusal(verdict, hold), action, input)
  return { status: 200, body, charged: 0n, wallet: null, replayed: false }
}
