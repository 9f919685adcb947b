import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { publicId, type Id } from '../lib/ids.ts'
import { endLinksOf } from '../auth/records/end-links.ts'

const SIGNING_IN = [
  'account_passwords',
  'passkeys',
  'account_identities',
  'sign_in_challenges',
  'page_sessions',
] as const

/**
 * Removes what was kept of a closed account's people and work: its address, how they signed in, the names of its keys, what
 * its jobs were asked and brought, answers kept for replay, conversations, and what it made at vendors. Transactions stay as
 * they are: the books are append-only. So do names that it took for good, such as addresses of inboxes: nobody else is to
 * have them. Throws AppError bad_request while a key is in use, or a call or job in progress.
 */
export async function forgetAccount(database: Database, accountId: Id): Promise<void> {
  await database.transaction(async (tx) => {
    const { rows } = await tx.query<{ keys: bigint; holds: bigint; jobs: bigint }>(
      `select (select count(*) from keys join budgets on budgets.id = keys.id where account_id = $1 and state <> 'closed') as keys,
         (select count(*) from holds join wallets on wallets.id = wallet_id where account_id = $1) as holds,
         (select count(*) from jobs where account_id = $1 and finished_ms is null) as jobs`,
      [accountId],
    )
    const { keys = 0n, holds = 0n, jobs = 0n } = rows[0] ?? {}
    if (keys > 0n)
      throw new AppError('bad_request', 'The account is not closed.', { fix: 'Close it first.' })
    if (holds + jobs > 0n)
      throw new AppError(
        'bad_request',
        `${holds} calls and ${jobs} jobs of the account are in progress.`,
        {
          fix: 'Run the command again when they have ended; a job ends at its deadline at the latest.',
        },
      )
    const former = await tx.query<{ email: string }>(
      'select email from accounts where id = $1 for no key update',
      [accountId],
    )
    await tx.query('update accounts set email = $2 where id = $1', [
      accountId,
      `${publicId('account', accountId)}@erased.invalid`,
    ])
    for (const { email } of former.rows) await endLinksOf(tx, email)
    await tx.query('update keys set label = null, external_id = null where account_id = $1', [
      accountId,
    ])
    for (const table of [...SIGNING_IN, 'jobs', 'answers', 'consult_conversations'])
      await tx.query(`delete from ${table} where account_id = $1`, [accountId])
    await tx.query('delete from vendor_references where account_id = $1 and not lasts', [accountId])
  })
}
