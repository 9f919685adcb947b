import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { announceChange } from '../keys/announce.ts'
import { endLinksOf } from '../auth/records/end-links.ts'
import { findAccount, type FoundAccount } from './find-account.ts'
import { endPageSessionsOf } from '../auth/records/browser-session.ts'

// PostgreSQL's messages have 8000 bytes; a hash takes 65 of them.
const HASHES_PER_MESSAGE = 100

/**
 * Ends every key of an account, the primary ones too, every session of its holder and every link that was sent to them:
 * nobody calls or signs in any more, in any process. Credit and history stay in the books; calls and jobs in progress
 * come to their end. Doing it again changes nothing.
 * Throws AppError not_found, or bad_request for the operator's own account.
 */
export async function closeAccount(
  database: Database,
  idOrEmail: string,
): Promise<FoundAccount & { readonly endedKeys: number }> {
  const found = await findAccount(database, idOrEmail)
  if (found.account.owner)
    throw new AppError('bad_request', 'The account of the operator stays open.', {
      fix: 'Give its keys new secrets with "./tollgate keys rotate" if they were lost.',
    })
  const endedKeys = await database.transaction(async (tx) => {
    // Whoever makes a further key holds the one that it is made with: it is there once these are locked, or never.
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
    // In the order in which flushes of the ledger lock them: calls that are under way and this must not wait for each other in a circle.
    await tx.query(
      'select from budgets where id in (select id from keys where account_id = $1) order by id for no key update',
      [found.accountId],
    )
    const { count } = await tx.query(
      `update budgets set state = 'closed' where id in (select id from keys where account_id = $1) and state <> 'closed'`,
      [found.accountId],
    )
    // In the order in which whoever uses such a link takes them.
    await endLinksOf(tx, found.account.email)
    await endPageSessionsOf(tx, found.accountId)
    const hashes = keys.rows
      .flatMap((row) => [
        row.secret_hash,
        ...(row.former_secret_hash === null ? [] : [row.former_secret_hash]),
      ])
      .map((hash) => hash.toString('hex'))
    for (let start = 0; start < hashes.length; start += HASHES_PER_MESSAGE)
      await announceChange(tx, hashes.slice(start, start + HASHES_PER_MESSAGE))
    return count
  })
  return { ...found, endedKeys }
}
