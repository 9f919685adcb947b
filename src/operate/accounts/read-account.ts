import { readAccountBalance, type Balance } from '../../accounts/balance.ts'
import { walletOf } from '../../accounts/wallet-of.ts'
import { listChanges, type ChangePage } from '../../audit/list-changes.ts'
import type { Database } from '../../db/database.ts'
import { listTransactions } from '../../history/list-transactions.ts'
import type { TransactionRecord } from '../../history/transaction-record.ts'
import type { KeyRecord } from '../../keys/key-record.ts'
import { listKeys } from '../../keys/list-keys.ts'
import { operatorOf } from '../../keys/operator.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import type { Micros } from '../../lib/money.ts'
import { readWalletTotals } from '../totals/read-totals.ts'
import { findAccountLine, type AccountLine } from './search-accounts.ts'

/** Everything that the page of one account shows. */
export type AccountDetails = {
  readonly line: AccountLine
  readonly balance: Balance
  /** Of the last 30 days. */
  readonly totals: { readonly calls: number; readonly failed: number; readonly revenue: Micros }
  readonly dailyCap: Micros
  readonly keys: readonly KeyRecord[]
  readonly hasMoreKeys: boolean
  readonly calls: readonly TransactionRecord[]
  readonly payments: readonly CardPaymentLine[]
  readonly changes: ChangePage
}

export type CardPaymentLine = {
  readonly creditedAt: Date
  readonly amount: Micros
  readonly reversed: Micros
}

const [KEYS_SHOWN, CALLS_SHOWN, CHANGES_SHOWN, PAYMENTS_SHOWN] = [10, 10, 15, 10]
export const TOTAL_DAYS = 30

/** Null for an unknown account. */
export async function readAccountDetails(
  { database, now }: { readonly database: Database; readonly now: Clock },
  id: string,
): Promise<AccountDetails | null> {
  const line = await findAccountLine(database, id)
  if (line === null) return null
  const { accountId } = line
  const walletId = await walletOf(database, accountId, 'live')
  const today = Math.floor(now() / DAY_MS)
  const [balance, totals, caps, keys, calls, payments, changes] = await Promise.all([
    readAccountBalance({ database, now }, { accountId, mode: 'live', walletId }),
    readWalletTotals(database, {
      walletId: BigInt(walletId),
      fromDay: today - TOTAL_DAYS + 1,
      untilDay: today + 1,
    }),
    database.query<{ cap_micros: bigint }>(
      // Wallets without a row have the default of the column.
      `select coalesce((select cap_micros from inference_days where wallet_id = $1),
         (select column_default::bigint from information_schema.columns
          where table_schema = current_schema() and table_name = 'inference_days' and column_name = 'cap_micros')) as cap_micros`,
      [walletId],
    ),
    listKeys({ database, now }, operatorOf(accountId), { limit: KEYS_SHOWN, cursor: null }),
    listTransactions(database, { walletId, filter: {}, cursor: null, limit: CALLS_SHOWN }),
    readCardPayments(database, accountId),
    listChanges(database, { filter: { accountId }, cursor: null, limit: CHANGES_SHOWN }),
  ])
  return {
    line,
    balance,
    totals,
    dailyCap: caps.rows[0]?.cap_micros ?? 0n,
    keys: keys.keys,
    hasMoreKeys: keys.nextCursor !== null,
    calls: calls.transactions,
    payments,
    changes,
  }
}

async function readCardPayments(
  { query }: Database,
  accountId: string,
): Promise<readonly CardPaymentLine[]> {
  const { rows } = await query<{
    credited_at: Date
    amount_micros: bigint
    reversed_micros: bigint
  }>(
    'select credited_at, amount_micros, reversed_micros from card_payments where account_id = $1 order by credited_at desc limit $2',
    [accountId, PAYMENTS_SHOWN],
  )
  return rows.map((row) => ({
    creditedAt: row.credited_at,
    amount: row.amount_micros,
    reversed: row.reversed_micros,
  }))
}
