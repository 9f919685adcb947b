import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Role } from '../../lib/permissions.ts'
import { isSameMailbox } from './email.ts'

/**
 * The person of a verified address, created if missing. Throws AppError email_taken for an address that only the
 * database equates with that of another person.
 */
export async function findOrCreatePerson(
  tx: Transaction,
  email: string,
  nowMs: number,
): Promise<Id> {
  const created = await tx.query<{ id: Id }>(
    'insert into people (id, email, created_at) values ($1, $2, $3) on conflict do nothing returning id',
    [newId(nowMs), email, new Date(nowMs)],
  )
  if (created.rows[0] !== undefined) return created.rows[0].id
  const { rows } = await tx.query<{ id: Id; email: string }>(
    'select id, email from people where lower(email) = lower($1) for share',
    [email],
  )
  const person = rows.find((row) => isSameMailbox(row.email, email))
  if (person !== undefined) return person.id
  throw new AppError('email_taken', `An account for ${email} already exists.`, { param: 'email' })
}

export type NewMember = {
  readonly accountId: Id
  readonly personId: Id
  readonly role: Role
  readonly nowMs: number
}

/** Returns false if the person is a member already; their role does not change. */
export async function addMember(
  tx: Transaction,
  { accountId, personId, role, nowMs }: NewMember,
): Promise<boolean> {
  const { count } = await tx.query(
    'insert into members (account_id, person_id, role, joined_at) values ($1, $2, $3, $4) on conflict do nothing',
    [accountId, personId, role, new Date(nowMs)],
  )
  return count > 0
}
