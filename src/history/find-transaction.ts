import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import { accountOf, type Account, type AccountRow } from '../accounts/account.ts'
import { OPEN, POSTED_COLUMNS } from './list-transactions.ts'
import {
  transactionRecord,
  type TransactionRecord,
  type TransactionRow,
} from './transaction-record.ts'

export type FoundTransaction = {
  readonly transaction: TransactionRecord
  /** `accountId` is the id inside `account.id`. */
  readonly accountId: Id
  readonly account: Account
  readonly mode: Mode
  /** Of the key that made the call; null where it has none, or made none. */
  readonly keyLabel: string | null
}

type Row = TransactionRow & {
  readonly account_id: Id
  readonly email: string
  readonly tier: AccountRow['tier']
  readonly is_owner: boolean
  readonly opened_at: Date
  readonly mode: Mode
  readonly key_label: string | null
}

/** Of any account, for operators: the open hold or the posted transaction of this id; null when there is none. */
export async function findTransaction(
  database: Database,
  id: Id,
): Promise<FoundTransaction | null> {
  // One statement, hence one snapshot: a hold that is being posted is seen on one side.
  const { rows } = await database.query<Row>(
    `select line.*, accounts.id as account_id, email, tier, is_owner, accounts.created_at as opened_at, wallets.mode, label as key_label
     from (select wallet_id, ${POSTED_COLUMNS} from transactions where id = $1 union all select wallet_id, open.* from (${OPEN} where id = $1) as open join holds using (id)) as line
     join wallets on wallets.id = wallet_id join accounts on accounts.id = account_id left join keys on keys.id = budget_id`,
    [id],
  )
  const [row] = rows
  if (row === undefined) return null
  const account = accountOf({
    id: row.account_id,
    email: row.email,
    tier: row.tier,
    is_owner: row.is_owner,
    created_at: row.opened_at,
  })
  return {
    transaction: transactionRecord(row),
    accountId: row.account_id,
    account,
    mode: row.mode,
    keyLabel: row.key_label,
  }
}
