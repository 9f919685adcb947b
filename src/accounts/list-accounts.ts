import type { Database } from '../db/database.ts'
import { toCentsRoundedDown } from '../lib/money.ts'
import { accountOf, type Account, type AccountRow } from './account.ts'

export type ListedAccount = Account & {
  readonly balance_cents: number
  readonly balance_micros: number
  readonly held_micros: number
  readonly keys: number
  /** The primary keys of an open account are never revoked. */ readonly closed: boolean
}

/** All accounts with their live balance and number of active keys, oldest first. For operators. */
export async function listAccounts(database: Database): Promise<ListedAccount[]> {
  const { rows } = await database.query<
    AccountRow & { balance_micros: bigint; held_micros: bigint; keys: bigint }
  >(
    `select accounts.id, email, tier, is_owner, created_at, balance_micros, held_micros,
       (select count(*) from keys join budgets on budgets.id = keys.id where keys.account_id = accounts.id and state <> 'closed') as keys
     from accounts join wallets on wallets.account_id = accounts.id and wallets.mode = 'live' order by accounts.id`,
  )
  return rows.map((row) => ({
    ...accountOf(row),
    balance_cents: toCentsRoundedDown(row.balance_micros),
    balance_micros: Number(row.balance_micros),
    held_micros: Number(row.held_micros),
    keys: Number(row.keys),
    closed: row.keys === 0n,
  }))
}
