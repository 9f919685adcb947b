import type { Query } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'

/** SQL: the account of the row of `members` is neither closed nor paused. Only closing revokes a primary key. */
export const OPEN_ACCOUNT = `exists (
  select from keys join budgets on budgets.id = keys.id join accounts on accounts.id = keys.account_id
  where keys.account_id = members.account_id and mode = 'live' and is_primary and state <> 'closed' and paused_at is null)`

/**
 * The account that a person sees after sign-in: `wanted` if they are a member, else the one they used last. Throws AppError sign_in_refused when
 * all their accounts are closed or paused. A concurrent end of the membership waits, and ends the new session.
 */
export async function chooseAccount(
  { query }: { readonly query: Query },
  personId: Id,
  wanted: Id | null = null,
): Promise<Id> {
  const { rows } = await query<{ account_id: Id }>(
    `select account_id from members where person_id = $1 and ${OPEN_ACCOUNT}
     order by account_id is not distinct from $2 desc, last_seen_at desc nulls last, joined_at, account_id
     limit 1 for key share of members`,
    [personId, wanted],
  )
  if (rows[0] !== undefined) return rows[0].account_id
  throw new AppError(
    'sign_in_refused',
    (await hasPausedAccount({ query }, personId))
      ? 'This account is paused.'
      : 'This account is closed.',
    { fix: 'Ask the operator of this gateway.' },
  )
}

async function hasPausedAccount(
  { query }: { readonly query: Query },
  personId: Id,
): Promise<boolean> {
  const { count } = await query(
    'select from members join accounts on id = account_id where person_id = $1 and paused_at is not null',
    [personId],
  )
  return count > 0
}

/** Whether the person is a member of an account that is not closed. */
export async function hasOpenAccount(
  { query }: { readonly query: Query },
  personId: Id,
): Promise<boolean> {
  const { count } = await query(`select from members where person_id = $1 and ${OPEN_ACCOUNT}`, [
    personId,
  ])
  return count > 0
}
