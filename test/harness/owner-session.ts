import { openPersonSession } from '../../src/auth/records/browser-session.ts'
import type { Database } from '../../src/db/database.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Id } from '../../src/lib/ids.ts'

/** The person who owns an account; the first one of several. */
export async function ownerOf(database: Pick<Database, 'query'>, accountId: Id): Promise<Id> {
  const { rows } = await database.query<{ person_id: Id }>(
    "select person_id from members where account_id = $1 and role = 'owner' order by joined_at, person_id",
    [accountId],
  )
  return rows[0]?.person_id ?? ''
}

/** Signs the owner of an account in. Returns the token for the cookie. */
export async function openOwnerSession(
  deps: { readonly database: Database; readonly now: Clock },
  accountId: Id,
): Promise<string> {
  const personId = await ownerOf(deps.database, accountId)
  return (await openPersonSession(deps, personId)).session
}
