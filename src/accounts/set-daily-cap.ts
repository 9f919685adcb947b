import type { Database } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import type { Micros } from '../lib/money.ts'
import { walletOf } from './wallet-of.ts'

/** Sets the daily limit for language models from the next call on. Spending earlier today counts. */
export async function setDailyCap(
  database: Database,
  { accountId, mode, cap }: { readonly accountId: Id; readonly mode: Mode; readonly cap: Micros },
): Promise<void> {
  const walletId = await walletOf(database, accountId, mode)
  // Day 0 is in the past, so the first call moves the row to its own day.
  // A transaction, because only transactions have an author in the audit log.
  await database.transaction((tx) =>
    tx.query(
      'insert into inference_days (wallet_id, day, cap_micros) values ($1, 0, $2) on conflict (wallet_id) do update set cap_micros = excluded.cap_micros',
      [walletId, cap],
    ),
  )
}
