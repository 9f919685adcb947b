import type { Database } from '../../src/db/database.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { newId, type Id } from '../../src/lib/ids.ts'

/** Stores an inbox with one message, `<1@sender.example>`. Returns its address. */
export async function storeInbox(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { accountId, keyId }: { readonly accountId: Id; readonly keyId: Id | null },
): Promise<string> {
  const id = newId(clock())
  const address = `${id}@agents.example`
  const at = new Date(clock())
  await database.query(
    'insert into inboxes (address, account_id, key_id, created_at) values ($1, $2, $3, $4)',
    [address, accountId, keyId, at],
  )
  await database.query(
    `insert into vendor_references (service, is_test, reference, account_id, key_id, made_ms, lasts)
     values ('inbox', false, $1, $2, $3, $4, true)`,
    [address, accountId, keyId, clock()],
  )
  await database.query(
    `insert into inbox_messages (id, inbox, account_id, status, message_id, thread_id, content_hash, sender,
       recipients, subject, size_bytes, created_at)
     values ($1, $2, $3, 'received', '<1@sender.example>', $1, sha256('x'), 'bo@sender.example', $4, 'Hello', 1, $5)`,
    [id, address, accountId, [address], at],
  )
  return address
}
