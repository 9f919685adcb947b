/** A job that a vendor does: measured where its price wants it, launched once, asked about until it has ended, charged for what it delivered. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { JobAction } from '../../catalog/vocabulary/define.ts'
import type { Entry } from '../../catalog/index.ts'
import {
  failed,
  isDelivered,
  type Data,
  type Failed,
  type Measured,
  type Outcome,
} from '../../catalog/vocabulary/outcome.ts'
import { billable } from '../../catalog/prices/price.ts'
import type { Reply, WireRequest } from '../../catalog/vocabulary/wire.ts'
import { errorCatalog } from '../../errors/catalog.ts'
import type { JobControl } from '../../jobs/control.ts'
import { ownerOfJob, type Job, type JobEnd } from '../../jobs/job.ts'
import { keepReference } from '../../jobs/reference.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { minMicros } from '../../lib/money.ts'
import { send } from '../../upstream/send.ts'
import type { Sent } from '../../upstream/sent.ts'
import type { Target } from '../../upstream/target.ts'
import { toHop } from '../../catalog/prices/hop.ts'
import { endOf } from './job-end.ts'
import type { Performers } from '../perform/perform.ts'
import { rememberReference } from '../perform/vendor-references.ts'

type Vendor = {
  readonly performers: Performers
  readonly entry: Entry
  readonly action: JobAction
  readonly target: Target
  readonly job: Job
  readonly control: JobControl
}

const MEASURE = createHash('sha256').update('measure').digest('hex')
const LAUNCH = createHash('sha256').update('launch').digest('hex')
// A vendor that was told to stop gets this many polls to come to its end.
const POLLS_AFTER_STOP = 12
// A vendor that cannot be asked for a while has not failed: its job goes on.
const MOST_FAILED_POLLS = 60
// A vendor may not know a job in its first seconds. One that does not know it for so long has forgotten it.
const LONGEST_UNKNOWN_SECONDS = 30
const [LEAST_UNKNOWN_POLLS, MOST_UNKNOWN_POLLS] = [3, 15]
// Some vendors tell a failed job by an error in place of its result, which stays one.
const MOST_FAILED_RESULTS = 5

export async function runVendorJob(
  performers: Performers,
  entry: Entry,
  action: JobAction,
  job: Job,
  control: JobControl,
): Promise<JobEnd> {
  const lane = performers.lanes.laneFor(entry, job.mode, job.input)
  if (lane === null || !('target' in lane))
    return ended(
      { performers, entry, job },
      failed(
        'upstream_not_configured',
        'This action is not set up on this gateway any more. Nothing was charged.',
      ),
    )
  const vendor: Vendor = { performers, entry, action, target: lane.target, job, control }
  const found = await measure(vendor)
  if (found.kind === 'failed') return ended(vendor, found)
  const measured: Vendor = { ...vendor, job: { ...job, input: found.input } }
  const launched = await launch(measured)
  return ended(measured, typeof launched === 'string' ? await follow(measured, launched) : launched)
}

/** The input to launch and to charge by. Measured once: what the job was launched with counts, whatever becomes of the files. */
async function measure(vendor: Vendor): Promise<Measured | Failed> {
  const { performers, entry, action, job, control } = vendor
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
    const sent = await exchange(vendor, wire, newId(performers.now()))
    if (!sent.ok) return { kind: 'failed', ...sent.failure }
    if (!performers.validator.matches(action.measure.reply, sent.reply.body))
      return unknownForm(entry)
    replies.push(sent.reply)
  }
  const found = action.measure.measured(replies, job.input)
  if (found.kind === 'measured') await control.finish(MEASURE, found.input)
  return found
}

/**
 * The vendor's name for the job, or why there is none. The launch is written down when the connection to the vendor stands,
 * right before the request goes out: a worker that dies earlier leaves it to the next one. One that was cut off later is
 * not repeated, because the vendor may have taken it.
 */
async function launch(vendor: Vendor): Promise<string | Outcome> {
  const { performers, entry, action, job, control } = vendor
  const known = control.known.get(LAUNCH)
  if (typeof known?.invocation === 'string') return known.invocation
  if (control.stopReason !== null)
    return failed('job_cancelled', 'The job was cancelled before it began.')
  if (known !== undefined) {
    return failed(
      'job_interrupted',
      'The process that worked on this job stopped while it submitted it to the vendor. Whether the vendor took it is unknown, so it is not submitted again. Nothing was charged.',
    )
  }
  const key = newId(performers.now())
  let begun: Promise<Id> | undefined
  const sent = await exchange(
    vendor,
    action.launch.request(job.input),
    key,
    () => (begun ??= control.begin(LAUNCH, key)),
  )
  if (!sent.ok) return { kind: 'failed', ...sent.failure }
  if (!performers.validator.matches(action.launch.reply, sent.reply.body)) return unknownForm(entry)
  const reference = action.launch.reference(sent.reply)
  await control.onceThere(() =>
    rememberReference(
      performers.database,
      { ...ownerOfJob(job), service: entry.service.id },
      reference,
      performers.now(),
    ),
  )
  await control.onceThere(() => keepReference(performers.database, job.id, reference))
  await control.finish(LAUNCH, reference)
  return reference
}

