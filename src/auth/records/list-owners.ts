import type { Query } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'

/** The email addresses of an account's owners, for people whose role does not suffice. */
export async function listOwners(
  { query }: { readonly query: Query },
  accountId: Id,
): Promise<readonly string[]> {
  const { rows } = await query<{ email: string }>('select email from accounts where id = $1', [
    accountId,
  ])
  return rows.map(({ email }) => email)
}
