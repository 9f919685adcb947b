import type { Database } from '../db/database.ts'
import type { Mode } from '../lib/mode.ts'
import { csvLine } from '../lib/csv.ts'
import { publicId, type Id } from '../lib/ids.ts'
import type { HistoryDatabase } from './histories.ts'
import { listTransactions } from './list-transactions.ts'
import type { TransactionFilter } from './transaction-filter.ts'
import { CSV_COLUMNS, type TransactionRecord } from './transaction-record.ts'

export type ExportFormat = 'csv' | 'ndjson'
export type ExportRequest = {
  readonly walletId: number
  readonly filter: TransactionFilter
  readonly format: ExportFormat
}

const ROWS_PER_READ = 1000

/**
 * The whole filtered history as text, newest first. Reads at most one page ahead of the consumer, so
 * memory does not grow with the history. Transactions posted after the start may be missing.
 */
export async function* exportTransactions(
  database: HistoryDatabase,
  { walletId, filter, format }: ExportRequest,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(CSV_COLUMNS)
  for await (const records of pagesOf(database, walletId, filter))
    yield records.map(format === 'csv' ? csvRow : ndjsonRow).join('')
}

/** The same for every account, with the account in the first columns, for the operator's books. Accounts are in order of creation. */
export async function* exportBooks(
  database: Database,
  { mode, filter }: { readonly mode: Mode; readonly filter: TransactionFilter },
): AsyncGenerator<string> {
  yield csvLine(['account_id', 'email', ...CSV_COLUMNS])
  const wallets = await database.query<{ id: bigint; account_id: Id; email: string }>(
    'select wallets.id, account_id, email from wallets join accounts on accounts.id = account_id where mode = $1 order by account_id',
    [mode],
  )
  for (const { id, account_id: accountId, email } of wallets.rows) {
    const whose = [publicId('account', accountId), email]
    for await (const records of pagesOf(database, Number(id), filter))
      yield records.map((record) => csvLine([...whose, ...cellsOf(record)])).join('')
  }
}

async function* pagesOf(
  database: HistoryDatabase,
  walletId: number,
  filter: TransactionFilter,
): AsyncGenerator<readonly TransactionRecord[]> {
  let cursor: string | null = null
  do {
    const page = await listTransactions(database, {
      walletId,
      filter,
      cursor,
      limit: ROWS_PER_READ,
    })
    if (page.transactions.length > 0) yield page.transactions
    cursor = page.nextCursor
  } while (cursor !== null)
}

function ndjsonRow(record: TransactionRecord): string {
  return `${JSON.stringify(record)}\n`
}

function csvRow(record: TransactionRecord): string {
  return csvLine(cellsOf(record))
}

function cellsOf(record: TransactionRecord): unknown[] {
  return CSV_COLUMNS.map((column) => record[column])
}
