import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { HoldRequest, HoldVerdict } from '../ledger/hold.ts'
import { holdWithin } from '../ledger/within-transaction.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import { jobMessage, JOBS_CHANNEL, MOST_DEEP_JOBS } from './job.ts'

export type Submission = {
  /** The hold has the job's id, and its amount is the job's budget. */
  readonly hold: HoldRequest
  readonly accountId: Id
  readonly mode: Mode
  readonly input: Readonly<Record<string, unknown>>
  /** The operator's price terms, which later changes do not replace. Null for the list price. */
  readonly terms?: object | null
  readonly isDeep: boolean
  /** Unix milliseconds. The job has ended by then. */
  readonly deadlineMs: number
  /** Receives the event of the job's end, also without a registered webhook. */
  readonly webhookUrl?: string | null
  /** The answer to a repeated request, stored if the hold claims an idempotency key. */
  readonly answer: { readonly status: number; readonly body: string }
}

const RETRY_AFTER_SECONDS = 10
const UNFINISHED = "status in ('queued', 'running')"

/**
 * Holds the budget and enqueues the job in one commit. Returns the ledger's verdict; there is a job
 * only if it is "opened". Throws AppError too_many_inflight at the limit of deep jobs. The hold
 * locks the wallet during the count, so concurrent submissions are counted one after another.
 */
export async function submitJob(
  database: Database,
  submission: Submission,
  nowMs: number,
): Promise<HoldVerdict> {
  const { hold } = submission
  try {
    await database.transaction(async (tx) => {
      const verdict = await holdWithin(tx, hold, nowMs)
      if (verdict !== 'opened') throw new NotOpened(verdict)
      if (submission.isDeep) {
        const { rows } = await tx.query<{ count: bigint }>(
          `select count(*) from jobs where wallet_id = $1 and is_deep and ${UNFINISHED}`,
          [hold.walletId],
        )
        if (Number(rows[0]?.count ?? 0) >= MOST_DEEP_JOBS) throw tooManyDeepJobs()
      }
      await tx.query(
        `insert into jobs (id, account_id, mode, wallet_id, budget_id, service, action, input, budget_micros, is_deep, created_ms, deadline_ms, webhook_url, price_terms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          hold.id,
          submission.accountId,
          submission.mode,
          hold.walletId,
          hold.budgetId,
          hold.service,
          hold.action,
          JSON.stringify(submission.input),
          hold.amount,
          submission.isDeep,
          nowMs,
          submission.deadlineMs,
          submission.webhookUrl ?? null,
          submission.terms == null ? null : JSON.stringify(submission.terms),
        ],
      )
      if (hold.claim !== null)
        await tx.query('update answers set status = $2, body = $3 where call_id = $1', [
          hold.id,
          submission.answer.status,
          submission.answer.body,
        ])
      await tx.query('select pg_notify($1, $2)', [
        JOBS_CHANNEL,
        jobMessage({ about: 'queued', id: hold.id }),
      ])
    })
    return 'opened'
  } catch (error) {
    if (error instanceof NotOpened) return error.verdict
    throw error
  }
}

/** Rolls the transaction back. */
class NotOpened extends Error {
  readonly verdict: HoldVerdict
  constructor(verdict: HoldVerdict) {
    super(verdict)
    this.verdict = verdict
  }
}

function tooManyDeepJobs(): AppError {
  return new AppError(
    'too_many_inflight',
    `This account already has ${MOST_DEEP_JOBS} deep jobs in progress. Nothing was held.`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      details: { running: MOST_DEEP_JOBS, most: MOST_DEEP_JOBS },
    },
  )
}
