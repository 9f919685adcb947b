import type { Database, Transaction } from '../db/database.ts'
import { resolveWithin } from '../ledger/within-transaction.ts'
import type { Id } from '../lib/ids.ts'
import {
  jobMessage,
  JOBS_CHANNEL,
  RESULT_RETENTION_MS,
  type Job,
  type JobEnd,
  type JobFailure,
} from './job.ts'

/** Longer details are dropped. */
const MOST_DETAILS_CHARACTERS = 4_000

type Ending = Pick<Job, 'id' | 'walletId' | 'budgetId' | 'createdMs'>

/**
 * Ends a job: result, charge and release in one commit. Returns the recorded end, or null when the
 * job belongs to another worker: nothing is recorded or charged then. A job whose hold was swept
 * after the deadline fails uncharged.
 */
export async function finishJob(
  database: Database,
  worker: Id,
  job: Ending,
  end: JobEnd,
  nowMs: number,
): Promise<JobEnd | null> {
  return database.transaction(async (tx) => {
    const { count } = await tx.query(
      "select from jobs where id = $1 and worker = $2 and status = 'running' for no key update",
      [job.id, worker],
    )
    if (count === 0) return null
    return writeEnd(tx, job, end, nowMs)
  })
}

const OVERDUE = {
  code: 'job_deadline',
  message: 'The job did not finish before its deadline. Nothing was charged.',
}
const STILL_AT_VENDOR = {
  code: 'order_unknown',
  message:
    'The job did not finish before its deadline, and the vendor may still work on it. Nothing was charged.',
}

/**
 * Ends jobs without a worker whose deadline has passed. Returns their number. A vendor may still do a
 * job that it accepted, so that one is not retryable.
 */
export async function endOverdueJobs(database: Database, nowMs: number): Promise<number> {
  let ended = 0
  for (;;) {
    const isOne = await database.transaction(async (tx) => {
      const job = await lockJobWhere(
        tx,
        "deadline_ms <= $1 and (status = 'queued' or lease_until_ms < $1)",
        [nowMs],
      )
      if (job === undefined) return false
      await writeEnd(
        tx,
        job,
        {
          kind: 'failed',
          ...(job.isAtVendor ? STILL_AT_VENDOR : OVERDUE),
          hops: null,
        },
        nowMs,
      )
      return true
    })
    if (!isOne) return ended
    ended += 1
  }
}

/** Ends a job that no worker has taken. Returns false if it is not queued. */
export async function endQueuedJob(
  tx: Transaction,
  jobId: Id,
  end: JobEnd,
  nowMs: number,
): Promise<boolean> {
  const job = await lockJobWhere(tx, "id = $1 and status = 'queued'", [jobId])
  if (job === undefined) return false
  await writeEnd(tx, job, end, nowMs)
  return true
}

async function lockJobWhere(
  tx: Transaction,
  condition: string,
  values: readonly (string | number)[],
): Promise<(Ending & { readonly isAtVendor: boolean }) | undefined> {
  const { rows } = await tx.query<{
    id: Id
    wallet_id: bigint
    budget_id: Id | null
    created_ms: bigint
    is_at_vendor: boolean
  }>(
    `select id, wallet_id, budget_id, created_ms, vendor_reference is not null as is_at_vendor from jobs where status in ('queued', 'running') and ${condition} order by id limit 1 for no key update skip locked`,
    values,
  )
  const [row] = rows
  return row === undefined
    ? undefined
    : {
        id: row.id,
        walletId: Number(row.wallet_id),
        budgetId: row.budget_id,
        createdMs: Number(row.created_ms),
        isAtVendor: row.is_at_vendor,
      }
}

async function writeEnd(
  tx: Transaction,
  job: Ending,
  wanted: JobEnd,
  nowMs: number,
): Promise<JobEnd> {
  const isSucceeded = wanted.kind === 'succeeded'
  const owed = wanted.charge ?? 0n
  const { verdict } = await resolveWithin(
    tx,
    {
      hold: { id: job.id, walletId: job.walletId, budgetId: job.budgetId, kind: 'job' },
      charge: owed,
      latencyMs: nowMs - job.createdMs,
      errorCode: isSucceeded || owed > 0n ? null : wanted.code,
      hops: wanted.hops,
    },
    nowMs,
  )
  const end: JobEnd =
    verdict === 'gone' && isSucceeded
      ? {
          kind: 'failed',
          code: 'job_deadline',
          message: 'The job finished after its deadline. Nothing was charged.',
          hops: null,
        }
      : wanted
  const result = end.result === undefined ? null : JSON.stringify(end.result)
  const error = end.kind === 'failed' ? end : null
  const charge = verdict === 'gone' ? 0n : owed
  await tx.query(
    `update jobs set status = $2, finished_ms = $3, result = $4, charged_micros = $5, spent_micros = $5, error_code = $6, error_message = $7, error_facts = $8, worker = null, lease_until_ms = null
     where id = $1`,
    [
      job.id,
      end.kind,
      nowMs,
      result,
      charge,
      error?.code ?? null,
      error === null ? null : withoutZeroBytes(error.message),
      error === null ? null : encodeFacts(error),
    ],
  )
  await tx.query('delete from job_steps where job_id = $1', [job.id])
  await tx.query('select pg_notify($1, $2)', [
    JOBS_CHANNEL,
    jobMessage({ about: 'ended', id: job.id }),
  ])
  return end
}

/** Without zero bytes, which PostgreSQL cannot store. Messages of vendors can contain them. */
function withoutZeroBytes(message: string): string {
  return message.replaceAll('\0', '')
}

function encodeFacts({ fix, param, details }: JobFailure): string | null {
  const isSmall = details !== undefined && JSON.stringify(details).length <= MOST_DETAILS_CHARACTERS
  const facts = {
    ...(fix === undefined ? {} : { fix }),
    ...(param === undefined ? {} : { param }),
    ...(isSmall ? { details } : {}),
  }
  return Object.keys(facts).length === 0 ? null : JSON.stringify(facts)
}

/** Deletes jobs after the retention time of their results. Returns their number. */
export async function deleteOldJobs(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    'delete from jobs where id in (select id from jobs where finished_ms < $1 limit 1000)',
    [nowMs - RESULT_RETENTION_MS],
  )
  return count
}
