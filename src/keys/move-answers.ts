import type { Transaction } from '../db/database.ts'
import { ownRoutesOf, type Scope } from '../lib/owner.ts'
import type { KeyRow } from './key-row.ts'

/**
 * Moves the responses to a key's idempotent requests to where its new scope looks for them, so that
 * a request repeated after the change is charged once. Locks the key's budget first, as every
 * settlement of the key does.
 */
export async function moveAnswers(
  tx: Transaction,
  { id, account_id: accountId, mode }: KeyRow,
  scope: Scope,
  nowMs: number,
): Promise<void> {
  await tx.query('select from budgets where id = $1 for no key update', [id])
  const routes = ownRoutesOf(id)
  await (scope === 'own'
    ? tx.query(
        `update answers set route = $1 || route where account_id = $2 and route not like 'key/%' and expires_ms > $5
           and (exists (select from holds where holds.id = call_id and budget_id = $3)
             or exists (select from transactions join wallets on wallets.id = wallet_id where wallets.account_id = $2 and mode = $4 and transactions.id = call_id and budget_id = $3))`,
        [routes, accountId, id, mode, nowMs],
      )
    : tx.query(
        `update answers set route = substr(route, length($1) + 1) where account_id = $2 and starts_with(route, $1)
           and not exists (select from answers as other where other.account_id = $2 and other.route = substr(answers.route, length($1) + 1) and other.idempotency_key = answers.idempotency_key)`,
        [routes, accountId],
      ))
}
