import type { Job, StartedJob } from './job-types.ts'
import type { Result } from './result.ts'
import { TollgateError } from './tollgate-error.ts'
import type { CallOptions } from './transport.ts'

/** The result of a call that started a job, its `data`, or the id of a job. */
export type JobLike<Answer> = Result<StartedJob<Answer>> | StartedJob<Answer> | string

export type WatchOptions = Pick<CallOptions, 'signal'> & {
  /** Seconds between two states of a running job, at most 60. Default: 5. */
  readonly everyS?: number
}

type ReadJob = (
  input: { readonly job_id: string; readonly wait_s: number },
  options: CallOptions,
) => Promise<Result<Job>>

const EVERY_S = 5
const LONGEST_WAIT_S = 30

/** The states of a job until its end. Reading them is free. */
export async function* watchJob<Answer>(
  read: ReadJob,
  job: JobLike<Answer>,
  { signal, everyS = EVERY_S }: WatchOptions,
): AsyncGenerator<Job<Answer>, void, void> {
  for (let waitS = 0; ; waitS = everyS) {
    const { data } = await read(
      { job_id: idOf(job), wait_s: waitS },
      signal === undefined ? {} : { signal },
    )
    yield data as Job<Answer>
    if (data.finished_at !== null) return
  }
}

/** The finished job. Throws TollgateError with the code of a failed job. */
export async function waitForJob<Answer>(
  read: ReadJob,
  job: JobLike<Answer>,
  options: WatchOptions,
): Promise<Job<Answer> & { readonly result: Answer }> {
  for await (const state of watchJob(read, job, { everyS: LONGEST_WAIT_S, ...options })) {
    if (state.finished_at === null) continue
    if (state.status === 'succeeded') return state as Job<Answer> & { readonly result: Answer }
    throw failureOf(state)
  }
  throw new RangeError('A watched job ends.')
}

function failureOf({ job_id: id, error, charged_micros: chargedMicros }: Job): TollgateError {
  return new TollgateError({
    code: error?.code ?? 'job_failed',
    message: `The job ${id} failed: ${error?.message ?? 'without a reason.'}`,
    fix: error?.fix ?? 'Submit the job again.',
    retryable: error?.retryable ?? false,
    details: { ...error?.details, job_id: id },
    chargedMicros,
  })
}

function idOf(job: JobLike<unknown>): string {
  if (typeof job === 'string') return job
  return 'job_id' in job ? job.job_id : job.data.job_id
}
