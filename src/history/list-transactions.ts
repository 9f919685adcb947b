import type { SqlValue, Transaction } from '../db/database.ts'
import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import type { Id } from '../lib/ids.ts'
import type { HistoryDatabase } from './histories.ts'
import {
  conditionsOf,
  mayBeSparse,
  stretchOf,
  type Stretch,
  type TransactionFilter,
} from './transaction-filter.ts'
import {
  COLUMNS,
  transactionRecord,
  type TransactionRecord,
  type TransactionRow,
} from './transaction-record.ts'

/** `nextCursor` is null at the end of the history. A page can be short or empty when the filter matches few rows. */
export type TransactionPage = {
  readonly transactions: readonly TransactionRecord[]
  readonly nextCursor: string | null
}

export type PageRequest = {
  readonly walletId: number
  readonly filter: TransactionFilter
  readonly cursor: string | null
  readonly limit: number
}

/**
 * Maximum rows scanned per page. A filter by key, service, action or external id has no index.
 * With 5 million rows, an index by key alone would add a fifth to the cost of writing each row (7.0
 * to 8.5 µs), while scanning this many rows takes about 5 ms. So a page ends where its scan ended,
 * and the next one continues there. An unlimited scan for a rare value would take 430 ms.
 */
const LOOKED_THROUGH_PER_PAGE = 20_000

/**
 * Holds and transactions of a wallet, newest call first; `sequence` gives the order in which money
 * moved. Rows that existed when the first page was read appear exactly once despite later writes,
 * because a hold keeps its id when it is posted. Throws AppError invalid_params for an
 * invalid cursor.
 */
export async function listTransactions(
  database: HistoryDatabase,
  request: PageRequest,
): Promise<TransactionPage> {
  const { filter, limit } = request
  const stretch = stretchOf(filter, request.cursor === null ? null : decodeCursor(request.cursor))
  const { rows, stop } = mayBeSparse(filter)
    ? await look(database, request, stretch)
    : { rows: await readRows(database, request, stretch, false), stop: null }
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1)?.id : stop
  const records = shown.map(transactionRecord)
  // The balance belongs to the account and also changes with the calls of other keys.
  const transactions =
    filter.onlyKeyId === undefined
      ? records
      : records.map((record) => ({ ...record, sequence: null, balance_after_micros: null }))
  return { transactions, nextCursor: typeof last === 'string' ? encodeCursor(last) : null }
}

// These statements have no name, so PostgreSQL plans them for the given values. A cached generic plan
// would not use the primary key.

/** The matching rows among those that one page scans, and where the scan ended: null at the end. */
function look(
  database: HistoryDatabase,
  request: PageRequest,
  { from, before }: Stretch,
): Promise<{ rows: readonly TransactionRow[]; stop: Id | null }> {
  return database.transaction(async (tx) => {
    // Both statements must see the same rows; otherwise a row posted in between appears twice or never.
    await tx.query('set transaction isolation level repeatable read, read only')
    const end = await tx.query<{ id: Id }>(
      'select id from transactions where wallet_id = $1 and id < $2 and id >= $3 order by id desc offset $4 limit 1',
      [request.walletId, before, from, LOOKED_THROUGH_PER_PAGE - 1],
    )
    const stop = end.rows[0]?.id ?? null
    return { rows: await readRows(tx, request, { from: stop ?? from, before }, true), stop }
  })
}

/** One row more than the page shows. A single statement has one snapshot, so a hold that is being posted appears on one side only. */
async function readRows(
  database: HistoryDatabase | Transaction,
  { walletId, filter, limit }: PageRequest,
  { from, before }: Stretch,
  isSparse: boolean,
): Promise<readonly TransactionRow[]> {
  const values: SqlValue[] = [walletId, before, from, limit + 1]
  const stretch = 'wallet_id = $1 and id < $2 and id >= $3'
  const fits = conditionsOf(filter, values)
  const newest = 'order by id desc limit $4'
  const parts: string[] = []
  if (filter.status !== 'held') {
    // The inner limit excludes nothing. It makes the planner walk the key in order, independent of its estimate.
    const posted = isSparse
      ? `(select * from transactions where ${stretch} order by id desc limit ${LOOKED_THROUGH_PER_PAGE}) as looked where true`
      : `transactions where ${stretch}`
    parts.push(
      `(select ${COLUMNS} from ${posted} ${fits} ${statusCondition(filter, values)} ${newest})`,
    )
  }
  if (filter.status === 'held' || filter.status === undefined)
    parts.push(`(select ${COLUMNS} from open_calls where ${stretch} ${fits} ${newest})`)
  const { rows } = await database.query<TransactionRow>(
    parts.length === 1 ? parts.join() : `${parts.join(' union all ')} ${newest}`,
    values,
  )
  return rows
}

function statusCondition({ status }: TransactionFilter, values: SqlValue[]): string {
  return status === undefined ? '' : `and status = $${values.push(status)}`
}
