import { isSameMailbox } from '../accounts/email.ts'
import type { Query } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'

/** The account of an address, or null; 'another' where one has the place of it whose mail goes elsewhere. */
export async function accountOfAddress({ query }: { readonly query: Query }, email: string): Promise<Id | 'another' | null> {
  const { rows } = await query<{ id: Id; email: string }>('select id, email from accounts where lower(email) = lower($1)', [email])
  const [account] = rows
  if (account === undefined) return null
  return isSameMailbox(account.email, email) ? account.id : 'another'
}