/** Asks until the vendor has ended, or has delivered what may be paid for, or the job is to end: what is there then counts. */
async function follow(vendor: Vendor, reference: string): Promise<Outcome> {
  const { action, job, control } = vendor
  let last: Reply | null = null
  let failures = 0
  let unknown = 0
  let unread = 0
  let pollsLeft = Number.POSITIVE_INFINITY
  let isTold = action.poll.stop === undefined
  // Left to another worker, who asks from now on.
  while (pollsLeft > 0 && !control.signal.aborted) {
    const polled = await poll(vendor, reference)
    unknown = polled === 'unknown' ? unknown + 1 : 0
    if (unknown >= unknownPollsOf(action))
      return failed('job_lost', 'The vendor no longer knows this job. Nothing was charged.')
    if (polled === null || polled === 'unknown') {
      failures += 1
      if (failures >= MOST_FAILED_POLLS)
        return failed(
          'upstream_error',
          'The vendor could not be asked about the job any more. Nothing was charged.',
        )
    } else {
      failures = 0
      last = polled
      const progress = action.poll.progress(polled)
      if (progress.kind === 'failed') return failed('upstream_error', progress.message)
      if (progress.kind === 'finished') {
        const { outcome, mayPass } = await resultOf(vendor, reference, polled)
        unread += mayPass ? 1 : 0
        if (!mayPass || unread >= MOST_FAILED_RESULTS) return outcome
      }
    }
    const isEnough = last !== null && action.poll.isEnough?.(last, job.input) === true
    if (pollsLeft === Number.POSITIVE_INFINITY && (isEnough || control.stopReason !== null))
      pollsLeft = isTold ? 1 : POLLS_AFTER_STOP
    if (pollsLeft !== Number.POSITIVE_INFINITY && !isTold)
      isTold = await tellToStop(vendor, reference)
    pollsLeft -= 1
    await pause(
      action.poll.everySeconds * 1000,
      pollsLeft === Number.POSITIVE_INFINITY ? control : null,
    )
  }
  // What is at a place of its own is there once the vendor has finished, and not before.
  return last === null || action.poll.result !== undefined
    ? failed(
        'job_cancelled',
        'The job ended before the vendor had delivered anything. Nothing was charged.',
      )
    : action.outcome(last, job.input)
}

/** How many answers in a row say that the vendor has forgotten the job. */
function unknownPollsOf({ poll: { everySeconds } }: JobAction): number {
  return Math.min(
    MOST_UNKNOWN_POLLS,
    Math.max(LEAST_UNKNOWN_POLLS, LONGEST_UNKNOWN_SECONDS / everySeconds),
  )
}

/** What came of a job that has finished; `mayPass`: it could not be read, which may be otherwise the next time. */
async function resultOf(
  vendor: Vendor,
  reference: string,
  polled: Reply,
): Promise<{ readonly outcome: Outcome; readonly mayPass: boolean }> {
  const { performers, action, job, entry } = vendor
  const wire = action.poll.result?.(reference)
  if (wire === undefined) return { outcome: action.outcome(polled, job.input), mayPass: false }
  const sent = await exchange(vendor, wire, newId(performers.now()))
  if (!sent.ok)
    return {
      outcome: { kind: 'failed', ...sent.failure },
      mayPass: errorCatalog[sent.failure.code].retryable,
    }
  const isKnown = performers.validator.matches(action.reply, sent.reply.body)
  return {
    outcome: isKnown ? action.outcome(sent.reply, job.input) : unknownForm(entry),
    mayPass: false,
  }
}

function unknownForm({ service }: Entry): Failed {
  return failed(
    'upstream_error',
    `The service behind "${service.id}" answered in a form that this gateway does not know. Nothing was charged.`,
  )
}

/** Whether the vendor knows now: one that did not get the message goes on at the operator's cost, so it is told again. */
async function tellToStop(vendor: Vendor, reference: string): Promise<boolean> {
  const wire = vendor.action.poll.stop?.(reference)
  if (wire === undefined) return true
  const sent = await exchange(vendor, wire, newId(vendor.performers.now()))
  return sent.ok || !errorCatalog[sent.failure.code].retryable
}

/** `unknown`: the vendor answered that it does not know the job. Null: it could not be asked, or was not understood. */
async function poll(vendor: Vendor, reference: string): Promise<Reply | 'unknown' | null> {
  const sent = await exchange(
    vendor,
    vendor.action.poll.request(reference),
    newId(vendor.performers.now()),
  )
  if (!sent.ok) return sent.failure.details.upstream.status === 404 ? 'unknown' : null
  return vendor.performers.validator.matches(vendor.action.reply, sent.reply.body)
    ? sent.reply
    : null
}

async function exchange(
  { performers: { now }, action, target, job, control }: Vendor,
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

/** Until the next poll is due, or the job is told to stop. */
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

function ended(
  { performers, entry, job }: Pick<Vendor, 'performers' | 'entry' | 'job'>,
  outcome: Outcome,
): JobEnd {
  const charge = minMicros(billable(entry.action, job.input, outcome), job.budget)
  return endOf(entry, outcome, charge, [
    toHop(entry, { ok: isDelivered(outcome), charge, latencyMs: performers.now() - job.createdMs }),
  ])
}
