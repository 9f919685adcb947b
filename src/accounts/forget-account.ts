import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { publicId, type Id } from '../lib/ids.ts'
import { forgetEventsOf } from '../events/webhooks/end-webhooks.ts'
import { endMemberships } from '../auth/records/end-memberships.ts'
import { endLinksOf } from '../auth/records/end-links.ts'

const SIGNING_IN = ['page_sessions', 'oauth_codes', 'oauth_grants', 'invitations'] as const

/**
 * Deletes the personal and working data of a closed account: its address, sign-in methods, key names,
 * inputs and results of jobs, stored responses, cassettes, conversations, messages, events, webhooks and vendor
 * resources. Transactions remain, because the books are append-only. Names that can never be reused, such as inbox
 * addresses, remain reserved. Throws AppError bad_request while a key, call, job or automatic top-up is active.
 */
export async function forgetAccount(database: Database, accountId: Id): Promise<void> {
  await database.transaction(async (tx) => {
    const { rows } = await tx.query<{ keys: bigint; holds: bigint; jobs: bigint; topups: bigint }>(
      `select (select count(*) from keys join budgets on budgets.id = keys.id where account_id = $1 and state <> 'closed') as keys,
         (select count(*) from holds join wallets on wallets.id = wallet_id where account_id = $1) as holds,
         (select count(*) from jobs where account_id = $1 and finished_ms is null) as jobs,
         (select count(*) from topups where account_id = $1 and status = 'open') as topups`,
      [accountId],
    )
    const { keys = 0n, holds = 0n, jobs = 0n, topups = 0n } = rows[0] ?? {}
    if (keys > 0n)
      throw new AppError('bad_request', 'The account is not closed.', { fix: 'Close it first.' })
    if (holds + jobs > 0n)
      throw new AppError(
        'bad_request',
        `${holds} calls and ${jobs} jobs of the account are in progress.`,
        {
          fix: 'Run the command again when they have ended. A job ends at its deadline at the latest.',
        },
      )
    if (topups > 0n)
      throw new AppError('bad_request', 'An automatic top-up of the account is in progress.', {
        fix: 'Run the command again in an hour. Until then the gateway finds out whether the card was charged.',
      })
    const former = await tx.query<{ email: string }>(
      'select email from accounts where id = $1 for no key update',
      [accountId],
    )
    await tx.query('update accounts set email = $2 where id = $1', [
      accountId,
      `${publicId('account', accountId)}@erased.invalid`,
    ])
    for (const { email } of former.rows) await endLinksOf(tx, email)
    await tx.query('delete from sign_in_challenges where owner_id = $1', [accountId])
    await tx.query(
      'update keys set label = null, external_id = null, client_id = null, person_id = null where account_id = $1',
      [accountId],
    )
    for (const table of [
      ...SIGNING_IN,
      'jobs',
      'answers',
      'cassettes',
      'consult_conversations',
      'checkouts',
      'auto_topups',
      'inboxes',
      'repositories',
      'email_searches',
    ])
      await tx.query(`delete from ${table} where account_id = $1`, [accountId])
    for (const table of ['call_log', 'call_bodies'])
      await tx.query(
        `delete from ${table} where wallet_id in (select id from wallets where account_id = $1)`,
        [accountId],
      )
    await tx.query('update card_payments set brand = null, last4 = null where account_id = $1', [
      accountId,
    ])
    await tx.query('update topups set customer = null, method = null where account_id = $1', [
      accountId,
    ])
    await endMemberships(tx, accountId)
    await forgetEventsOf(tx, accountId)
    // A repository without an owner is deleted. Its id is never used again.
    await tx.query(
      "delete from vendor_references where account_id = $1 and (not lasts or service in ('gitstore', 'gitstore/names'))",
      [accountId],
    )
    // Last: the changes above are recorded with the values that they erase.
    await tx.query(
      "update changes set fields = '{}', origin = null, reason = null where account_id = $1",
      [accountId],
    )
  })
}
