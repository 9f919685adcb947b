import type { Database } from '../../db/database.ts'
import { firstIdAt, parsePublicId, type Id } from '../../lib/ids.ts'
import { COLUMNS, transactionRecord, type TransactionRow } from '../transaction-record.ts'
import {
  callOfLog,
  callOfTransaction,
  LOG_COLUMNS,
  mergeCalls,
  type CallRecord,
  type LogRow,
} from './call-record.ts'

/** Calls of a wallet that one read returns from each source, the newest. */
export const MOST_RECENT = 50
const RECENT_MS = 600_000

/** A call, with the id that orders it. */
export type RecentCall = { readonly id: Id; readonly call: CallRecord }

/** A call that had not ended when it was last read. */
export type PendingCall = { readonly wallet: number; readonly id: Id }

/**
 * The newest calls of these wallets, and those of `pending` that ended, by wallet and oldest first. Two
 * statements for any number of wallets.
 */
export async function readRecentCalls(
  database: Pick<Database, 'query'>,
  wallets: readonly number[],
  pending: readonly PendingCall[],
  nowMs: number,
): Promise<ReadonlyMap<number, readonly RecentCall[]>> {
  const from = firstIdAt(nowMs - RECENT_MS)
  const watched = 'unnest($1::bigint[]) as watched(wallet) cross join lateral'
  const newest = `order by id desc limit ${MOST_RECENT}`
  const [booked, logged] = await Promise.all([
    database.query<TransactionRow & { readonly wallet: bigint }>(
      `select wallet, ${COLUMNS} from ${watched} (
         (select ${COLUMNS} from transactions where wallet_id = wallet and id >= $2 ${newest})
         union all (select ${COLUMNS} from open_calls where wallet_id = wallet ${newest})
       ) as line where service is not null
       union all select wallet, ${COLUMNS} from unnest($3::bigint[], $4::uuid[]) as pending(wallet, one) join transactions on wallet_id = wallet and id = one`,
      [wallets, from, pending.map(({ wallet }) => wallet), pending.map(({ id }) => id)],
    ),
    database.query<LogRow & { readonly wallet: bigint }>(
      `select wallet, ${LOG_COLUMNS} from ${watched} (
         select ${LOG_COLUMNS} from call_log where wallet_id = wallet and id >= $2 and omitted = 0 ${newest}
       ) as line`,
      [wallets, from],
    ),
  ])
  const calls = new Map<number, Map<Id, CallRecord>>()
  const add = (wallet: bigint, id: Id, call: CallRecord): void => {
    const ofWallet = calls.get(Number(wallet)) ?? new Map<Id, CallRecord>()
    const known = ofWallet.get(id)
    ofWallet.set(id, known === undefined ? call : mergeCalls(known, call))
    calls.set(Number(wallet), ofWallet)
  }
  // A call can be in both parts of the statement.
  for (const row of booked.rows) add(row.wallet, row.id, callOfTransaction(transactionRecord(row)))
  for (const row of logged.rows) add(row.wallet, row.id, callOfLog(row))
  return new Map(
    [...calls].map(([wallet, ofWallet]) => [
      wallet,
      [...ofWallet]
        .map(([id, call]) => ({ id, call }))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    ]),
  )
}

/** The id inside the public id of a call; null for another text. */
export function callIdOf(text: string): Id | null {
  return parsePublicId('request', text) ?? parsePublicId('transaction', text)
}
