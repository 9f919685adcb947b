import type { Database } from '../db/database.ts'
import { findJob, type JobView } from '../jobs/find.ts'
import type { JobFailure, JobStatus } from '../jobs/job.ts'
import { toRfc3339 } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import type { Owner } from '../lib/owner.ts'
import { paymentsOf, type PaymentRecord } from './payments/queue.ts'

/** An answer that a repeated request would get: of a request with an Idempotency-Key, and of actions whose answers are read again. */
export type KeptAnswer = {
  readonly status: number
  readonly bytes: number
  readonly kept_until: string
}

export type JobOfCall = {
  readonly status: JobStatus
  readonly attempt: number
  readonly cancelled: boolean
  readonly error: JobFailure | null
}

export type KeptOfCall = {
  readonly job: JobOfCall | null
  readonly answer: KeptAnswer | null
  readonly payments: readonly PaymentRecord[]
}

/** What is still there of a call beside its transaction, for operators. Answers and results themselves are their caller's. */
export async function keptOfCall(database: Database, owner: Owner, id: Id): Promise<KeptOfCall> {
  const [job, { rows }, payments] = await Promise.all([
    findJob(database, owner, id),
    database.query<{ status: number; bytes: number; expires_ms: bigint }>(
      'select status, octet_length(body) as bytes, expires_ms from answers where call_id = $1 and body is not null',
      [id],
    ),
    paymentsOf(database, id),
  ])
  const [kept] = rows
  return {
    job: job === undefined ? null : jobOf(job),
    answer:
      kept === undefined
        ? null
        : {
            status: kept.status,
            bytes: kept.bytes,
            kept_until: toRfc3339(Number(kept.expires_ms)),
          },
    payments,
  }
}

function jobOf({ status, attempt, isCancelled, error }: JobView): JobOfCall {
  return { status, attempt, cancelled: isCancelled, error }
}
