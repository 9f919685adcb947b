/** `core/result` and `core/cancel`: what an account may see of its jobs, and how it ends them early. Both are free. */
import { AppError } from '../../errors/app-error.ts'
import { errorCatalog, type ErrorCode, type ErrorSpec } from '../../errors/catalog.ts'
import type { CallTools, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import type { Database } from '../../db/database.ts'
import { cancelJob } from '../../jobs/cancel.ts'
import type { JobEnds } from '../../jobs/ends.ts'
import { findJob, type JobView } from '../../jobs/find.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'

export function resultHandler(database: Database, ends: JobEnds): LocalHandler {
  return async (input, tools) => {
    const waitMs = Number(input['wait_s'] ?? 0) * 1000
    const id = jobIdOf(input)
    // Listening begins before the look, so that an end between the two is not missed.
    const ended = waitMs > 0 ? ends.waitFor(id, waitMs, tools.signal) : null
    const job = await jobOf(database, tools, id)
    if (ended === null || job.finishedMs !== null) {
      ended?.giveUp()
      return done(shown(job))
    }
    await ended.promise
    return done(shown(await jobOf(database, tools, id)))
  }
}

export function cancelHandler(database: Database): LocalHandler {
  return async (input, tools) => {
    const { id } = await jobOf(database, tools, jobIdOf(input))
    await cancelJob(database, id, tools.now())
    return done(shown(await jobOf(database, tools, id)))
  }
}

function jobIdOf(input: Data): Id {
  const id = parsePublicId('job', String(input['job_id']))
  if (id === null) throw unknownJob()
  return id
}

async function jobOf(database: Database, owner: CallTools, id: Id): Promise<JobView> {
  const job = await findJob(database, owner, id)
  if (job === undefined) throw unknownJob()
  return job
}

function unknownJob(): AppError {
  return new AppError('unknown_job', undefined, { param: 'job_id' })
}

function shown(job: JobView): Data {
  return {
    ok: job.status !== 'failed',
    job_id: publicId('job', job.id),
    service: job.service,
    action: job.action,
    status: job.status,
    ...(job.isCancelled ? { cancelled: true } : {}),
    attempt: job.attempt,
    created_at: toRfc3339(job.createdMs),
    started_at: timeOf(job.startedMs),
    finished_at: timeOf(job.finishedMs),
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

/** Whoever polls has no Retry-After, and the same request would poll again, or with its Idempotency-Key be told of this job. */
const SUBMIT_AGAIN =
  'Submit the job again later, with a new Idempotency-Key if it had one; nothing was charged.'

// The codes are those of all errors; one that a later version dropped stands without the general advice.
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

function timeOf(ms: number | null): string | null {
  return ms === null ? null : toRfc3339(ms)
}
