import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import { endLinksOf } from './end-links.ts'

const OF_PEOPLE = ['person_passwords', 'passkeys', 'person_identities', 'page_sessions'] as const

/**
 * Removes all members of an account, or one. A person who is no member of any other account is deleted with
 * their sign-in methods. Their remaining keys belong to the account as a whole. Locks keys, then links, then people, then
 * members, like sign-ins.
 */
export async function endMemberships(
  tx: Transaction,
  accountId: Id,
  personId: Id | null = null,
): Promise<void> {
  const found = await tx.query<{ id: Id; email: string }>(
    'select id, email from people join members on person_id = id where account_id = $1 and ($2::uuid is null or id = $2) order by id',
    [accountId, personId],
  )
  const ids = found.rows.map(({ id }) => id)
  await tx.query(
    'update keys set person_id = null where id in (select id from keys where account_id = $1 and person_id = any($2) order by id for update)',
    [accountId, ids],
  )
  for (const { email } of found.rows) await endLinksOf(tx, email)
  await tx.query('select from people where id = any($1) order by id for update', [ids])
  await tx.query('delete from members where account_id = $1 and person_id = any($2)', [
    accountId,
    ids,
  ])
  const { rows } = await tx.query<{ id: Id }>(
    'select id from people where id = any($1) and not exists (select from members where person_id = id)',
    [ids],
  )
  await forgetPeople(
    tx,
    rows.map(({ id }) => id),
  )
}

async function forgetPeople(tx: Transaction, ids: readonly Id[]): Promise<void> {
  for (const table of OF_PEOPLE)
    await tx.query(`delete from ${table} where person_id = any($1)`, [ids])
  await tx.query('delete from sign_in_challenges where owner_id = any($1)', [ids])
  await tx.query('delete from people where id = any($1)', [ids])
}
