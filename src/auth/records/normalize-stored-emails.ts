import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import { emailAsKept } from './email.ts'

/**
 * Once, for accounts from before there was one form of each address: holders would not be found by their own, and could make
 * a second account for it. What is no address any more stays as it is, and so does a second one for the same mailbox; the
 * operator gives those another one.
 */
export async function writeAddressesAsKept({ query }: Transaction): Promise<void> {
  // Of addresses in ASCII alone the forms differ in small and capital letters at most, which are looked up alike.
  const { rows } = await query<{ id: Id; email: string }>(
    'select id, email from accounts where octet_length(email) > char_length(email) order by id',
  )
  for (const { id, email } of rows) {
    const kept = emailAsKept(email)
    if (kept !== null && kept !== email)
      await query(
        'update accounts set email = $2 where id = $1 and not exists (select from accounts where lower(email) = lower($2) and id <> $1)',
        [id, kept],
      )
  }
}
