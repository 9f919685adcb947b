import type { Query } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'

const MOST_NAMED = 3

/** The email addresses of a few owners, for people whose role does not suffice. */
export async function listOwners(
  { query }: { readonly query: Query },
  accountId: Id,
): Promise<readonly string[]> {
  const { rows } = await query<{ email: string }>(
    "select email from members join people on people.id = person_id where account_id = $1 and role = 'owner' order by joined_at, person_id limit $2",
    [accountId, MOST_NAMED],
  )
  return rows.map(({ email }) => email)
}
