/**
 * The steps of a job. Each is recorded before it begins, and again with its result, so a later
 * worker sees which steps are complete and which one was interrupted.
 */
import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'

export type StepName = string

export type KnownStep = {
  readonly vendorKey: Id
  /** The stored result. Null for an interrupted step. */
  readonly invocation: unknown
}

/** The steps of earlier workers. */
export async function readSteps(database: Database, jobId: Id): Promise<Map<StepName, KnownStep>> {
  const { rows } = await database.query<{ name: Buffer; idempotency_key: Id; invocation: unknown }>(
    'select name, idempotency_key, invocation from job_steps where job_id = $1',
    [jobId],
    'job_steps',
  )
  return new Map(
    rows.map(({ name, idempotency_key, invocation }) => [
      name.toString('hex'),
      { vendorKey: idempotency_key, invocation },
    ]),
  )
}

/**
 * Records that the step is about to begin, with the key for its vendor. Repeating it with the same
 * key changes nothing. Returns false when the job belongs to another worker: the step must not
 * begin. The share lock on the job's row prevents another worker from taking the job meanwhile.
 */
export async function beginStep(
  database: Database,
  worker: Id,
  jobId: Id,
  name: StepName,
  vendorKey: Id,
): Promise<boolean> {
  const { count } = await database.query(
    `insert into job_steps (job_id, name, idempotency_key)
     select id, decode($3, 'hex'), $4 from jobs where id = $1 and worker = $2 and status = 'running' for share
     on conflict (job_id, name) do update set idempotency_key = excluded.idempotency_key where job_steps.idempotency_key = excluded.idempotency_key`,
    [jobId, worker, name, vendorKey],
    'job_step_begin',
  )
  return count > 0
}

/** An interrupted step is repeated this often. Its job may be what kills its workers. */
export const MOST_REPEATS = 3

/**
 * Records the repeat of an interrupted step. `spent`: it was repeated too often. `lost`: the job
 * belongs to another worker. Locks the job's row as `beginStep` does.
 */
export async function repeatStep(
  database: Database,
  worker: Id,
  jobId: Id,
  name: StepName,
): Promise<'again' | 'spent' | 'lost'> {
  const { rows } = await database.query<{ is_mine: boolean; is_again: boolean }>(
    `with mine as materialized (select id from jobs where id = $1 and worker = $2 and status = 'running' for share),
     again as (update job_steps set repeats = repeats + 1 from mine where job_id = mine.id and name = decode($3, 'hex') and repeats < $4 returning 1)
     select exists (select from mine) as is_mine, exists (select from again) as is_again`,
    [jobId, worker, name, MOST_REPEATS],
    'job_step_repeat',
  )
  const [row] = rows
  if (row?.is_mine !== true) return 'lost'
  return row.is_again ? 'again' : 'spent'
}

/** Stores the result of the step. The first write wins. */
export async function finishStep(
  database: Database,
  jobId: Id,
  name: StepName,
  invocation: unknown,
): Promise<void> {
  await database.query(
    "update job_steps set invocation = $3 where job_id = $1 and name = decode($2, 'hex') and invocation is null",
    [jobId, name, JSON.stringify(invocation)],
    'job_step_finish',
  )
}
