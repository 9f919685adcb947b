import type { Transaction } from '../../db/database.ts'
import { addToTotals } from './add-to-totals.ts'

/** Most calls end soon. A wallet with older ones is counted on its own (count-one.ts). */
const LOOK_BACK_MS = 60_000
/** The smallest id of that much before a wallet's newest counted transaction. */
const FROM_ID = `(lpad(to_hex(greatest(0, coalesce(('x' || left(replace(newest_id::text, '-', ''), 12))::bit(48)::bigint, 0) - ${LOOK_BACK_MS})), 12, '0') || repeat('0', 20))::uuid`

export type CountedMany = {
  readonly count: number
  /** Wallets of which not all transactions were found, or which have too many. */
  readonly left: readonly bigint[]
  readonly last: bigint
  readonly isLast: boolean
}

/** The wallets to look at: those that commits marked, or all. */
export type Wallets = 'marked' | 'all'
type Limits = { readonly wallets: number; readonly transactions: number }

/** Counts all transactions of the next wallets after an id in one statement, in the order of their ids. */
export async function countMany(
  tx: Transaction,
  wallets: Wallets,
  after: bigint,
  limits: Limits,
): Promise<CountedMany> {
  const { rows } = await tx.query<{
    count: bigint
    is_last: boolean
    last: bigint | null
    left: readonly bigint[]
  }>(STATEMENTS[wallets], [after, limits.wallets, limits.transactions])
  const [row] = rows
  return {
    count: Number(row?.count ?? 0),
    left: row?.left ?? [],
    last: row?.last ?? after,
    isLast: row?.is_last ?? true,
  }
}

const countManyOf = (wallets: string): string => `with due as (
    select id as wallet_id, mode, coalesce(sequence, 0) as counted, posted, posted - coalesce(sequence, 0) as missing, ${FROM_ID} as from_id
    from ${wallets} left join counted_wallets on counted_wallets.wallet_id = id
    where id > $1 and posted > coalesce(sequence, 0) order by id limit $2
  ), listed as materialized (
    select * from (select *, sum(missing) over (order by wallet_id) - missing as before from due) as ordered where before < $3::bigint
  ), near as materialized (
    select mode, moved.* from listed, lateral (
      select * from transactions where transactions.wallet_id = listed.wallet_id and missing <= $3::bigint
        and id >= from_id and sequence > counted and sequence <= posted
    ) as moved
  ), complete as materialized (
    select wallet_id, posted, newest from listed join (
      select wallet_id, count(*) as found, max(id::text)::uuid as newest from near group by wallet_id
    ) as sums using (wallet_id) where found = missing
  ), found as materialized (
    select near.* from near join complete using (wallet_id)
  ), ${addToTotals('found')}, progress as (
    insert into counted_wallets as former (wallet_id, sequence, newest_id) select wallet_id, posted, newest from complete
    on conflict (wallet_id) do update set sequence = excluded.sequence, newest_id = greatest(former.newest_id, excluded.newest_id)
  )
  select (select count(*) from found) as count, (select count(*) from due) = count(*) and count(*) < $2 as is_last, max(wallet_id) as last,
    coalesce(array_agg(wallet_id) filter (where not exists (select from complete where complete.wallet_id = listed.wallet_id)), '{}') as left
  from listed`

const STATEMENTS: Readonly<Record<Wallets, string>> = {
  marked: countManyOf('uncounted_wallets join wallets on id = uncounted_wallets.wallet_id'),
  all: countManyOf('wallets'),
}
