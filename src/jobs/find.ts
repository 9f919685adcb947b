import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import { onlyMaker, type Owner } from '../lib/owner.ts'
import type { FailureFacts, JobFailure, JobStatus } from './job.ts'

/** A job as its account sees it. */
export type JobView = {
  readonly id: Id
  readonly service: string
  readonly action: string
  readonly status: JobStatus
  readonly attempt: number
  readonly createdMs: number
  readonly startedMs: number | null
  readonly deadlineMs: number
  readonly finishedMs: number | null
  readonly budget: Micros
  readonly spent: Micros
  readonly charged: Micros
  readonly isCancelled: boolean
  readonly progress: Readonly<Record<string, number>> | null
  readonly result: unknown
  readonly error: JobFailure | null
}

type JobRow = {
  readonly id: Id
  readonly service: string
  readonly action: string
  readonly status: JobStatus
  readonly attempt: number
  readonly created_ms: bigint
  readonly started_ms: bigint | null
  readonly deadline_ms: bigint
  readonly finished_ms: bigint | null
  readonly budget_micros: Micros
  readonly spent_micros: Micros
  readonly charged_micros: Micros
  readonly is_cancelled: boolean
  readonly progress: Readonly<Record<string, number>> | null
  readonly result: unknown
  readonly error_code: string | null
  readonly error_message: string | null
  readonly error_facts: FailureFacts | null
}

/** Undefined when the job does not exist or belongs to another owner, without a difference. */
export async function findJob(
  database: Database,
  owner: Owner,
  id: Id,
): Promise<JobView | undefined> {
  const { rows } = await database.query<JobRow>(
    `select id, service, action, status, attempt, created_ms, started_ms, deadline_ms, finished_ms, budget_micros, spent_micros, charged_micros, is_cancelled, progress, result, error_code, error_message, error_facts
     from jobs where id = $1 and account_id = $2 and mode = $3 and ($4::uuid is null or budget_id = $4)`,
    [id, owner.accountId, owner.mode, onlyMaker(owner)],
    'job_find',
  )
  const [row] = rows
  return row === undefined ? undefined : toView(row)
}

function toView(row: JobRow): JobView {
  return {
    id: row.id,
    service: row.service,
    action: row.action,
    status: row.status,
    attempt: row.attempt,
    createdMs: Number(row.created_ms),
    startedMs: row.started_ms === null ? null : Number(row.started_ms),
    deadlineMs: Number(row.deadline_ms),
    finishedMs: row.finished_ms === null ? null : Number(row.finished_ms),
    budget: row.budget_micros,
    spent: row.spent_micros,
    charged: row.charged_micros,
    isCancelled: row.is_cancelled,
    progress: row.progress,
    result: row.result,
    error:
      row.error_code === null
        ? null
        : { code: row.error_code, message: row.error_message ?? '', ...row.error_facts },
  }
}
