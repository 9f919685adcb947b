import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../keys/caller.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'

/** No such address receives email, so it signs in no person. `is_house` identifies the account. */
export const HOUSE_EMAIL = 'anonymous-buyers@house.invalid'

/**
 * The account of all buyers without an account. Each payment adds credit to its wallet, and the call spends it.
 * It is created once. Throws AppError email_taken when another account has its address.
 */
export async function houseCaller(
  database: Database,
  nowMs: number,
  mode: Mode = 'live',
): Promise<Caller> {
  const { id, walletId } = (await find(database, mode)) ?? (await create(database, nowMs, mode))
  // The budget has the account's id and no limit. There is no key.
  return {
    keyId: id,
    accountId: id,
    mode,
    walletId,
    budgetId: id,
    externalId: null,
    primary: false,
    scope: 'account',
    label: 'Anonymous buyers',
    ancestorIds: [],
    policies: [],
    breaker: 'warn',
    limit: null,
    expiry: null,
    audience: null,
  }
}

type House = { readonly id: Id; readonly walletId: number }

async function find(database: Pick<Database, 'query'>, mode: Mode): Promise<House | null> {
  const { rows } = await database.query<{ id: Id; wallet_id: bigint }>(
    'select accounts.id, wallets.id as wallet_id from accounts join wallets on account_id = accounts.id and mode = $1 where is_house',
    [mode],
  )
  const row = rows[0]
  return row === undefined ? null : { id: row.id, walletId: Number(row.wallet_id) }
}

async function create(database: Database, nowMs: number, mode: Mode): Promise<House> {
  await database.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: Id }>(
      "insert into accounts (id, email, tier, is_house, created_at) values ($1, $2, 'business', true, $3) on conflict do nothing returning id",
      [newId(nowMs), HOUSE_EMAIL, new Date(nowMs)],
    )
    const id = rows[0]?.id
    // Without an id, the account exists already, or another account has its address.
    if (id !== undefined) await tx.query('insert into budgets (id) values ($1)', [id])
    await tx.query(
      'insert into wallets (account_id, mode) select id, $1 from accounts where is_house on conflict do nothing',
      [mode],
    )
  })
  const made = await find(database, mode)
  if (made !== null) return made
  throw new AppError(
    'email_taken',
    `Calls cannot be sold, because another account has the address ${HOUSE_EMAIL} of the account for buyers.`,
    {
      fix: `Give that account another address: ./tollgate accounts email --account ${HOUSE_EMAIL} --email …`,
    },
  )
}
