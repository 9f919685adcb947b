import { randomBytes } from 'node:crypto'
import { AppError } from '../../errors/app-error.ts'
import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { SERVICE, type InboxDeps } from './inbox-deps.ts'

export type InboxRow = {
  readonly address: string
  readonly account_id: Id
  readonly key_id: Id | null
  readonly display_name: string | null
  readonly created_at: Date
}
export const INBOX_COLUMNS = 'address, account_id, key_id, display_name, created_at'

/** Names that RFC 2142 and certificate authorities use, and those of the gateway's own messages. */
const RESERVED: ReadonlySet<string> = new Set(
  'abuse accounts admin administrator billing bounce hostmaster info login mail mailer-daemon no-reply noc noreply postmaster root security ssl-admin ssladmin support sysadmin tollgate webmaster'.split(
    ' ',
  ),
)
const USERNAME = /^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$/
const RANDOM_BYTES = 8

export type NewInbox = {
  readonly username?: string
  readonly domain?: string
  readonly display_name?: string
}

// An address is given once: its reference remains when the inbox or the account is deleted.
const INSERT = `
  insert into inboxes (${INBOX_COLUMNS}) select $1, $2, $3, $4, $5
  where not exists (select 1 from vendor_references
      where service = $6 and not is_test and reference = $1)
  on conflict do nothing returning ${INBOX_COLUMNS}`

// A call that was interrupted before its charge leaves an inbox without a reference.
const TAKE_OVER = `
  update inboxes set key_id = $3, display_name = $4, created_at = $5
  where address = $1 and account_id = $2 and created_at < $5::timestamptz - interval '1 minute' and not exists (select 1 from vendor_references
      where service = $6 and not is_test and reference = $1)
  returning ${INBOX_COLUMNS}`

/** Creates an inbox. Throws AppError `invalid_params`, `upstream_rejected` for a taken name, and `storage_quota_exceeded`. */
export async function createInbox(
  deps: Pick<InboxDeps, 'database' | 'now' | 'domain' | 'limits' | 'ownName'>,
  input: NewInbox,
  { accountId, keyId }: Pick<CallTools, 'accountId' | 'keyId'>,
): Promise<InboxRow> {
  const { database, now, domain } = deps
  if (input.domain !== undefined && input.domain.toLowerCase() !== domain)
    throw new AppError('invalid_params', `This gateway creates inboxes at ${domain} only.`, {
      param: 'domain',
      fix: `Omit "domain", or send "${domain}".`,
    })
  const name = input.username?.toLowerCase() ?? randomBytes(RANDOM_BYTES).toString('hex')
  checkName(name, deps.ownName)
  const values = [
    `${name}@${domain}`,
    accountId,
    keyId,
    input.display_name ?? null,
    new Date(now()),
    SERVICE,
  ]
  const inbox = await database.transaction(async (tx) => {
    await requireRoom(tx, deps.limits, accountId)
    const [made] = (await tx.query<InboxRow>(INSERT, values)).rows
    return made ?? (await tx.query<InboxRow>(TAKE_OVER, values)).rows[0]
  })
  if (inbox === undefined)
    throw new AppError('upstream_rejected', 'That name is taken. Nothing was charged.', {
      param: 'username',
      fix: 'Choose another name, or leave it out.',
    })
  return inbox
}

function checkName(name: string, ownName: string | null): void {
  if (RESERVED.has(name) || name === ownName)
    throw new AppError('invalid_params', `The name "${name}" is reserved.`, {
      param: 'username',
      fix: 'Choose another name.',
    })
  if (!USERNAME.test(name) || name.includes('..'))
    throw new AppError(
      'invalid_params',
      `"username" may contain letters, digits, ".", "_" and "-", and begins and ends with a letter or digit.`,
      {
        param: 'username',
        fix: 'Messages to name+tag reach the inbox "name", so no name has "+".',
      },
    )
}

/** Locks the account, so that concurrent calls see each other. */
async function requireRoom(
  tx: Transaction,
  { maxInboxes }: InboxDeps['limits'],
  accountId: Id,
): Promise<void> {
  await tx.query('select from accounts where id = $1 for no key update', [accountId])
  const { rows } = await tx.query<{ count: bigint }>(
    'select count(*) as count from inboxes where account_id = $1',
    [accountId],
  )
  if ((rows[0]?.count ?? 0n) >= BigInt(maxInboxes))
    throw new AppError(
      'storage_quota_exceeded',
      `This account has ${maxInboxes} inboxes, the most that this gateway stores for an account. Nothing was charged.`,
      { fix: 'Use an existing inbox. Messages to name+tag reach the inbox "name".' },
    )
}

/** A call that creates an inbox ends long before. */
const UNFINISHED_MS = HOUR_MS

/** Deletes inboxes whose call was interrupted before its charge. Returns the number of them. */
export async function sweepInboxes(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    `delete from inboxes where created_at < $1 and not exists (select 1 from vendor_references as reference
       where service = $2 and not is_test and reference.reference = address and reference.account_id = inboxes.account_id)`,
    [new Date(nowMs - UNFINISHED_MS), SERVICE],
  )
  return count
}
