import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import type { Micros } from '../lib/money.ts'
import { jobMessage, JOBS_CHANNEL, LEASE_MS, SHORT_JOB_MS, type Job } from './job.ts'

type ClaimedRow = {
  readonly id: Id
  readonly account_id: Id
  readonly mode: Mode
  readonly wallet_id: bigint
  readonly budget_id: Id | null
  readonly service: string
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
  readonly budget_micros: Micros
  readonly created_ms: bigint
  readonly deadline_ms: bigint
  readonly attempt: number
  readonly is_cancelled: boolean
  readonly price_terms: unknown
}

/**
 * Takes up to `count` queued jobs and jobs with an expired lease, oldest first. Accounts at their
 * share get only short jobs, after those of other accounts.
 */
export async function claimJobs(
  database: Database,
  worker: Id,
  count: number,
  atShare: readonly Id[],
  nowMs: number,
): Promise<Job[]> {
  // This order sorts the whole queue, so it is used only if an account is at its share.
  const [order, name] =
    atShare.length === 0
      ? ['id', 'jobs_claim']
      : ['account_id = any($5::uuid[]), id', 'jobs_claim_shared']
  const { rows } = await database.query<ClaimedRow>(
    `update jobs set status = 'running', worker = $1, lease_until_ms = $2, attempt = attempt + 1, started_ms = coalesce(started_ms, $3)
     where id in (
       select id from jobs where status in ('queued', 'running') and (status = 'queued' or lease_until_ms < $3) and deadline_ms > $3
         and (account_id <> all($5::uuid[]) or deadline_ms <= $6)
       order by ${order} limit $4 for update skip locked
     )
     returning id, account_id, mode, wallet_id, budget_id, service, action, input, budget_micros, created_ms, deadline_ms, attempt, is_cancelled, price_terms`,
    [worker, nowMs + LEASE_MS, nowMs, count, atShare, nowMs + SHORT_JOB_MS],
    name,
  )
  return rows.map(toJob)
}

function toJob(row: ClaimedRow): Job {
  return {
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    walletId: Number(row.wallet_id),
    budgetId: row.budget_id,
    service: row.service,
    action: row.action,
    input: row.input,
    terms: row.price_terms,
    budget: row.budget_micros,
    createdMs: Number(row.created_ms),
    deadlineMs: Number(row.deadline_ms),
    attempt: row.attempt,
    isCancelled: row.is_cancelled,
  }
}

/**
 * Ends the leases of jobs that this worker will not finish, so that another one takes them
 * immediately.
 */
export async function yieldJobs(database: Database, worker: Id, ids: readonly Id[]): Promise<void> {
  for (const id of ids) {
    await database.query(
      "with left_over as (update jobs set lease_until_ms = 0 where worker = $1 and id = $2 and status = 'running' returning id) select pg_notify($3, $4) from left_over",
      [worker, id, JOBS_CHANNEL, jobMessage({ about: 'queued', id })],
    )
  }
}
