/** A job that this machine performs in one step. A worker that takes it over begins again, and only its own work is charged. */
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { JobAction } from '../../catalog/vocabulary/define.ts'
import type { Entry } from '../../catalog/index.ts'
import { AppError } from '../../errors/app-error.ts'
import type { JobControl } from '../../jobs/control.ts'
import { ownerOfJob, type Job, type JobEnd } from '../../jobs/job.ts'
import { Deadline } from '../../lib/deadline.ts'
import type { Micros } from '../../lib/money.ts'
import { noLane } from '../lanes/no-lane.ts'
import { askInHouse } from '../perform/ask-in-house.ts'
import type { CallScope, PerformDeps } from '../perform/call-scope.ts'
import { toFailure } from '../perform/outcome-error.ts'
import { toolsFor } from '../perform/perform.ts'
import { endInOneStep } from './job-end.ts'

type InHouseJob = {
  readonly deps: PerformDeps
  readonly entry: Entry
  readonly action: JobAction
  readonly job: Job
  readonly control: JobControl
}

export async function runInHouseJob(inHouseJob: InHouseJob, handler: string): Promise<JobEnd> {
  const { deps, entry, job, control } = inHouseJob
  const deadline = new Deadline(Math.max(0, job.deadlineMs - deps.now()))
  const expire = (): void => deadline.expire()
  control.signal.addEventListener('abort', expire, { once: true })
  void control.stopped.then(expire)
  try {
    const outcome = await perform(inHouseJob, handler, deadline)
    return endInOneStep(deps.now(), entry, job, outcome)
  } finally {
    control.signal.removeEventListener('abort', expire)
    deadline.end()
  }
}

async function perform(
  { deps, entry, action, job, control }: InHouseJob,
  name: string,
  deadline: Deadline,
): Promise<Outcome> {
  const scope: CallScope = { owner: ownerOfJob(job), deadline, vendorKey: job.id, hops: [] }
  const handler = deps.inHouse.get(name)
  if (handler === undefined) return noLane(entry, job.input)
  try {
    if (control.stopReason !== null) return stopped(control.stopReason)
    const work = { deps, scope, entry, input: job.input }
    return await askInHouse(handler, work, action, toolsFor(deps, scope, entry))
  } catch (error) {
    const owed = error instanceof AppError ? error.owed : 0n
    if (control.stopReason !== null) return stopped(control.stopReason, owed)
    if (error instanceof AppError) return toFailure(error)
    throw error
  }
}

function stopped(reason: NonNullable<JobControl['stopReason']>, owed: Micros = 0n): Outcome {
  const [code, what] =
    reason === 'cancelled'
      ? (['job_cancelled', 'The job was cancelled before it ended.'] as const)
      : (['job_deadline', 'The job did not finish before its deadline.'] as const)
  return { ...failed(code, what), owed }
}
