import type { Database, SqlValue } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import { lockPerson } from './lock-person.ts'

/** The sign-in methods of a person. */
export type SignInMethods = {
  /** Null: the account has no password. */
  readonly passwordChangedAt: Date | null
  readonly passkeys: readonly {
    readonly id: string
    readonly label: string
    readonly createdAt: Date
    readonly lastUsedAt: Date | null
  }[]
  /** Linked providers. */
  readonly identities: readonly { readonly issuer: string; readonly createdAt: Date }[]
}

export async function readSignInMethods({ query }: Database, personId: Id): Promise<SignInMethods> {
  const [passwords, passkeys, identities] = await Promise.all([
    query<{ changed_at: Date }>('select changed_at from person_passwords where person_id = $1', [
      personId,
    ]),
    query<{ credential_id: string; label: string; created_at: Date; last_used_at: Date | null }>(
      'select credential_id, label, created_at, last_used_at from passkeys where person_id = $1 order by created_at, credential_id',
      [personId],
    ),
    query<{ issuer: string; created_at: Date }>(
      'select issuer, min(created_at) as created_at from person_identities where person_id = $1 group by issuer order by issuer',
      [personId],
    ),
  ])
  return {
    passwordChangedAt: passwords.rows[0]?.changed_at ?? null,
    passkeys: passkeys.rows.map((row) => ({
      id: row.credential_id,
      label: row.label,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    })),
    identities: identities.rows.map((row) => ({ issuer: row.issuer, createdAt: row.created_at })),
  }
}

export type SignInMethod = 'password' | 'passkey' | 'provider'

/** The sign-in methods of each account's members, for operators. Accounts without any are missing. */
export async function listSignInMethods({
  query,
}: Database): Promise<ReadonlyMap<Id, readonly SignInMethod[]>> {
  const { rows } = await query<{ account_id: Id; methods: SignInMethod[] }>(
    `select account_id, array_agg(distinct method order by method) as methods from (
       select person_id, 'password' as method from person_passwords union select person_id, 'passkey' from passkeys union select person_id, 'provider' from person_identities
     ) as every_method join members using (person_id) group by account_id`,
  )
  return new Map(rows.map(({ account_id: accountId, methods }) => [accountId, methods]))
}

/** Throws AppError not_found, and bad_request for the person's last sign-in method. */
export function removePasskey(database: Database, personId: Id, id: string): Promise<void> {
  return remove(
    database,
    personId,
    'delete from passkeys where person_id = $1 and credential_id = $2',
    id,
  )
}

/** Throws AppError not_found, and bad_request for the person's last sign-in method. */
export function removeIdentity(database: Database, personId: Id, issuer: string): Promise<void> {
  return remove(
    database,
    personId,
    'delete from person_identities where person_id = $1 and issuer = $2',
    issuer,
  )
}

function remove(
  database: Database,
  personId: Id,
  statement: string,
  which: SqlValue,
): Promise<void> {
  return database.transaction(async (tx) => {
    await lockPerson(tx, personId)
    const { count } = await tx.query(statement, [personId, which])
    if (count === 0)
      throw new AppError('not_found', 'This is not one of your sign-in methods, or no longer.', {
        fix: 'The list below shows your sign-in methods.',
      })
    const { rows } = await tx.query(
      'select from person_passwords where person_id = $1 union all select from passkeys where person_id = $1 union all select from person_identities where person_id = $1 limit 1',
      [personId],
    )
    if (rows.length === 0)
      throw new AppError(
        'bad_request',
        'This is your only sign-in method, so it was not removed.',
        {
          fix: 'Add a passkey or choose a password first.',
        },
      )
  })
}
