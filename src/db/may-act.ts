/** SQL expressions of an account, of a key (uuid or null) and of times in Unix milliseconds. */
export type MakerSql = {
  readonly account: string
  readonly key: string
  readonly nowMs: string
  /** When the key made the link or session. Without it, a rotation of the key changes nothing. */
  readonly madeMs?: string
  /** A paused key may act, as it may in free calls. */
  readonly isFree?: true
}

/**
 * SQL condition: the account is neither paused nor closed, and the key that opened something is active,
 * as is each key above it. Links, sockets, sessions and repositories end when it becomes false.
 */
export function mayAct({ account, key, nowMs, madeMs, isFree }: MakerSql): string {
  const rotated =
    madeMs === undefined
      ? ''
      : `and not exists (select from keys as maker where maker.id = own.id and ${madeMs} < maker.rotated_ms
          and coalesce(maker.former_secret_until <= to_timestamp(${nowMs} / 1000.0), true))`
  return `(${accountMayAct(account)} and (${key} is null or exists (
    select from budgets as own where own.id = ${key} ${rotated}
      and not exists (select from budgets as path where (path.id = own.id or path.id = any(own.ancestors))
        and (path.state ${isFree === true ? "= 'closed'" : "<> 'open'"} or path.expires_ms <= ${nowMs})))))`
}

/** SQL condition: the account is neither paused nor closed. Its primary keys are closed only with it. */
export function accountMayAct(account: string): string {
  return `not exists (select from accounts as maker_account where maker_account.id = ${account} and maker_account.paused_at is not null)
    and not exists (select from keys as top join budgets as top_budget on top_budget.id = top.id
      where top.account_id = ${account} and top.is_primary and top_budget.state = 'closed')`
}
