import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { parsePublicId, type Id } from '../lib/ids.ts'
import { accountOf, ACCOUNT_COLUMNS, type Account, type AccountRow } from './account.ts'
import { normalizeEmail } from '../auth/records/email.ts'

/** `accountId` is the id inside `account.id`. */
export type FoundAccount = { readonly accountId: Id; readonly account: Account }

/** Finds an account by `acc_…` or email address. Throws AppError not_found. */
export async function findAccount(database: Database, idOrEmail: string): Promise<FoundAccount> {
  const id = parsePublicId('account', idOrEmail)
  const found =
    id === null
      ? await selectOne(
          database,
          'lower(email) = lower($1)',
          normalizeEmail(idOrEmail) ?? idOrEmail.trim(),
        )
      : await selectOne(database, 'id = $1', id)
  if (found === null)
    throw new AppError('not_found', `Unknown account "${idOrEmail}".`, {
      fix: 'Run "./tollgate accounts list" to list all accounts.',
    })
  return found
}

/** The operator's own account, or null before the first start. */
export function findOwner(database: Database): Promise<FoundAccount | null> {
  return selectOne(database, 'is_owner = $1', true)
}

async function selectOne(
  database: Database,
  condition: string,
  value: string | boolean,
): Promise<FoundAccount | null> {
  const { rows } = await database.query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from accounts where ${condition}`,
    [value],
  )
  const row = rows[0]
  return row === undefined ? null : { accountId: row.id, account: accountOf(row) }
}
