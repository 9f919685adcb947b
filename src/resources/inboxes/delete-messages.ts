import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import { SERVICE, type InboxDeps } from './inbox-deps.ts'

export type DeletedMessage = {
  readonly inbox_id: string
  readonly message_id: string
  readonly freed_bytes: number
}
export type DeletedInbox = {
  readonly inbox_id: string
  readonly messages: number
  readonly freed_bytes: number
}

type DeleteDeps = Pick<InboxDeps, 'database' | 'now'>
type Removed = { readonly count: bigint; readonly bytes: bigint }

const BATCH = 1_000n

const LOCK = `
  select 1 from inboxes where address = $1 and account_id = $2 and ($3::uuid is null or key_id = $3)
    and exists (select 1 from vendor_references where service = $4 and not is_test
      and reference = address and vendor_references.account_id = inboxes.account_id)
  for no key update`

// The sweep of expired files deletes the attachments, of which there may be many.
const REMOVE = `
  with gone as (
    delete from inbox_messages where id in (
      select id from inbox_messages where inbox = $1 and ($4::text is null or message_id = $4) order by id limit ${BATCH})
    returning status, size_bytes, attachments),
  expired as (
    update files set expires_at = $3 where account_id = $2 and id in (
      select substr(attachment ->> 'file_id', 6)::uuid from gone, jsonb_array_elements(attachments) as attachment)),
  freed as (select coalesce(sum(size_bytes), 0)::bigint as bytes from gone where status = 'received'),
  reduced as (update inboxes set stored_bytes = greatest(0, stored_bytes - bytes) from freed where address = $1)
  select (select count(*) from gone) as count, bytes from freed`

/**
 * Deletes a message, and its attachments within minutes. Throws AppError `unknown_inbox`,
 * `upstream_not_found` for an unknown message, and `rate_limited` for a sent one that still counts
 * toward the limit of a day.
 */
export async function deleteMessage(
  deps: DeleteDeps,
  owner: Owner,
  { inbox, messageId }: { readonly inbox: string; readonly messageId: string },
): Promise<DeletedMessage> {
  const { count, bytes } = await deps.database.transaction(async (tx) => {
    await requireDeletable(tx, deps, owner, { inbox, messageId })
    return remove(tx, deps, owner, { inbox, messageId })
  })
  if (count === 0n)
    throw new AppError('upstream_not_found', 'This inbox has no such message.', {
      param: 'message_id',
      fix: 'Send a message_id from inbox/list-messages of the same inbox.',
    })
  return { inbox_id: inbox, message_id: messageId, freed_bytes: Number(bytes) }
}

/**
 * Deletes an inbox with its messages. Its address is never given again. An interrupted call has
 * deleted some of the messages, and can be repeated. Throws AppError like `deleteMessage`.
 */
export async function deleteInbox(
  deps: DeleteDeps,
  owner: Owner,
  inbox: string,
): Promise<DeletedInbox> {
  const target = { inbox, messageId: null }
  let [messages, freed] = [0, 0]
  /** True if messages may be left. */
  const add = ({ count, bytes }: Removed): boolean => {
    messages += Number(count)
    freed += Number(bytes)
    return count === BATCH
  }
  const removeSome = (): Promise<Removed> =>
    deps.database.transaction(async (tx) => {
      await requireDeletable(tx, deps, owner, target)
      return remove(tx, deps, owner, target)
    })
  while (add(await removeSome()));
  await deps.database.transaction(async (tx) => {
    // Serializes it with messages that are being sent or stored.
    await tx.query('select 1 from accounts where id = $1 for no key update', [owner.accountId])
    await requireDeletable(tx, deps, owner, target)
    add(await remove(tx, deps, owner, target))
    await tx.query('delete from inboxes where address = $1', [inbox])
  })
  return { inbox_id: inbox, messages, freed_bytes: freed }
}

type Target = { readonly inbox: string; readonly messageId: string | null }

async function remove(
  tx: Transaction,
  { now }: DeleteDeps,
  { accountId }: Owner,
  { inbox, messageId }: Target,
): Promise<Removed> {
  const { rows } = await tx.query<Removed>(REMOVE, [inbox, accountId, new Date(now()), messageId])
  return rows[0] ?? { count: 0n, bytes: 0n }
}

/** Locks the inbox. */
async function requireDeletable(
  tx: Transaction,
  deps: DeleteDeps,
  owner: Owner,
  target: Target,
): Promise<void> {
  const values = [target.inbox, owner.accountId, onlyMaker(owner), SERVICE]
  const isOwn = owner.mode === 'live' && (await tx.query(LOCK, values)).count > 0
  if (!isOwn) throw new AppError('unknown_inbox')
  await requireNoneSentToday(tx, deps, target)
}

/** Otherwise callers could exceed the limit of recipients, and repeat calls under their keys. */
async function requireNoneSentToday(
  tx: Transaction,
  { now }: DeleteDeps,
  { inbox, messageId }: Target,
): Promise<void> {
  const { rows } = await tx.query<{ created_at: Date }>(
    `select created_at from inbox_messages where inbox = $1 and status <> 'received' and created_at > $2
       and ($3::text is null or message_id = $3) order by created_at desc limit 1`,
    [inbox, new Date(now() - DAY_MS), messageId],
  )
  const [latest] = rows
  if (latest === undefined) return
  const waitMs = latest.created_at.getTime() + DAY_MS - now()
  throw new AppError(
    'rate_limited',
    'Sent messages can be deleted after 24 hours: until then they count toward the limit of a day.',
    { fix: 'Try again later.', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) },
  )
}
