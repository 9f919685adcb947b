/** The vendor's id of a job that a vendor does. */
import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import { onlyMaker, type Owner } from '../lib/owner.ts'

/** The reference is null before the vendor accepted the job, and if it never did. */
export type JobReference = { readonly reference: string | null; readonly hasEnded: boolean }

/** Undefined when the owner has no such job of that service. */
export async function readJobReference(
  database: Database,
  owner: Owner,
  service: string,
  id: Id,
): Promise<JobReference | undefined> {
  const { rows } = await database.query<{ reference: string | null; has_ended: boolean }>(
    'select vendor_reference as reference, finished_ms is not null as has_ended from jobs where id = $1 and account_id = $2 and mode = $3 and service = $4 and ($5::uuid is null or budget_id = $5)',
    [id, owner.accountId, owner.mode, service, onlyMaker(owner)],
    'job_reference',
  )
  const [row] = rows
  return row === undefined ? undefined : { reference: row.reference, hasEnded: row.has_ended }
}

export async function storeJobReference(
  database: Database,
  id: Id,
  reference: string,
): Promise<void> {
  await database.query('update jobs set vendor_reference = $2 where id = $1', [id, reference])
}
