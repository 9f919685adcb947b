import type { Database } from '../db/database.ts'
import { findJob, type JobView } from '../jobs/find.ts'
import type { JobFailure, JobStatus } from '../jobs/job.ts'
import { toRfc3339 } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import type { Owner } from '../lib/owner.ts'
import { readPayments, type PaymentRecord } from './payments/queue.ts'

/** The stored answer of a call with an Idempotency-Key, or of an action whose answers can be read again. */
export type AnswerRecord = {
  readonly status: number
  readonly bytes: number
  readonly kept_until: string
}

export type JobRecord = {
  readonly status: JobStatus
  readonly attempt: number
  readonly cancelled: boolean
  readonly error: JobFailure | null
}

export type CallArtifacts = {
  readonly job: JobRecord | null
  readonly answer: AnswerRecord | null
  readonly payments: readonly PaymentRecord[]
}

/** Records of a call in addition to its transaction, for operators. They contain no answers or results, which are the caller's. */
export async function readCallArtifacts(
  database: Database,
  owner: Owner,
  id: Id,
): Promise<CallArtifacts> {
  const [job, { rows }, payments] = await Promise.all([
    findJob(database, owner, id),
    database.query<{ status: number; bytes: number; expires_ms: bigint }>(
      'select status, octet_length(body) as bytes, expires_ms from answers where call_id = $1 and body is not null',
      [id],
    ),
    readPayments(database, id),
  ])
  const [answer] = rows
  return {
    job: job === undefined ? null : toJobRecord(job),
    answer:
      answer === undefined
        ? null
        : {
            status: answer.status,
            bytes: answer.bytes,
            kept_until: toRfc3339(Number(answer.expires_ms)),
          },
    payments,
  }
}

function toJobRecord({ status, attempt, isCancelled, error }: JobView): JobRecord {
  return { status, attempt, cancelled: isCancelled, error }
}
