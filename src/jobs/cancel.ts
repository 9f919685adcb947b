import type { Database, Transaction } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import { endQueuedJob } from './finish.ts'
import { jobMessage, JOBS_CHANNEL } from './job.ts'

const CANCELLED = {
  kind: 'failed',
  code: 'job_cancelled',
  message: 'The job was cancelled before it began.',
  hops: null,
} as const

/**
 * Ends a job early. A queued job ends now, uncharged. A running job begins no further step,
 * delivers its results so far and is charged for them. A job that has ended does not change.
 * `alongside` runs in the same transaction if the job changes. Returns whether it did.
 */
export async function cancelJob(
  database: Pick<Database, 'transaction'>,
  id: Id,
  nowMs: number,
  alongside?: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const changes =
      (await endQueuedJob(tx, id, CANCELLED, nowMs)) || (await cancelRunningJob(tx, id))
    if (changes) await alongside?.(tx)
    return changes
  })
}

async function cancelRunningJob({ query }: Transaction, id: Id): Promise<boolean> {
  const { rows } = await query<{ was_cancelled: boolean }>(
    `with present as (select id, is_cancelled from jobs where id = $1 and status in ('queued', 'running') for no key update)
     update jobs set is_cancelled = true from present where jobs.id = present.id returning present.is_cancelled as was_cancelled`,
    [id],
  )
  const [job] = rows
  if (job === undefined) return false
  await query('select pg_notify($1, $2)', [JOBS_CHANNEL, jobMessage({ about: 'cancelled', id })])
  return !job.was_cancelled
}
