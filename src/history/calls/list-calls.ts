import type { SqlValue } from '../../db/database.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import type { HistoryDatabase } from '../histories.ts'
import { listTransactions } from '../list-transactions.ts'
import { stretchOf, type Stretch } from '../transaction-filter.ts'
import type { TransactionRecord } from '../transaction-record.ts'
import { logConditions, mayBeLogged, transactionsOf, type CallFilter } from './call-filter.ts'
import {
  callOfLog,
  callOfTransaction,
  LOG_COLUMNS,
  mergeCalls,
  type CallRecord,
  type LogRow,
} from './call-record.ts'

/** `nextCursor` is null at the end. A page can be short or empty when the filter matches few calls. */
export type CallPage = {
  readonly calls: readonly CallRecord[]
  readonly nextCursor: string | null
}

export type CallPageRequest = {
  readonly walletId: number
  readonly filter: CallFilter
  readonly cursor: string | null
  readonly limit: number
}

/** Rows of the log that a page scans at most, as for transactions. */
const LOOKED_THROUGH_PER_PAGE = 20_000
const BEFORE_EVERY_ID = '0'.repeat(32)

/** A source's part of a page. It is complete down to `end`, inclusive; null: to its end. */
type Part = { readonly calls: ReadonlyMap<Id, CallRecord>; readonly end: Id | null }

/**
 * Calls of a wallet, newest first: open holds and transactions from the ledger, and everything
 * without a charge from the log. Throws AppError invalid_params for an invalid cursor.
 */
export async function listCalls(
  database: HistoryDatabase,
  request: CallPageRequest,
): Promise<CallPage> {
  const { filter, limit } = request
  const before = request.cursor === null ? null : decodeCursor(request.cursor)
  const [booked, logged] = await Promise.all([
    readBooked(database, request),
    mayBeLogged(filter)
      ? readLog(database, request, stretchOf(filter, before))
      : { calls: new Map<Id, CallRecord>(), end: null },
  ])
  // Below the higher of both ends, a page would lack calls of one source.
  const end = [booked.end, logged.end].reduce(later, null)
  const ids = [...new Set([...booked.calls.keys(), ...logged.calls.keys()])]
    .filter((id) => id >= (end ?? BEFORE_EVERY_ID))
    .toSorted()
    .toReversed()
  const shown = ids.slice(0, limit)
  const next = ids.length > limit ? (shown.at(-1) ?? null) : end
  return {
    calls: shown.flatMap((id) => joined(booked.calls.get(id), logged.calls.get(id)) ?? []),
    nextCursor: next === null ? null : encodeCursor(next),
  }
}

function later(one: Id | null, other: Id | null): Id | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

function joined(
  booked: CallRecord | undefined,
  logged: CallRecord | undefined,
): CallRecord | undefined {
  if (booked === undefined || logged === undefined) return booked ?? logged
  return mergeCalls(booked, logged)
}

async function readBooked(
  database: HistoryDatabase,
  { walletId, filter, cursor, limit }: CallPageRequest,
): Promise<Part> {
  const { transactions, nextCursor } = await listTransactions(database, {
    walletId,
    filter: transactionsOf(filter),
    cursor,
    limit,
  })
  return {
    calls: new Map(transactions.map((line) => [idOf(line), callOfTransaction(line)])),
    end: nextCursor === null ? null : decodeCursor(nextCursor),
  }
}

function idOf({ id }: TransactionRecord): Id {
  return parsePublicId('transaction', id) ?? id
}

async function readLog(
  database: HistoryDatabase,
  { walletId, filter, limit }: CallPageRequest,
  { from, before }: Stretch,
): Promise<Part> {
  const values: SqlValue[] = [walletId, before, from, limit + 1]
  const conditions = logConditions(filter, values)
  const { rows } = await database.query<LogRow & { readonly stop: Id | null }>(
    conditions === ''
      ? `select ${LOG_COLUMNS}, null as stop ${STRETCH} limit $4`
      : looked(conditions),
    values,
  )
  // A scan without a match returns its stop alone.
  const found = rows.filter((row) => (row.id as Id | null) !== null)
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1)?.id : rows[0]?.stop
  return { calls: new Map(shown.map((row) => [row.id, callOfLog(row)])), end: last ?? null }
}

const STRETCH =
  'from call_log where wallet_id = $1 and id < $2 and id >= $3 order by wallet_id desc, id desc'

/** The matching rows among those that one page scans, and where the scan stopped. */
function looked(conditions: string): string {
  return `with looked as materialized (select ${LOG_COLUMNS} ${STRETCH} limit ${LOOKED_THROUGH_PER_PAGE}),
    ended as (select case when count(*) = ${LOOKED_THROUGH_PER_PAGE} then (array_agg(id order by id))[1] end as stop from looked)
    select found.*, stop from ended left join lateral (
      select * from looked where true ${conditions} order by id desc limit $4
    ) as found on true order by found.id desc`
}
