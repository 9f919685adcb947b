import type { Database } from '../db/database.ts'
import { accountOf, ACCOUNT_COLUMNS, type Account, type AccountRow } from './account.ts'

/** The accounts whose holders may use the operator console, oldest first. */
export async function listOperators(
  database: Pick<Database, 'query'>,
): Promise<readonly Account[]> {
  const { rows } = await database.query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from accounts where is_operator order by id`,
  )
  return rows.map(accountOf)
}
