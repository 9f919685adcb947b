import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import { accountOf, type Account, type AccountRow } from '../accounts/account.ts'
import {
  COLUMNS,
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
  /** The key that made the call, or null. */
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

/** For operators: the open hold or posted transaction with this id, in any account, or null. */
export async function findTransaction(
  database: Database,
  id: Id,
): Promise<FoundTransaction | null> {
  // A single statement has one snapshot, so a hold that is being posted appears on one side only.
  const { rows } = await database.query<Row>(
    `select line.*, accounts.id as account_id, email, tier, is_owner, accounts.created_at as opened_at, wallets.mode, keys.label as key_label
     from (select wallet_id, ${COLUMNS} from transactions where id = $1 union all select wallet_id, ${COLUMNS} from open_calls where id = $1) as line
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
