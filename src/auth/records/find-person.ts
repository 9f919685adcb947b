import type { Query } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import { isSameMailbox } from './email.ts'

/**
 * The person of an email address. `isOpen`: a new person can use it. An address that only the database
 * equates with it, and the first address of an account that its person has left, block it.
 */
export type AddressOwner =
  | { readonly personId: Id }
  | { readonly personId: null; readonly isOpen: boolean }

export async function findPerson(
  { query }: { readonly query: Query },
  email: string,
): Promise<AddressOwner> {
  const { rows } = await query<{ id: Id; email: string; is_person: boolean }>(
    `select id, email, true as is_person from people where lower(email) = lower($1)
     union all select id, email, false from accounts where lower(email) = lower($1)`,
    [email],
  )
  const person = rows.find((row) => row.is_person && isSameMailbox(row.email, email))
  return person === undefined
    ? { personId: null, isOpen: rows.length === 0 }
    : { personId: person.id }
}
