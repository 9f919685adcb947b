import type { Database } from '../../db/database.ts'

const BATCH = 1_000

// Attached files expire with the message (`store-message.ts`). Locks inboxes before messages, as
// deletions do. A locked inbox is left to the next sweep.
const FORGET = `
  with gone as (
    delete from inbox_messages where id in (
      select message.id from inbox_messages as message join inboxes on address = message.inbox
      where message.created_at < $1 order by message.created_at limit ${BATCH} for no key update of inboxes skip locked)
    returning inbox, status, size_bytes),
  freed as (select inbox, sum(size_bytes) as bytes from gone where status = 'received' group by inbox)
  update inboxes set stored_bytes = greatest(0, stored_bytes - freed.bytes) from freed where address = freed.inbox`

// A process that sends a message answers its call within 30 seconds.
const LONGEST_SENDING_MS = 600_000

/** Marks messages whose process died while it sent them. They may have been sent. */
export async function endInterruptedSends(database: Database, nowMs: number): Promise<void> {
  await database.query(
    "update inbox_messages set status = 'unknown' where status = 'sending' and created_at < $1",
    [new Date(nowMs - LONGEST_SENDING_MS)],
  )
}

/** Deletes messages older than the retention. */
export async function forgetMessages(
  database: Database,
  { nowMs, retentionMs }: { readonly nowMs: number; readonly retentionMs: number },
): Promise<void> {
  await database.query(FORGET, [new Date(nowMs - retentionMs)])
}
