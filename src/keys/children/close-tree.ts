import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'

/**
 * Revokes a key and all keys below it. Concurrent minting waits for the lock of the keys above, which
 * the caller holds on the topmost. Locks the budgets in id order, as every flush does.
 */
export async function closeTree(tx: Transaction, top: Id, nowMs: number): Promise<void> {
  const { rows } = await tx.query<{ id: Id }>(
    `with recursive tree as (
       select id from budgets where id = $1
       union all
       select budgets.id from budgets join tree on budgets.parent_id = tree.id where budgets.state <> 'closed'
     )
     select id from budgets where id in (select id from tree) and state <> 'closed' order by id for no key update`,
    [top],
  )
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx.query("update budgets set state = 'closed' where id = any($1)", [ids])
  await tx.query(
    'update keys set former_secret_hash = null, former_secret_until = null, revoked_at = $2 where id = any($1)',
    [ids, new Date(nowMs)],
  )
}

/** Events and lists show an expired child key for this long. */
const CLOSED_AFTER_MS = 3_600_000

/** Closes child keys that expired an hour ago, so that no list of open keys grows. Returns their number. */
export async function closeExpired(
  database: { readonly query: Transaction['query'] },
  nowMs: number,
): Promise<number> {
  const { count } = await database.query(
    `update budgets set state = 'closed' where id in (
       select id from budgets where parent_id is not null and state <> 'closed' and expires_ms <= $1 order by id limit 1000 for no key update skip locked
     )`,
    [nowMs - CLOSED_AFTER_MS],
  )
  return count
}
