/**
 * Totals by day and by hour, counted after the fact. A wallet numbers its transactions without gaps
 * (`sequence`), so a pass knows how many it must find. Each transaction is counted exactly once.
 */
import type { Database, Transaction } from '../../db/database.ts'
import { LOCK_NUMBER } from '../../db/lock-number.ts'
import { HOUR_MS, DAY_MS } from '../../lib/clock.ts'
import { countMany, type Wallets } from './count-many.ts'
import { countOne } from './count-one.ts'

/**
 * `statements`: after which a pass ends, so that a stopping process waits for few; the next pass continues. `wallets` and
 * `transactions`: what one statement counts. `atOnce`: transactions of a wallet that is counted on its own.
 */
const LIMITS = { statements: 100, wallets: 5_000, transactions: 500_000, atOnce: 20_000 }
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
 * Passes look for uncounted transactions in all wallets until one of them is complete, because
 * processes of former versions left no marks. Later ones read marked wallets. A pass ends early while
 * another process counts, and waits for no commit of the ledger.
 */
export function createCountingPass(deps: CountDeps): CountingPass {
  const { database, monotonicMs = () => performance.now() } = deps
  let wallets: Wallets = 'all'
  const horizons: { readonly sinceMs: number; readonly transaction: string }[] = []
  return async () => {
    const { count, isBehind } = await countAll(deps, wallets)
    if (isBehind === false) wallets = 'marked'
    if (isBehind !== null) await markProgress(database, isBehind)
    const nowMs = monotonicMs()
    horizons.push({ sinceMs: nowMs, transaction: await oldestOpen(database) })
    const over = horizons.findLastIndex(({ sinceMs }) => nowMs - sinceMs >= MARKED_MS)
    const [horizon] = horizons.splice(0, over + 1).slice(-1)
    if (horizon !== undefined) await forgetMarks(database, horizon.transaction)
    return count
  }
}

type Counted = {
  readonly count: number
  /** Null while another process counts. */
  readonly isBehind: boolean | null
}

async function countAll(deps: CountDeps, wallets: Wallets): Promise<Counted> {
  const { database, limits = LIMITS } = deps
  const left: bigint[] = []
  let [count, after] = [0, 0n]
  for (let statements = 1; statements <= limits.statements; statements += 1) {
    const many = await countingAlone(database, (tx) => countMany(tx, wallets, after, limits))
    if (many === null) return { count, isBehind: null }
    count += many.count
    after = many.last
    left.push(...many.left)
    if (!many.isLast) continue
    const rest = await countLeft(deps, left, limits.statements - statements)
    return { count: count + rest.count, isBehind: rest.isBehind }
  }
  return { count, isBehind: true }
}

/** Counts wallets one by one, each in as many steps as it needs. */
async function countLeft(
  { database, onError, limits = LIMITS }: CountDeps,
  left: readonly bigint[],
  mostStatements: number,
): Promise<Counted> {
  let [count, statements, isBehind] = [0, 0, false]
  for (const walletId of left)
    for (let isDone = false; !isDone;) {
      if (statements >= mostStatements) return { count, isBehind: true }
      statements += 1
      try {
        const one = await countingAlone(database, (tx) => countOne(tx, walletId, limits.atOnce))
        if (one === null) return { count, isBehind: null }
        count += one.count
        isDone = one.isLast
      } catch (error) {
        ;[isDone, isBehind] = [true, true]
        onError(error, `the transactions of wallet ${walletId} were not counted`)
        // Ends the pass when the database is away.
        await database.query('select')
      }
    }
  return { count, isBehind }
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

/** Marks by earlier transactions were made before this moment. */
async function oldestOpen({ query }: Pick<Database, 'query'>): Promise<string> {
  const { rows } = await query<{ oldest: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest',
  )
  return rows[0]?.oldest ?? '0'
}

// A commit may hold one mark and wait for another, so this must not wait.
async function forgetMarks({ query }: Pick<Database, 'query'>, before: string): Promise<void> {
  await query(
    `delete from uncounted_wallets where wallet_id in (
       select uncounted_wallets.wallet_id from uncounted_wallets join wallets on id = uncounted_wallets.wallet_id
         join counted_wallets on counted_wallets.wallet_id = id
       where marked_by < $1::text::xid8 and sequence = posted for update of uncounted_wallets skip locked)`,
    [before],
  )
}

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
