import { billable } from '../../catalog/prices/price.ts'
import type { JobHandler, JobTools } from '../../catalog/vocabulary/handlers.ts'
import type { Entry } from '../../catalog/index.ts'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import type { JobControl } from '../../jobs/control.ts'
import { ownerOfJob, type Job, type JobEnd } from '../../jobs/job.ts'
import { Deadline } from '../../lib/deadline.ts'
import { minMicros } from '../../lib/money.ts'
import { createBudget, type Budget } from './job-budget.ts'
import { endOf } from './job-end.ts'
import { createJobSteps, type JobSteps, type Repeat } from './job-steps.ts'
import { keepOutputs, keepsOutputs } from '../perform/store-outputs.ts'
import { failureOf } from '../perform/outcome-error.ts'
import { isPaymentInDoubt } from '../payments/lost-purchases.ts'
import { toolsFor, type CallScope, type Performers } from '../perform/perform.ts'
import { runVendorJob } from './run-vendor-job.ts'

/** Of a job's time, what files of its result leave for writing its end. */
const FINISH_MS = 3_000

/** Does the work of a job: a vendor's is launched and followed; the gateway's own goes through its handler, step by step within its budget. */
export async function runJob(
  performers: Performers,
  handlers: ReadonlyMap<string, JobHandler>,
  job: Job,
  control: JobControl,
): Promise<JobEnd> {
  const entry = performers.catalog.findAction(job.service, job.action)
  const end = await endOfWork(performers, handlers, entry, job, control)
  if (!keepsOutputs(entry) || end.kind === 'failed') return end
  const withinMs = job.deadlineMs - performers.now() - FINISH_MS
  return {
    ...end,
    result: await keepOutputs(end.result as Data, {
      keep: performers.keepOutput,
      paid: { id: job.id, owner: ownerOfJob(job) },
      entry,
      withinMs,
      stopped: control.signal,
    }),
  }
}

async function endOfWork(
  performers: Performers,
  handlers: ReadonlyMap<string, JobHandler>,
  entry: Entry,
  job: Job,
  control: JobControl,
): Promise<JobEnd> {
  if (entry.action.kind === 'job')
    return runVendorJob(performers, entry, entry.action, job, control)
  invariant(
    entry.action.kind === 'local' && entry.action.running !== undefined,
    `${job.service}/${job.action} runs as a job`,
  )
  const handler = handlers.get(entry.action.handler)
  invariant(handler !== undefined, `"${entry.action.handler}" has a handler`)

  const budget = createBudget(job.budget)
  const steps = createJobSteps({
    control,
    budget,
    now: performers.now,
    repeatOf: (step, input) => repeatOf(performers, job, step, input),
  })
  const deadline = new Deadline(Math.max(0, job.deadlineMs - performers.now()))
  try {
    const tools = jobTools(performers, { job, entry, deadline, control, budget, steps })
    const outcome = await handler(job.input, tools).catch((error: unknown): Outcome => {
      if (error instanceof AppError) return failureOf(error)
      throw error
    })
    // Never more than what its steps delivered, whatever the handler says.
    const charge = minMicros(
      minMicros(billable(entry.action, job.input, outcome), budget.spent()),
      job.budget,
    )
    return endOf(entry, outcome, charge, steps.hops())
  } finally {
    deadline.end()
  }
}

type Parts = {
  readonly job: Job
  readonly entry: Entry
  readonly deadline: Deadline
  readonly control: JobControl
  readonly budget: Budget
  readonly steps: JobSteps
}

function jobTools(
  performers: Performers,
  { job, entry, deadline, control, budget, steps }: Parts,
): JobTools {
  const expire = (): void => deadline.expire()
  control.signal.addEventListener('abort', expire, { once: true })
  const scope: CallScope = {
    owner: ownerOfJob(job),
    deadline,
    vendorKey: job.id,
    hops: [],
    steps: steps.maker,
  }
  let latest: Record<string, number> | null = null
  control.report = () => ({ progress: latest, spent: budget.spent() })
  return {
    ...toolsFor(performers, scope, entry),
    jobId: job.id,
    timeoutMs: Math.max(0, job.deadlineMs - performers.now()),
    budget: { total: budget.total, spent: budget.spent, remaining: budget.remaining },
    waive: steps.waive,
    progress: (progress) => {
      latest = { ...progress }
    },
    stopReason: () => control.stopReason,
  }
}

/** Of no vendor here is it known that it executes a repeated request once, so what was bought may be bought again. */
async function repeatOf(
  { lanes, database }: Performers,
  { id, mode }: Job,
  entry: Entry,
  input: Data,
): Promise<Repeat> {
  const lane = lanes.laneFor(entry, mode, input)
  if (lane === null || lane.kind === 'in-house' || lane.kind === 'local' || lane.kind === 'open')
    return 'free'
  if (lane.kind === 'wallet' && (await isPaymentInDoubt(database, id, entry))) return 'in_doubt'
  return entry.action.price.kind === 'free' ? 'free' : 'bought'
}
