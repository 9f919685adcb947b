import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import { LEASE_MS, type JobProgressReport } from './job.ts'

export type Beat = { readonly id: Id; readonly isCancelled: boolean }

/**
 * Renews the leases of this worker's jobs and stores their progress. A job that is missing in the
 * result belongs to another worker now, and this worker's further results for it are ignored.
 */
export async function beat(
  database: Database,
  worker: Id,
  reports: ReadonlyMap<Id, JobProgressReport>,
  nowMs: number,
): Promise<Beat[]> {
  const ids = [...reports.keys()]
  const values = [...reports.values()]
  const { rows } = await database.query<{ id: Id; is_cancelled: boolean }>(
    `update jobs set lease_until_ms = $2, progress = coalesce(report.progress::json, jobs.progress), spent_micros = report.spent
     from unnest($3::uuid[], $4::text[], $5::bigint[]) as report(id, progress, spent)
     where jobs.id = report.id and worker = $1 and status = 'running'
     returning jobs.id, is_cancelled`,
    [
      worker,
      nowMs + LEASE_MS,
      ids,
      values.map(({ progress }) => (progress === null ? null : JSON.stringify(progress))),
      values.map(({ spent }) => spent),
    ],
    'jobs_beat',
  )
  return rows.map(({ id, is_cancelled }) => ({ id, isCancelled: is_cancelled }))
}
