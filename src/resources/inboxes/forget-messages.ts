import type { Database } from '../../db/database.ts'

const BATCH = 1_000

// Attached files expire with the message (`store-message.ts`).
const FORGET = `
  with gone as (
    delete from inbox_messages where id in (
      select id from inbox_messages where created_at < $1 order by created_at limit ${BATCH} for update skip locked)
    returning inbox, status, size_bytes),
  freed as (select inbox, sum(size_bytes) as bytes from gone where status = 'received' group by inbox)
  update inboxes set stored_bytes = greatest(0, stored_bytes - freed.bytes) from freed where address = freed.inbox`

/** Deletes messages older than the retention. */
export async function forgetMessages(
  database: Database,
  { nowMs, retentionMs }: { readonly nowMs: number; readonly retentionMs: number },
): Promise<void> {
  await database.query(FORGET, [new Date(nowMs - retentionMs)])
}
