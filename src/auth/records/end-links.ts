import type { Query } from '../../db/database.ts'

/**
 * Ends every sign-in link of an address. All code locks links in this order, so concurrent
 * transactions never deadlock.
 */
export async function endLinksOf(
  { query }: { readonly query: Query },
  email: string,
): Promise<void> {
  await query(
    'delete from sign_in_links where token_hash in (select token_hash from sign_in_links where lower(email) = lower($1) order by token_hash for update)',
    [email],
  )
}
