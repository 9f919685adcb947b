import { atTerms } from '../../catalog/prices/price-rules.ts'
import { billable } from '../../catalog/prices/price.ts'
import type { PriceTerms } from '../../catalog/vocabulary/tariff.ts'
import type { JobHandler, JobTools } from '../../catalog/vocabulary/handlers.ts'
import type { Entry } from '../../catalog/index.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import type { JobControl } from '../../jobs/control.ts'
import { ownerOfJob, type Job, type JobEnd } from '../../jobs/job.ts'
import { Deadline } from '../../lib/deadline.ts'
import { minMicros } from '../../lib/money.ts'
import { isPaymentInDoubt } from '../payments/lost-purchases.ts'
import type { CallScope, PerformDeps } from '../perform/call-scope.ts'
import { toFailure } from '../perform/outcome-error.ts'
import { toolsFor } from '../perform/perform.ts'
import { hasFileFields, storeOutputs } from '../perform/store-outputs.ts'
import { createBudget, type Budget } from './job-budget.ts'
import { toJobEnd } from './job-end.ts'
import { createJobSteps, type JobSteps, type Repeat } from './job-steps.ts'
import { runInHouseJob } from './run-in-house-job.ts'
import { runVendorJob } from './run-vendor-job.ts'

/** The part of a job's time that remains for its end when files take all the time that they may. */
const FINISH_MS = 3_000

/**
 * Does the work of a job. A vendor's job is launched and polled, and one of this machine is rendered.
 * The gateway's own actions run their handler, whose steps stay within the budget.
 */
export async function runJob(
  deps: PerformDeps,
  handlers: ReadonlyMap<string, JobHandler>,
  job: Job,
  control: JobControl,
): Promise<JobEnd> {
  const present = deps.catalog.findAction(job.service, job.action)
  // A started job keeps its price.
  const entry = {
    ...present,
    action: atTerms(present.action, (job.terms ?? null) as PriceTerms | null),
  }
  const end = await runAction(deps, handlers, entry, job, control)
  if (!hasFileFields(entry) || end.kind === 'failed') return end
  const result = await storeOutputs(end.result as Data, {
    store: deps.storeOutput,
    paid: { id: job.id, owner: ownerOfJob(job) },
    entry,
    limitMs: job.deadlineMs - deps.now() - FINISH_MS,
    stopped: control.signal,
  })
  return { ...end, result }
}

async function runAction(
  deps: PerformDeps,
  handlers: ReadonlyMap<string, JobHandler>,
  entry: Entry,
  job: Job,
  control: JobControl,
): Promise<JobEnd> {
  const { action } = entry
  if (action.kind !== 'job') return runHandler(deps, handlers, entry, job, control)
  const lane = deps.lanes.laneFor(entry, job.mode, job.input)
  return lane?.kind === 'in-house'
    ? runInHouseJob({ deps, entry, action, job, control }, lane.handler)
    : runVendorJob(deps, entry, action, job, control)
}

async function runHandler(
  deps: PerformDeps,
  handlers: ReadonlyMap<string, JobHandler>,
  entry: Entry,
  job: Job,
  control: JobControl,
): Promise<JobEnd> {
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
    now: deps.now,
    repeatOf: (step, input) => findRepeat(deps, job, step, input),
  })
  const deadline = new Deadline(Math.max(0, job.deadlineMs - deps.now()))
  try {
    const tools = jobTools(deps, { job, entry, deadline, control, budget, steps })
    const outcome = blameCancellation(
      control,
      await handler(job.input, tools).catch((error: unknown): Outcome => {
        if (error instanceof AppError) return toFailure(error)
        throw error
      }),
    )
    // At most the price of the delivered steps, even if the handler reports more.
    const charge = minMicros(
      minMicros(billable(entry.action, job.input, outcome), budget.spent()),
      job.budget,
    )
    return toJobEnd(entry, outcome, charge, steps.hops())
  } finally {
    deadline.end()
  }
}

/** A job that failed because its steps were skipped after a cancellation. A handler sees only steps without a result. */
function blameCancellation({ stopReason }: JobControl, outcome: Outcome): Outcome {
  if (outcome.kind !== 'failed' || stopReason !== 'cancelled') return outcome
  const { result, owed } = outcome
  return {
    ...failed('job_cancelled', 'The job was cancelled before it had a result.'),
    ...(result === undefined ? {} : { result }),
    ...(owed === undefined ? {} : { owed }),
  }
}

type Run = {
  readonly job: Job
  readonly entry: Entry
  readonly deadline: Deadline
  readonly control: JobControl
  readonly budget: Budget
  readonly steps: JobSteps
}

function jobTools(
  deps: PerformDeps,
  { job, entry, deadline, control, budget, steps }: Run,
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
    ...toolsFor(deps, scope, entry),
    jobId: job.id,
    timeoutMs: Math.max(0, job.deadlineMs - deps.now()),
    budget: { total: budget.total, spent: budget.spent, remaining: budget.remaining },
    waive: steps.waive,
    progress: (progress) => {
      latest = { ...progress }
    },
    stopReason: () => control.stopReason,
  }
}

/** No vendor here documents that it executes a repeated request once, so a repeated purchase can be charged twice. */
async function findRepeat(
  { lanes, database }: PerformDeps,
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
