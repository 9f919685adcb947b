/**
 * Totals by day and by hour, counted after the fact. A wallet numbers its transactions without gaps
 * (`sequence`), so a pass knows how many it must find. Each transaction is counted exactly once.
 */
import type { Database, Transaction } from '../../db/database.ts'
import { LOCK_NUMBER } from '../../db/lock-number.ts'
import { HOUR_MS, DAY_MS } from '../../lib/clock.ts'
import { countMany } from './count-many.ts'
import { countOne } from './count-one.ts'

/**
 * `statements`: after which a pass ends, so that a stopping process waits for few; the next pass continues. `wallets` and
 * `transactions`: what one statement counts. `atOnce`: transactions of a wallet that is counted on its own.
 */
const LIMITS = { statements: 500, wallets: 5_000, transactions: 500_000, atOnce: 20_000 }
/** How long hours are stored. Days are stored like the books. */
const HOURS_STORED_MS = 35 * DAY_MS
/** A process that marked a wallet may post for half of it without another mark (src/ledger/marked-wallets.ts). */
const MARKED_MS = 60_000

type CountDeps = {
  readonly database: Pick<Database, 'query' | 'transaction'>
  /** Receives the error of one wallet. The others are counted. */
  readonly onError: (error: unknown, what: string) => void
  readonly monotonicMs?: () => number
  readonly limits?: typeof LIMITS
}

/** A pass counts the transactions that were posted since the last one. Returns their number. */
export type CountingPass = () => Promise<number>

/**
 * The first pass looks for uncounted transactions in all wallets, because processes of former versions left no marks. Later
 * ones read marked wallets. A pass ends early while another process counts.
 */
export function createCountingPass(deps: CountDeps): CountingPass {
  const { database, monotonicMs = () => performance.now() } = deps
  let isFirst = true
  const horizons: { readonly sinceMs: number; readonly transaction: string }[] = []
  return async () => {
    if (isFirst) await markAll(database)
    isFirst = false
    const total = await count(deps)
    const nowMs = monotonicMs()
    horizons.push({ sinceMs: nowMs, transaction: await oldestOpen(database) })
    const isOver = ({ sinceMs }: { readonly sinceMs: number }): boolean =>
      nowMs - sinceMs >= MARKED_MS
    const over = horizons.findLast(isOver)
    if (over === undefined) return total
    horizons.splice(0, horizons.indexOf(over) + 1)
    await forgetMarks(database, over.transaction)
    return total
  }
}

async function count(deps: CountDeps): Promise<number> {
  const { database, limits = LIMITS } = deps
  const left: bigint[] = []
  let [total, after] = [0, 0n]
  for (let statements = 1; statements <= limits.statements; statements += 1) {
    const many = await countingAlone(database, (tx) => countMany(tx, { after, ...limits }))
    if (many === null) return total
    total += many.count
    after = many.last
    left.push(...many.left)
    if (!many.isLast) continue
    const rest = await countLeft(deps, left, limits.statements - statements)
    if (rest.isBehind !== null) await markProgress(database, rest.isBehind)
    return total + rest.count
  }
  await markProgress(database, true)
  return total
}

type Rest = {
  readonly count: number
  /** Null while another process counts. */
  readonly isBehind: boolean | null
}

/** Counts wallets one by one, each in as many steps as it needs. */
async function countLeft(
  { database, onError, limits = LIMITS }: CountDeps,
  left: readonly bigint[],
  mostStatements: number,
): Promise<Rest> {
  let [total, statements, isBehind] = [0, 0, false]
  for (const walletId of left)
    for (let isDone = false; !isDone;) {
      if (statements >= mostStatements) return { count: total, isBehind: true }
      statements += 1
      try {
        const one = await countingAlone(database, (tx) => countOne(tx, walletId, limits.atOnce))
        if (one === null) return { count: total, isBehind: null }
        total += one.count
        isDone = one.isLast
      } catch (error) {
        ;[isDone, isBehind] = [true, true]
        onError(error, `the transactions of wallet ${walletId} were not counted`)
        // Ends the pass when the database is away.
        await database.query('select')
      }
    }
  return { count: total, isBehind }
}

/** Null while another process counts. */
async function countingAlone<Result>(
  database: CountDeps['database'],
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result | null> {
  return database.transaction(async (tx) => {
    // A crash loses the totals and the mark together, so the commit need not wait for the disk.
    const { rows } = await tx.query<{ free: boolean }>(
      `select pg_try_advisory_xact_lock(${LOCK_NUMBER.totals}) as free, set_config('synchronous_commit', 'off', true)`,
    )
    return rows[0]?.free === true ? work(tx) : null
  })
}

/** Lets the overview read how complete the totals are. */
async function markProgress({ query }: Pick<Database, 'query'>, isBehind: boolean): Promise<void> {
  await query('update counting_progress set is_behind = $1 where is_behind <> $1', [isBehind])
}

async function markAll({ query }: Pick<Database, 'query'>): Promise<void> {
  await query(
    `insert into uncounted_wallets (wallet_id, marked_by)
     select id, pg_current_xact_id() from wallets left join counted_wallets on wallet_id = id
     where posted > coalesce(sequence, 0) on conflict do nothing`,
  )
}

/** Marks by earlier transactions were made before this moment. */
async function oldestOpen({ query }: Pick<Database, 'query'>): Promise<string> {
  const { rows } = await query<{ oldest: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest',
  )
  return rows[0]?.oldest ?? '0'
}

async function forgetMarks({ query }: Pick<Database, 'query'>, before: string): Promise<void> {
  await query(
    `delete from uncounted_wallets using wallets join counted_wallets on wallet_id = id
     where uncounted_wallets.wallet_id = id and marked_by < $1::text::xid8 and sequence = posted`,
    [before],
  )
}

/** Deletes hours that are older than the console shows. */
export async function forgetHours(
  database: Pick<Database, 'query'>,
  nowMs: number,
): Promise<number> {
  const { count: deleted } = await database.query('delete from hour_totals where hour < $1', [
    Math.floor((nowMs - HOURS_STORED_MS) / HOUR_MS),
  ])
  return deleted
}
