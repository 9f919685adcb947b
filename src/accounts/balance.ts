import type { Database } from '../db/database.ts'
import type { Caller } from '../keys/caller.ts'
import { describeKey } from '../keys/describe-key.ts'
import { windowStarts } from '../ledger/windows.ts'
import type { Clock } from '../lib/clock.ts'
import { publicId, type Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import { toCentsRoundedDown, toCentsRoundedUp } from '../lib/money.ts'
import { onlyMaker, type Owner } from '../lib/owner.ts'

/** A grant of credit and its unspent part. Listed in the order of spending. */
export type Lot = {
  /** The transaction that added it. */
  readonly transaction_id: string
  readonly source: 'grant' | 'topup' | 'refund' | 'adjustment'
  readonly amount_cents: number
  readonly amount_micros: number
  readonly remaining_cents: number
  readonly remaining_micros: number
  /** Null when it does not expire. */
  readonly expires_at: string | null
  readonly created_at: string
}

/** Available amounts are rounded down to whole cents and spent amounts up; micro-dollars are exact. */
export type Balance = {
  readonly mode: Mode
  readonly balance_cents: number
  readonly balance_micros: number
  readonly held_cents: number
  readonly held_micros: number
  /** The balance minus the open holds. */
  readonly available_cents: number
  readonly available_micros: number
  /** Spending of all keys of the account in this mode, or of the one key that asks, since 00:00 UTC and since the first of the month. */
  readonly spent_today_cents: number
  readonly spent_today_micros: number
  readonly spent_month_cents: number
  readonly spent_month_micros: number
  readonly lots: readonly Lot[]
}

const LOTS_LISTED = 100

export async function readBalance(
  { database, now }: { database: Database; now: Clock },
  caller: Caller,
): Promise<Balance> {
  const nowMs = now()
  await expireLots(database, caller.walletId, nowMs)
  if (onlyMaker(caller) !== null)
    return balanceOf(caller.mode, await readOwnFigures({ database, now }, caller), [])
  return readWholeBalance({ database, nowMs }, caller, caller.walletId)
}

/** The balance of an account for an operator, also of a paused or closed one. */
export async function readAccountBalance(
  { database, now }: { database: Database; now: Clock },
  {
    walletId,
    ...account
  }: { readonly accountId: Id; readonly mode: Mode; readonly walletId: number },
): Promise<Balance> {
  const nowMs = now()
  await expireLots(database, walletId, nowMs)
  return readWholeBalance(
    { database, nowMs },
    { ...account, keyId: null, scope: 'account' },
    walletId,
  )
}

async function readWholeBalance(
  { database, nowMs }: { readonly database: Database; readonly nowMs: number },
  owner: Owner,
  walletId: number,
): Promise<Balance> {
  const figures = {
    ...(await readWallet(database, walletId)),
    ...(await readSpent(database, owner, nowMs)),
  }
  return balanceOf(owner.mode, figures, await readLots(database, walletId))
}

type Figures = {
  readonly balance: bigint
  readonly held: bigint
  readonly today: bigint
  readonly month: bigint
}

/** A key of scope "own" sees only its own limit, holds and spending. */
async function readOwnFigures(
  context: { database: Database; now: Clock },
  caller: Caller,
): Promise<Figures> {
  const { spendable_micros: spendable } = await describeKey(context, caller)
  const [{ today, month }, { rows }] = await Promise.all([
    readSpent(context.database, caller, context.now()),
    context.database.query<{ held: bigint }>(
      'select coalesce(sum(amount_micros), 0)::bigint as held from holds where wallet_id = $1 and budget_id = $2',
      [caller.walletId, caller.keyId],
    ),
  ])
  const held = rows[0]?.held ?? 0n
  return { balance: BigInt(spendable) + held, held, today, month }
}

function balanceOf(
  mode: Mode,
  { balance, held, today, month }: Figures,
  lots: readonly Lot[],
): Balance {
  return {
    mode,
    balance_cents: toCentsRoundedDown(balance),
    balance_micros: Number(balance),
    held_cents: toCentsRoundedUp(held),
    held_micros: Number(held),
    available_cents: toCentsRoundedDown(balance - held),
    available_micros: Number(balance - held),
    spent_today_cents: toCentsRoundedUp(today),
    spent_today_micros: Number(today),
    spent_month_cents: toCentsRoundedUp(month),
    spent_month_micros: Number(month),
    lots,
  }
}

// The ledger removes expired credit on the wallet's next call. Removing it here keeps it from being shown.
async function expireLots(database: Database, walletId: number, nowMs: number): Promise<void> {
  await database.query(
    'select ledger_expire_lots(id, $2) from wallets where id = $1 and next_expiry_at <= $3',
    [walletId, nowMs, new Date(nowMs)],
  )
}

async function readWallet(
  database: Database,
  walletId: number,
): Promise<{ balance: bigint; held: bigint }> {
  const { rows } = await database.query<{ balance: bigint; held: bigint }>(
    'select balance_micros as balance, held_micros as held from wallets where id = $1',
    [walletId],
  )
  return rows[0] ?? { balance: 0n, held: 0n }
}

// The windows of the keys are exact and few; a day can have millions of transactions. Those of a key
// include the keys below it.
async function readSpent(
  database: Database,
  caller: Owner,
  nowMs: number,
): Promise<{ today: bigint; month: bigint }> {
  const { today, thisMonth } = windowStarts(nowMs)
  const { rows } = await database.query<{ today: bigint; month: bigint }>(
    `select coalesce(sum(day_spent) filter (where day_start >= $3), 0)::bigint as today, coalesce(sum(month_spent) filter (where month_start >= $4), 0)::bigint as month
     from keys join budgets on budgets.id = keys.id where account_id = $1 and mode = $2 and case when $5::uuid is null then keys.parent_id is null else keys.id = $5 end`,
    [caller.accountId, caller.mode, today, thisMonth, onlyMaker(caller)],
  )
  return rows[0] ?? { today: 0n, month: 0n }
}

type LotRow = {
  id: Id
  source: Lot['source']
  amount: bigint
  remaining: bigint
  expires_at: Date | null
  created_at: Date
}

// The ledger updates credit lots only now and then. Spending since then is subtracted here, in order.
async function readLots(database: Database, walletId: number): Promise<Lot[]> {
  const { rows } = await database.query<LotRow>(
    `select id, source, amount_micros as amount, expires_at, created_at, least(remaining_micros, upto - uncounted)::bigint as remaining
     from (
       select open_lots.*, sum(remaining_micros) over (order by place) as upto, spent_micros - lots_counted_micros as uncounted
       from open_lots join wallets on wallets.id = wallet_id where wallet_id = $1
     ) as line where upto > uncounted order by place limit $2`,
    [walletId, LOTS_LISTED],
  )
  return rows.map(
    ({ id, source, amount, remaining, expires_at: expiresAt, created_at: createdAt }) => ({
      transaction_id: publicId('transaction', id),
      source,
      amount_cents: toCentsRoundedDown(amount),
      amount_micros: Number(amount),
      remaining_cents: toCentsRoundedDown(remaining),
      remaining_micros: Number(remaining),
      expires_at: expiresAt?.toISOString() ?? null,
      created_at: createdAt.toISOString(),
    }),
  )
}
