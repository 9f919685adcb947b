import { onlyMaker, type Owner } from '../../lib/owner.ts'
import type { Database } from '../../db/database.ts'
import { SERVICE } from './inbox-deps.ts'

export type InboxRecord = {
  readonly inbox_id: string
  readonly display_name: string | null
  readonly created_at: string
  /** The size of the received messages. */
  readonly bytes: number
}

type Row = Omit<InboxRecord, 'created_at' | 'bytes'> & {
  readonly created_at: Date
  readonly bytes: bigint
}

// An account has at most a thousand.
const LIST = `
  select address as inbox_id, display_name, created_at, stored_bytes as bytes
  from inboxes where account_id = $1 and ($2::uuid is null or key_id = $2)
    and exists (select 1 from vendor_references where service = $3 and not is_test
      and reference = address and vendor_references.account_id = inboxes.account_id)
  order by created_at desc, address`

/** The inboxes of this gateway that the owner created, newest first. Test keys have simulated ones, which are not listed. */
export async function listInboxes(
  database: Database,
  owner: Owner,
): Promise<readonly InboxRecord[]> {
  if (owner.mode === 'test') return []
  const { rows } = await database.query<Row>(LIST, [owner.accountId, onlyMaker(owner), SERVICE])
  return rows.map(({ created_at: createdAt, bytes, ...rest }) => ({
    ...rest,
    created_at: createdAt.toISOString(),
    bytes: Number(bytes),
  }))
}
