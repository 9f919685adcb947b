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

/**
 * `perPass`: wallets after which a pass ends, so that a stopping process waits for few; the next pass continues.
 * `listed`: wallets that one statement lists. `atOnce`: transactions of a wallet per database transaction.
 */
const LIMITS = { perPass: 5_000, listed: 500, atOnce: 20_000 }
// Most calls end soon; jobs and sessions can take days.
const LOOK_BACK_MS = [60_000, HOUR_MS, 3 * DAY_MS, Number.POSITIVE_INFINITY]
/** How long hours are stored. Days are stored like the books. */
const HOURS_STORED_MS = 35 * DAY_MS

type Due = {
  readonly wallet_id: bigint
  readonly mode: string
  readonly counted: bigint
  readonly until: bigint
  readonly posted: bigint
  readonly newest_id: Id | null
}

type CountDeps = {
  readonly database: Pick<Database, 'query' | 'transaction'>
  /** Receives the error of one wallet. The others are counted. */
  readonly onError: (error: unknown, what: string) => void
  readonly limits?: typeof LIMITS
}

/** Counts transactions that were posted since the last pass. Returns their number. Ends early while another process counts. */
export async function countTransactions({
  database,
  onError,
  limits = LIMITS,
}: CountDeps): Promise<number> {
  const tried: bigint[] = []
  let [total, isBehind] = [0, false]
  while (tried.length < limits.perPass) {
    const due = await listDue(database, tried, limits.listed)
    for (const walletId of due) {
      tried.push(walletId)
      try {
        const counted = await database.transaction((tx) => countNext(tx, walletId, limits.atOnce))
        if (counted === null) return total
        total += counted.count
        isBehind ||= counted.isBehind
      } catch (error) {
        isBehind = true
        onError(error, `the transactions of wallet ${walletId} were not counted`)
        // Ends the pass when the database is away.
        await database.query('select')
      }
    }
    if (due.length < limits.listed) {
      await markProgress(database, isBehind)
      return total
    }
  }
  await markProgress(database, true)
  return total
}

/** The wallets with uncounted transactions, those never counted or idle for longest first. */
async function listDue(
  { query }: Pick<Database, 'query'>,
  tried: readonly bigint[],
  limit: number,
): Promise<readonly bigint[]> {
  const { rows } = await query<{ id: bigint }>(
    `select id from wallets left join counted_wallets on wallet_id = id
     where posted > coalesce(sequence, 0) and id <> all($1::bigint[]) order by newest_id nulls first, id limit $2`,
    [tried, limit],
  )
  return rows.map(({ id }) => id)
}

/** Lets the overview read how complete the totals are. */
async function markProgress({ query }: Pick<Database, 'query'>, isBehind: boolean): Promise<void> {
  await query('update counting_progress set is_behind = $1 where is_behind <> $1', [isBehind])
}

/** Counts the next transactions of a wallet. Null while another process counts. */
async function countNext(
  tx: Transaction,
  walletId: bigint,
  atOnce: number,
): Promise<{ readonly count: number; readonly isBehind: boolean } | null> {
  // A crash loses the totals and the mark together, so the commit need not wait for the disk.
  const { rows: locks } = await tx.query<{ free: boolean }>(
    `select pg_try_advisory_xact_lock(${LOCK_NUMBER.totals}) as free, set_config('synchronous_commit', 'off', true)`,
  )
  if (locks[0]?.free !== true) return null
  // Another process may have counted the wallet since it was listed.
  const { rows } = await tx.query<Due>(
    `select id as wallet_id, mode, posted, coalesce(sequence, 0) as counted, least(posted, coalesce(sequence, 0) + $2) as until, newest_id
     from wallets left join counted_wallets on wallet_id = id where id = $1`,
    [walletId, atOnce],
  )
  const [due] = rows
  if (due === undefined || due.until === due.counted) return { count: 0, isBehind: false }
  return { count: await countWallet(tx, due), isBehind: due.until < due.posted }
}

type Window = { readonly lookBackMs: number; readonly most: number | null }

/** The parts of the history in which the transactions are sought. A wallet that is far behind has many later ones, too. */
function windowsOf({ newest_id: newest, until, counted, posted }: Due): readonly Window[] {
  const whole = LOOK_BACK_MS.map((lookBackMs) => ({ lookBackMs, most: null }))
  const windows = newest === null ? whole.slice(-1) : whole
  const [first] = windows
  return until === posted || first === undefined
    ? windows
    : [{ ...first, most: 2 * Number(until - counted) }, ...windows]
}

async function countWallet(tx: Transaction, due: Due): Promise<number> {
  const expected = Number(due.until - due.counted)
  for (const { lookBackMs, most } of windowsOf(due)) {
    const from =
      due.newest_id === null ? firstIdAt(0) : firstIdAt(idTimeMs(due.newest_id) - lookBackMs)
    const { rows } = await tx.query<{ found: bigint; newest: Id | null }>(COUNT, [
      due.wallet_id,
      from,
      due.counted,
      due.until,
      expected,
      due.mode,
      most,
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
    from (select * from transactions where wallet_id = $1 and id >= $2 order by id limit $7::bigint) as near where sequence > $3 and sequence <= $4
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
