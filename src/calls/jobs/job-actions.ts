/** `core/result` and `core/cancel`: an account's view of its jobs, and their early end. Both are free. */
import type { CallTools, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import type { Database } from '../../db/database.ts'
import { mayAct } from '../../db/may-act.ts'
import { AppError } from '../../errors/app-error.ts'
import { errorCatalog, type ErrorCode, type ErrorSpec } from '../../errors/catalog.ts'
import { cancelJob } from '../../jobs/cancel.ts'
import { RESULT_RETENTION_MS } from '../../jobs/job.ts'
import type { JobWaiters } from '../../jobs/waiters.ts'
import { findJob, type JobView } from '../../jobs/find.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'

/** How long a job and its result can be read. */
export const JOB_STORED_MS = RESULT_RETENTION_MS

export function resultHandler(database: Database, ends: JobWaiters): LocalHandler {
  return async (input, tools) => {
    const waitMs = Number(input['wait_s'] ?? 0) * 1000
    const id = readJobId(input)
    // Listen before the query, so that an end between the two is not missed.
    const ended = waitMs > 0 ? ends.waitFor(id, waitMs, tools.signal) : null
    const job = await readJob(database, tools, id)
    if (ended === null || job.finishedMs !== null) {
      ended?.giveUp()
      return done(toData(job))
    }
    await ended.promise
    await requireCaller(database, tools)
    return done(toData(await readJob(database, tools, id)))
  }
}

const MAY_READ = `select ${mayAct({ account: '$1::uuid', key: '$2::uuid', nowMs: '$3::bigint', isFree: true })} as may_read`

/** Throws AppError invalid_token if the key was revoked or the account paused while the caller waited. */
async function requireCaller(
  { query }: Pick<Database, 'query'>,
  { accountId, keyId, now }: CallTools,
): Promise<void> {
  const { rows } = await query<{ may_read: boolean }>(MAY_READ, [accountId, keyId, now()])
  if (rows[0]?.may_read !== true)
    throw new AppError(
      'invalid_token',
      'The key was revoked or has expired, or its account is paused.',
    )
}

export function cancelHandler(database: Database): LocalHandler {
  return async (input, tools) => {
    const { id } = await readJob(database, tools, readJobId(input))
    await cancelJob(database, id, tools.now())
    return done(toData(await readJob(database, tools, id)))
  }
}

function readJobId(input: Data): Id {
  const id = parsePublicId('job', String(input['job_id']))
  if (id === null) throw unknownJob()
  return id
}

async function readJob(database: Database, owner: CallTools, id: Id): Promise<JobView> {
  const job = await findJob(database, owner, id)
  if (job === undefined) throw unknownJob()
  return job
}

function unknownJob(): AppError {
  return new AppError('unknown_job', undefined, { param: 'job_id' })
}

function toData(job: JobView): Data {
  return {
    ok: job.status !== 'failed',
    job_id: publicId('job', job.id),
    service: job.service,
    action: job.action,
    status: job.status,
    ...(job.isCancelled ? { cancelled: true } : {}),
    attempt: job.attempt,
    created_at: toRfc3339(job.createdMs),
    started_at: formatTime(job.startedMs),
    finished_at: formatTime(job.finishedMs),
    deadline_at: toRfc3339(job.deadlineMs),
    charged_cents: toCentsRoundedUp(job.charged),
    charged_micros: Number(job.charged),
    budget_cents: toCentsRoundedUp(job.budget),
    ...(job.finishedMs === null
      ? {
          progress: {
            ...job.progress,
            spent_cents: toCentsRoundedUp(job.spent),
            spent_micros: Number(job.spent),
          },
        }
      : {}),
    ...(job.result === null ? {} : { result: job.result }),
    ...(job.error === null ? {} : { error: withAdvice(job.error) }),
  }
}

/** A poll response has no Retry-After header. The same request would poll again, and the same Idempotency-Key would return this job. */
const SUBMIT_AGAIN =
  'Submit the job again later, with a new Idempotency-Key if it had one; nothing was charged.'

// An old job may have an error code that no longer exists. It has no general advice.
function withAdvice({ code, message, param, fix, details }: NonNullable<JobView['error']>): Data {
  const spec: ErrorSpec | undefined = Object.hasOwn(errorCatalog, code)
    ? errorCatalog[code as ErrorCode]
    : undefined
  const isGeneral = fix === undefined || fix === spec?.fix
  const advice = isGeneral && spec?.retryable === true ? SUBMIT_AGAIN : (fix ?? spec?.fix)
  return {
    code,
    message,
    ...(param === undefined ? {} : { param }),
    ...(advice === undefined ? {} : { fix: advice }),
    ...(spec === undefined ? {} : { retryable: spec.retryable }),
    ...(details === undefined ? {} : { details }),
  }
}

function formatTime(ms: number | null): string | null {
  return ms === null ? null : toRfc3339(ms)
}
