/**
 * SQL: the address of emails and sign-in links for an account. Its own, as long as an owner has it; otherwise that of the first of
 * its owners. Null without owners.
 */
export const MAILBOX_OF_ACCOUNT = `(
  select people.email from members join people on people.id = person_id
  where members.account_id = accounts.id and role = 'owner'
  order by lower(people.email) = lower(accounts.email) desc, joined_at, person_id limit 1
)`
