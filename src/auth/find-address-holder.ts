import { isSameMailbox } from './records/email.ts'
import type { Query } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'

/**
 * The account of an email address. `isOpen`: a new account can use it. An account whose address
 * only the database equates with it blocks it.
 */
export type AddressHolder =
  | { readonly accountId: Id }
  | { readonly accountId: null; readonly isOpen: boolean }

export async function findAddressHolder(
  { query }: { readonly query: Query },
  email: string,
): Promise<AddressHolder> {
  const { rows } = await query<{ id: Id; email: string }>(
    'select id, email from accounts where lower(email) = lower($1)',
    [email],
  )
  const [account] = rows
  if (account !== undefined && isSameMailbox(account.email, email)) return { accountId: account.id }
  return { accountId: null, isOpen: account === undefined }
}
