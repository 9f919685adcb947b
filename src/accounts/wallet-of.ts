import type { Database } from '../db/database.ts'
import { invariant } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'

/** The wallet of an account in a mode. */
export async function walletOf(
  database: Pick<Database, 'query'>,
  accountId: Id,
  mode: Mode,
): Promise<number> {
  const { rows } = await database.query<{ id: bigint }>(
    'select id from wallets where account_id = $1 and mode = $2',
    [accountId, mode],
  )
  const wallet = rows[0]
  invariant(wallet !== undefined, 'an account has a wallet for each mode')
  return Number(wallet.id)
}
