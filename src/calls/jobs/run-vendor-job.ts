/** A job of a vendor: measured if its price needs it, launched once, polled until it ends, and charged for its result. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { JobAction } from '../../catalog/vocabulary/define.ts'
import type { Entry } from '../../catalog/index.ts'
import {
  failed,
  type Data,
  type Failed,
  type Measured,
  type Outcome,
} from '../../catalog/vocabulary/outcome.ts'
import type { Reply, WireRequest } from '../../catalog/vocabulary/wire.ts'
import { errorCatalog } from '../../errors/catalog.ts'
import type { JobControl } from '../../jobs/control.ts'
import { ownerOfJob, type Job, type JobEnd } from '../../jobs/job.ts'
import { storeJobReference } from '../../jobs/vendor-reference.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { send } from '../../upstream/send.ts'
import type { Sent } from '../../upstream/sent.ts'
import type { Target } from '../../upstream/target.ts'
import type { PerformDeps } from '../perform/call-scope.ts'
import { isAnswerLost, lostOrder } from '../perform/lost-order.ts'
import { storeReference } from '../perform/vendor-references.ts'
import { endInOneStep } from './job-end.ts'

type VendorJob = {
  readonly deps: PerformDeps
  readonly entry: Entry
  readonly action: JobAction
  readonly target: Target
  readonly job: Job
  readonly control: JobControl
}

const MEASURE = createHash('sha256').update('measure').digest('hex')
const LAUNCH = createHash('sha256').update('launch').digest('hex')
// The number of polls that a vendor gets to end a job after the request to stop.
const POLLS_AFTER_STOP = 12
// A vendor that is unreachable for a while has not failed, and its job continues.
const MAX_FAILED_POLLS = 60
// A vendor may not list a job in its first seconds. After this time it has lost the job.
const MAX_UNKNOWN_SECONDS = 30
const [MIN_UNKNOWN_POLLS, MAX_UNKNOWN_POLLS] = [3, 15]
// Some vendors return an error for the result of a failed job, and it stays one.
const MAX_FAILED_RESULTS = 5

export async function runVendorJob(
  deps: PerformDeps,
  entry: Entry,
  action: JobAction,
  job: Job,
  control: JobControl,
): Promise<JobEnd> {
  const lane = deps.lanes.laneFor(entry, job.mode, job.input)
  if (lane === null || !('target' in lane))
    return endInOneStep(
      deps.now(),
      entry,
      job,
      failed(
        'upstream_not_configured',
        'This action is no longer set up on this gateway. Nothing was charged.',
      ),
    )
  const vendorJob: VendorJob = { deps, entry, action, target: lane.target, job, control }
  const found = await measure(vendorJob)
  if (found.kind === 'failed') return endInOneStep(deps.now(), entry, job, found)
  const measured: VendorJob = { ...vendorJob, job: { ...job, input: found.input } }
  const launched = await launch(measured)
  const outcome = typeof launched === 'string' ? await follow(measured, launched) : launched
  return endInOneStep(deps.now(), entry, measured.job, outcome)
}

/** The input to launch and to charge for. It is measured once, so later changes of the files do not count. */
async function measure(vendorJob: VendorJob): Promise<Measured | Failed> {
  const { deps, entry, action, job, control } = vendorJob
  const requests = action.measure?.requests(job.input) ?? []
  const known = control.known.get(MEASURE)
  if (typeof known?.invocation === 'object' && known.invocation !== null)
    return { kind: 'measured', input: known.invocation as Data }
  if (
    action.measure === undefined ||
    requests.length === 0 ||
    control.known.has(LAUNCH) ||
    control.stopReason !== null
  )
    return { kind: 'measured', input: job.input }
  if (known === undefined) await control.begin(MEASURE)
  const replies: Reply[] = []
  for (const wire of requests) {
    const sent = await exchange(vendorJob, wire, newId(deps.now()))
    if (!sent.ok) return { kind: 'failed', ...sent.failure }
    if (!deps.validator.matches(action.measure.reply, sent.reply.body)) return unknownFormat(entry)
    replies.push(sent.reply)
  }
  const found = action.measure.measured(replies, job.input)
  if (found.kind === 'measured') await control.finish(MEASURE, found.input)
  return found
}

