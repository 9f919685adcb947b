import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import { endQueuedJob } from './finish.ts'
import { jobMessage, JOBS_CHANNEL } from './job.ts'

/**
 * Ends a job early. A queued job ends now, uncharged. A running job begins no further step,
 * delivers its results so far and is charged for them. A job that has ended does not change.
 */
export async function cancelJob(database: Database, id: Id, nowMs: number): Promise<void> {
  const cancelled = {
    kind: 'failed',
    code: 'job_cancelled',
    message: 'The job was cancelled before it began.',
    hops: null,
  } as const
  if (await endQueuedJob(database, id, cancelled, nowMs)) return
  const { count } = await database.query(
    "update jobs set is_cancelled = true where id = $1 and status in ('queued', 'running')",
    [id],
  )
  if (count > 0)
    await database.query('select pg_notify($1, $2)', [
      JOBS_CHANNEL,
      jobMessage({ about: 'cancelled', id }),
    ])
}
