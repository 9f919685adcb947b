import type { Database } from '../../db/database.ts'
import { SERVICE } from './inbox-deps.ts'
import type { InboxRow } from './create-inbox.ts'

export type FoundInbox = InboxRow & {
  readonly stored_bytes: bigint
  /** Of all inboxes of the account. */
  readonly account_bytes: bigint
}

// The exact address comes first.
const FIND = `
  select inboxes.*, (select sum(stored_bytes)::bigint from inboxes as own
      where own.account_id = inboxes.account_id) as account_bytes
  from inboxes
  where address = any($1)
    and exists (select 1 from vendor_references where service = $2 and not is_test
      and reference = address and vendor_references.account_id = inboxes.account_id)
    and exists (select 1 from keys join budgets on budgets.id = keys.id
      where keys.account_id = inboxes.account_id and state <> 'closed')
  order by array_position($1, address) limit 1`

/**
 * The inbox of a recipient; messages to name+tag reach the inbox "name". Null for an unknown one,
 * and when all keys of its account are revoked.
 */
export async function findInbox(database: Database, recipient: string): Promise<FoundInbox | null> {
  const [name = '', domain = ''] = recipient.toLowerCase().split('@')
  const { rows } = await database.query<FoundInbox>(
    FIND,
    [[`${name}@${domain}`, `${name.replace(/\+.*$/, '')}@${domain}`], SERVICE],
    'find_inbox',
  )
  return rows[0] ?? null
}