/**
 * Returns the vendor's id of the job, or the outcome of a job that was not launched. The launch is stored
 * once the connection is open, right before the request. A worker that dies earlier leaves it to the next
 * one. A launch that was interrupted later is not repeated, because the vendor may have accepted it.
 */
async function launch(vendorJob: VendorJob): Promise<string | Outcome> {
  const { deps, entry, action, job, control } = vendorJob
  const known = control.known.get(LAUNCH)
  if (typeof known?.invocation === 'string') return known.invocation
  if (control.stopReason !== null)
    return failed('job_cancelled', 'The job was cancelled before it began.')
  if (known !== undefined) {
    return failed(
      'order_unknown',
      'The process that worked on this job stopped while it submitted it to the vendor. Whether the vendor accepted it is unknown, so it is not submitted again. Nothing was charged.',
    )
  }
  const vendorKey = newId(deps.now())
  let begun: Promise<Id> | undefined
  const beforeBytes = (): Promise<Id> => (begun ??= control.begin(LAUNCH, vendorKey))
  const wire = action.launch.request(job.input)
  const sent = await exchange(vendorJob, wire, vendorKey, beforeBytes)
  if (job.mode === 'live')
    deps.lanes.observe(entry, { kind: 'vendor', target: vendorJob.target }, job.input, wire, sent)
  if (!sent.ok)
    return begun !== undefined && isAnswerLost(sent.failure)
      ? lostOrder(entry, sent.failure.details)
      : { kind: 'failed', ...sent.failure }
  if (!deps.validator.matches(action.launch.reply, sent.reply.body)) return lostOrder(entry)
  const reference = action.launch.reference(sent.reply)
  const owner = { ...ownerOfJob(job), service: entry.service.id }
  await control.persist(() => storeReference(deps.database, owner, reference, deps.now()))
  await control.persist(() => storeJobReference(deps.database, job.id, reference))
  await control.finish(LAUNCH, reference)
  return reference
}

/** Polls until the vendor ends the job, has delivered as much as may be paid for, or the job must end. The last reply counts then. */
async function follow(vendorJob: VendorJob, reference: string): Promise<Outcome> {
  const { action, job, control } = vendorJob
  let last: Reply | null = null
  let failures = 0
  let unknown = 0
  let unread = 0
  let pollsLeft = Number.POSITIVE_INFINITY
  let isStopped = action.poll.stop === undefined
  // After the abort another worker polls.
  while (pollsLeft > 0 && !control.signal.aborted) {
    const polled = await poll(vendorJob, reference)
    unknown = polled === 'unknown' ? unknown + 1 : 0
    if (unknown >= maxUnknownPolls(action)) {
      await requestStop(vendorJob, reference)
      return failed('job_lost', 'The vendor no longer has this job. Nothing was charged.')
    }
    if (polled === null || polled === 'unknown') {
      failures += 1
      if (failures >= MAX_FAILED_POLLS) {
        // It may still run there, at the operator's cost.
        await requestStop(vendorJob, reference)
        return failed(
          'order_unknown',
          'The vendor no longer returns the status of the job. Nothing was charged.',
        )
      }
    } else {
      failures = 0
      last = polled
      const progress = action.poll.progress(polled)
      if (progress.kind === 'failed') return failed('upstream_error', progress.message)
      if (progress.kind === 'finished') {
        const { outcome, mayPass } = await readResult(vendorJob, reference, polled)
        unread += mayPass ? 1 : 0
        if (!mayPass || unread >= MAX_FAILED_RESULTS) return outcome
      }
    }
    const isEnough = last !== null && action.poll.isEnough?.(last, job.input) === true
    if (pollsLeft === Number.POSITIVE_INFINITY && (isEnough || control.stopReason !== null))
      pollsLeft = isStopped ? 1 : POLLS_AFTER_STOP
    if (pollsLeft !== Number.POSITIVE_INFINITY && !isStopped)
      isStopped = await requestStop(vendorJob, reference)
    pollsLeft -= 1
    await pause(
      action.poll.everySeconds * 1000,
      pollsLeft === Number.POSITIVE_INFINITY ? control : null,
    )
  }
  // A result with its own URL exists only after the vendor finished.
  return last === null || action.poll.result !== undefined
    ? failed(
        'job_cancelled',
        'The job ended before the vendor delivered anything. Nothing was charged.',
      )
    : action.outcome(last, job.input)
}

