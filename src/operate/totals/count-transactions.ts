/**
 * Totals by day and by hour, counted after the fact. A wallet numbers its transactions without gaps
 * (`sequence`), so a pass knows how many it must find. It reads those near the newest counted id, and
 * more only when some are missing. Each transaction is counted exactly once.
 */
import type { Database, Transaction } from '../../db/database.ts'
import { LOCK_NUMBER } from '../../db/lock-number.ts'
import { invariant } from '../../errors/app-error.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { firstIdAt, idTimeMs, type Id } from '../../lib/ids.ts'

/** Wallets per pass. The next pass counts the others. */
const WALLETS_PER_PASS = 500
/** Transactions of a wallet per pass, for a database that was never counted. */
const MOST_PER_WALLET = 100_000
// Most calls end soon; jobs and sessions can take days.
const LOOK_BACK_MS = [60_000, HOUR_MS, 3 * DAY_MS, Number.POSITIVE_INFINITY]
/** How long hours are stored. Days are stored like the books. */
const HOURS_STORED_MS = 35 * DAY_MS

type Due = {
  readonly wallet_id: bigint
  readonly mode: string
  readonly counted: bigint
  readonly until: bigint
  readonly newest_id: Id | null
}

/** Counts transactions that were posted since the last pass. Returns their number; 0 while another process counts. */
export async function countTransactions(database: Pick<Database, 'transaction'>): Promise<number> {
  return database.transaction(async (tx) => {
    const { rows: locks } = await tx.query<{ free: boolean }>(
      `select pg_try_advisory_xact_lock(${LOCK_NUMBER.totals}) as free`,
    )
    if (locks[0]?.free !== true) return 0
    const { rows } = await tx.query<Due>(
      `select wallets.id as wallet_id, mode, coalesce(sequence, 0) as counted, least(posted, coalesce(sequence, 0) + $2) as until, newest_id
       from wallets left join counted_wallets on wallet_id = wallets.id
       where posted > coalesce(sequence, 0) limit $1`,
      [WALLETS_PER_PASS, MOST_PER_WALLET],
    )
    let total = 0
    for (const due of rows) total += await countWallet(tx, due)
    return total
  })
}

async function countWallet(tx: Transaction, due: Due): Promise<number> {
  const expected = Number(due.until - due.counted)
  const windows = due.newest_id === null ? LOOK_BACK_MS.slice(-1) : LOOK_BACK_MS
  for (const lookBackMs of windows) {
    const from =
      due.newest_id === null ? firstIdAt(0) : firstIdAt(idTimeMs(due.newest_id) - lookBackMs)
    const { rows } = await tx.query<{ found: bigint; newest: Id | null }>(COUNT, [
      due.wallet_id,
      from,
      due.counted,
      due.until,
      expected,
      due.mode,
    ])
    if (Number(rows[0]?.found ?? 0) !== expected) continue
    await tx.query(
      `insert into counted_wallets (wallet_id, sequence, newest_id) values ($1, $2, $3)
       on conflict (wallet_id) do update set sequence = $2, newest_id = greatest(counted_wallets.newest_id, $3)`,
      [due.wallet_id, due.until, rows[0]?.newest ?? from],
    )
    return expected
  }
  invariant(false, `wallet ${due.wallet_id} has all transactions up to its last sequence`)
}

/** Adds the transactions to the three tables if all of them were found. */
const COUNT = `with found as materialized (
    select id, day, kind, coalesce(service, '') as service, status, amount_micros, latency_ms, coalesce(error_code, '') as error_code
    from transactions where wallet_id = $1 and id >= $2 and sequence > $3 and sequence <= $4
  ), wallet as (
    insert into wallet_days as total (day, wallet_id, kind, transactions, failed, amount_micros)
    select day, $1, kind, count(*), count(*) filter (where status = 'released'), sum(amount_micros)
    from found where (select count(*) from found) = $5 group by day, kind
    on conflict (day, wallet_id, kind) do update set transactions = total.transactions + excluded.transactions,
      failed = total.failed + excluded.failed, amount_micros = total.amount_micros + excluded.amount_micros
  ), services as (
    insert into service_days as total (day, mode, service, kind, transactions, failed, amount_micros)
    select day, $6, service, kind, count(*), count(*) filter (where status = 'released'), sum(amount_micros)
    from found where (select count(*) from found) = $5 group by day, service, kind
    on conflict (day, mode, service, kind) do update set transactions = total.transactions + excluded.transactions,
      failed = total.failed + excluded.failed, amount_micros = total.amount_micros + excluded.amount_micros
  ), hours as (
    insert into hour_totals as total (hour, mode, service, error_code, latency_step, calls)
    select ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / ${HOUR_MS}, $6, service, error_code,
      case when status = 'released' or latency_ms is null then -1 else floor(2 * log(2.0, greatest(latency_ms, 1))) end, count(*)
    from found where kind in ('call', 'job', 'llm', 'session') and (select count(*) from found) = $5 group by 1, 3, 4, 5
    on conflict (hour, mode, service, error_code, latency_step) do update set calls = total.calls + excluded.calls
  )
  select count(*) as found, max(id::text)::uuid as newest from found`

/** Deletes hours that are older than the console shows. */
export async function forgetHours(
  database: Pick<Database, 'query'>,
  nowMs: number,
): Promise<number> {
  const { count } = await database.query('delete from hour_totals where hour < $1', [
    Math.floor((nowMs - HOURS_STORED_MS) / HOUR_MS),
  ])
  return count
}
