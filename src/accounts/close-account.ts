import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { announceChange } from '../keys/announce.ts'
import { endWebhooksOf } from '../events/webhooks/end-webhooks.ts'
import { endLinksOf } from '../auth/records/end-links.ts'
import { findAccount, type FoundAccount } from './find-account.ts'
import { endSessionsOfAccount } from '../auth/records/browser-session.ts'

/**
 * Revokes every key of an account, including the primary ones, and ends its sessions, sign-in
 * links and webhooks, in all processes. Credit and history stay in the books; calls and jobs in progress finish.
 * Can be repeated. Throws AppError not_found, or bad_request for the operator's own account.
 */
export async function closeAccount(
  database: Database,
  idOrEmail: string,
): Promise<FoundAccount & { readonly endedKeys: number }> {
  const found = await findAccount(database, idOrEmail)
  if (found.account.owner)
    throw new AppError('bad_request', "The operator's account cannot be closed.", {
      fix: 'If its keys were lost, create new secrets with "./tollgate keys rotate".',
    })
  const endedKeys = await database.transaction(async (tx) => {
    // Creating a key locks the creating key. So after these locks, a new key either exists or never will.
    await tx.query('select from keys where account_id = $1 order by id for update', [
      found.accountId,
    ])
    const keys = await tx.query<{ secret_hash: Buffer; former_secret_hash: Buffer | null }>(
      'select secret_hash, former_secret_hash from keys where account_id = $1',
      [found.accountId],
    )
    await tx.query(
      'update keys set former_secret_hash = null, former_secret_until = null where account_id = $1',
      [found.accountId],
    )
    // In the lock order of ledger flushes, so that they and this cannot deadlock.
    await tx.query(
      'select from budgets where id in (select id from keys where account_id = $1) order by id for no key update',
      [found.accountId],
    )
    const { count } = await tx.query(
      `update budgets set state = 'closed' where id in (select id from keys where account_id = $1) and state <> 'closed'`,
      [found.accountId],
    )
    // In the lock order of requests that use such a link.
    await endLinksOf(tx, found.account.email)
    await endSessionsOfAccount(tx, found.accountId)
    await endWebhooksOf(tx, found.accountId)
    await tx.query('update auto_topups set is_on = false where account_id = $1', [found.accountId])
    const hashes = keys.rows
      .flatMap((row) => [
        row.secret_hash,
        ...(row.former_secret_hash === null ? [] : [row.former_secret_hash]),
      ])
      .map((hash) => hash.toString('hex'))
    await announceChange(tx, hashes)
    return count
  })
  return { ...found, endedKeys }
}
