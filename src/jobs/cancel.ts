import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import { endQueuedJob } from './finish.ts'
import { jobMessage, JOBS_CHANNEL } from './job.ts'

/**
 * Ends a job early. One that waits ends now, uncharged; one that runs is told to make no further step, delivers what
 * it has and is charged for that. Cancelling a job that has ended changes nothing.
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
