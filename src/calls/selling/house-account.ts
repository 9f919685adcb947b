import type { Database } from '../../db/database.ts'
import { invariant } from '../../errors/app-error.ts'
import type { Caller } from '../../keys/caller.ts'
import { newId, type Id } from '../../lib/ids.ts'

/** No address of this form receives mail. */
export const HOUSE_EMAIL = 'anonymous-buyers@house.invalid'

/** The account that stands for all who pay by the call: a wallet that each payment fills and each call empties. Made once. */
export async function houseCaller(database: Database, nowMs: number): Promise<Caller> {
  const found = (await find(database)) ?? (await make(database, nowMs))
  const { id, walletId } = found
  // The budget has the account's id and no ceiling; there is no key.
  return { keyId: id, accountId: id, mode: 'live', walletId, budgetId: id, externalId: null, primary: false, label: 'Anonymous buyers' }
}

type House = { readonly id: Id; readonly walletId: number }

async function find(database: Pick<Database, 'query'>): Promise<House | null> {
  const { rows } = await database.query<{ id: Id; wallet_id: bigint }>("select accounts.id, wallets.id as wallet_id from accounts join wallets on account_id = accounts.id and mode = 'live' where lower(email) = $1", [HOUSE_EMAIL])
  const row = rows[0]
  return row === undefined ? null : { id: row.id, walletId: Number(row.wallet_id) }
}

async function make(database: Database, nowMs: number): Promise<House> {
  await database.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: Id }>("insert into accounts (id, email, tier, created_at) values ($1, $2, 'business', $3) on conflict do nothing returning id", [newId(nowMs), HOUSE_EMAIL, new Date(nowMs)])
    const id = rows[0]?.id
    // Another process made it in the same moment.
    if (id === undefined) return
    await tx.query("insert into wallets (account_id, mode) values ($1, 'live')", [id])
    await tx.query('insert into budgets (id) values ($1)', [id])
  })
  const made = await find(database)
  invariant(made !== null, 'the account of anonymous buyers is there once it was made')
  return made
}