/** The number of "unknown" replies in a row after which the vendor has lost the job. */
function maxUnknownPolls({ poll: { everySeconds } }: JobAction): number {
  return Math.min(
    MAX_UNKNOWN_POLLS,
    Math.max(MIN_UNKNOWN_POLLS, MAX_UNKNOWN_SECONDS / everySeconds),
  )
}

/** The outcome of a finished job. `mayPass`: a retryable error prevented reading it. */
async function readResult(
  vendorJob: VendorJob,
  reference: string,
  polled: Reply,
): Promise<{ readonly outcome: Outcome; readonly mayPass: boolean }> {
  const { deps, action, job, entry } = vendorJob
  const wire = action.poll.result?.(reference)
  if (wire === undefined) return { outcome: action.outcome(polled, job.input), mayPass: false }
  const sent = await exchange(vendorJob, wire, newId(deps.now()))
  if (!sent.ok)
    return {
      outcome: isAnswerLost(sent.failure)
        ? lostOrder(entry, sent.failure.details)
        : { kind: 'failed', ...sent.failure },
      mayPass: errorCatalog[sent.failure.code].retryable,
    }
  const isKnown = deps.validator.matches(action.reply, sent.reply.body)
  return {
    outcome: isKnown ? action.outcome(sent.reply, job.input) : lostOrder(entry),
    mayPass: false,
  }
}

function unknownFormat({ service }: Entry): Failed {
  return failed(
    'upstream_error',
    `The service behind "${service.id}" answered in an unknown format. Nothing was charged.`,
  )
}

/** Whether the vendor got the request to stop. Without it the job continues at the operator's cost, so it is sent again. */
async function requestStop(vendorJob: VendorJob, reference: string): Promise<boolean> {
  const wire = vendorJob.action.poll.stop?.(reference)
  if (wire === undefined) return true
  const sent = await exchange(vendorJob, wire, newId(vendorJob.deps.now()))
  return sent.ok || !errorCatalog[sent.failure.code].retryable
}

/** `unknown`: the vendor has no such job. Null: it was unreachable, or its reply has an unknown format. */
async function poll(vendorJob: VendorJob, reference: string): Promise<Reply | 'unknown' | null> {
  const { deps, action } = vendorJob
  const sent = await exchange(vendorJob, action.poll.request(reference), newId(deps.now()))
  if (!sent.ok)
    return [404, 410].includes(sent.failure.details.upstream.status ?? 0) ? 'unknown' : null
  return deps.validator.matches(action.reply, sent.reply.body) ? sent.reply : null
}

async function exchange(
  { deps: { now }, action, target, job, control }: VendorJob,
  wire: WireRequest,
  vendorKey: Id,
  beforeBytes?: () => Promise<Id>,
): Promise<Sent> {
  const deadline = new Deadline(action.timeoutMs)
  const expire = (): void => deadline.expire()
  control.signal.addEventListener('abort', expire, { once: true })
  try {
    return await send(target, wire, {
      deadline,
      vendorKey,
      accountId: job.accountId,
      now,
      ...(beforeBytes === undefined ? {} : { beforeBytes }),
    })
  } finally {
    deadline.end()
    control.signal.removeEventListener('abort', expire)
  }
}

/** Waits until the next poll, or until `control` stops the job. */
async function pause(ms: number, control: JobControl | null): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([
      delay(ms, undefined, { signal: over.signal }).catch(() => {}),
      ...(control === null ? [] : [control.stopped]),
    ])
  } finally {
    over.abort()
  }
}
