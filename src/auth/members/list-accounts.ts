import type { Query } from '../../db/database.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { OwnAccount } from '../records/browser-session.ts'
import { OPEN_ACCOUNT } from '../records/choose-account.ts'

const MOST_ACCOUNTS = 100

/** The open accounts of a person, the first one first. */
export async function listAccounts(
  { query }: { readonly query: Query },
  personId: Id,
): Promise<readonly OwnAccount[]> {
  const { rows } = await query<OwnAccount>(
    `select account_id as id, (select email from accounts where id = account_id) as name, role
     from members where person_id = $1 and ${OPEN_ACCOUNT} order by joined_at, account_id limit $2`,
    [personId, MOST_ACCOUNTS],
  )
  return rows.map((row) => ({ ...row, id: publicId('account', row.id) }))
}
