import type { Transaction } from '../../db/database.ts'
import { invariant } from '../../errors/app-error.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { firstIdAt, idTimeMs, type Id } from '../../lib/ids.ts'
import { addToTotals } from './add-to-totals.ts'

// Most calls end soon; jobs and sessions can take days.
const LOOK_BACK_MS = [60_000, HOUR_MS, 3 * DAY_MS, Number.POSITIVE_INFINITY]

type Due = {
  readonly wallet_id: bigint
  readonly counted: bigint
  readonly until: bigint
  readonly posted: bigint
  readonly newest_id: Id | null
}

/** Counts the next transactions of a wallet, at most `atOnce`. It seeks them ever further in the past. */
export async function countOne(
  tx: Transaction,
  walletId: bigint,
  atOnce: number,
): Promise<{ readonly count: number; readonly isLast: boolean }> {
  const { rows } = await tx.query<Due>(
    `select id as wallet_id, posted, coalesce(sequence, 0) as counted, least(posted, coalesce(sequence, 0) + $2) as until, newest_id
     from wallets left join counted_wallets on wallet_id = id where id = $1`,
    [walletId, atOnce],
  )
  const [due] = rows
  // Another process may have counted the wallet since it was listed.
  if (due === undefined || due.until === due.counted) return { count: 0, isLast: true }
  return { count: await countWallet(tx, due), isLast: due.until === due.posted }
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

/** Adds the transactions to the totals if all of them were found. */
const COUNT = `with near as materialized (
    select * from (select * from transactions where wallet_id = $1 and id >= $2 order by id limit $6::bigint) as all_near
    where sequence > $3 and sequence <= $4
  ), found as materialized (
    select near.*, mode from near join wallets on wallets.id = wallet_id where (select count(*) from near) = $5
  ), ${addToTotals('found')}
  select count(*) as found, max(id::text)::uuid as newest from near`
