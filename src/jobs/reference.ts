/** What a vendor calls a job that it does. */
import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { JobOwner } from './find.ts'

/** Null before it took the job, and for good when the job has ended without it. */
export type JobReference = { readonly reference: string | null; readonly hasEnded: boolean }

/** Undefined when the account has no such job of that service. */
export async function referenceOfJob(database: Database, { accountId, mode }: JobOwner, service: string, id: Id): Promise<JobReference | undefined> {
  const { rows } = await database.query<{ reference: string | null; has_ended: boolean }>(
    'select vendor_reference as reference, finished_ms is not null as has_ended from jobs where id = $1 and account_id = $2 and mode = $3 and service = $4',
    [id, accountId, mode, service],
    'job_reference',
  )
  const [row] = rows
  return row === undefined ? undefined : { reference: row.reference, hasEnded: row.has_ended }
}

/** Keeps what the vendor calls the job. */
export async function keepReference(database: Database, id: Id, reference: string): Promise<void> {
  await database.query('update jobs set vendor_reference = $2 where id = $1', [id, reference])
}
