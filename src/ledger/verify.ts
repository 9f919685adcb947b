import type { Database, Transaction } from '../db/database.ts'

export type Finding = {
  readonly invariant: string
  readonly count: number
  readonly examples: readonly string[]
}
export type VerifyReport = {
  readonly ok: boolean
  readonly wallets: number
  readonly transactions: number
  readonly openHolds: number
  readonly findings: readonly Finding[]
}

/** Every budget with itself and those below it. */
const TREES = '(select id as below, unnest(ancestors || id) as top from budgets) as trees'

/**
 * Each query returns the breaches of one invariant. README.md describes the invariants, some of
 * them together. Sums cover every posted transaction, so the duration grows with the history.
 */
const INVARIANTS: readonly { readonly name: string; readonly breaches: string }[] = [
  {
    name: 'entries sum to zero',
    breaches: `select 'wallets ' || wallets || ', books ' || books as breach
      from (select coalesce(sum(balance_micros), 0) as wallets from wallets) as left_side,
        (select coalesce(sum(amount_micros), 0) as books from entries where book not like 'wallet:%') as right_side where wallets + books <> 0`,
  },
  {
    name: 'each kind of transaction is posted against its own book',
    breaches: `select 'transaction ' || id || ': ' || kind || ' against ' || book as breach from transactions where (case kind when 'grant' then book = 'grants'
      when 'topup' then book = 'payments' when 'adjustment' then book in ('adjustments', 'expired_grants') when 'refund' then book in ('revenue', 'payments') else book = 'revenue' end) is not true`,
  },
  {
    name: 'holds and transactions belong to a wallet and a budget that exist',
    breaches: `select owned.kind || ' ' || owned.id as breach from (select 'hold' as kind, id, wallet_id, budget_id from holds union all select 'transaction', id, wallet_id, budget_id from transactions) as owned
      left join wallets on wallets.id = wallet_id left join budgets on budgets.id = budget_id
      where wallets.id is null or (budget_id is not null and budgets.id is null)`,
  },
  {
    name: "a wallet's balance is the sum of its entries",
    breaches: `select 'wallet ' || wallets.id || ': ' || balance_micros || ' <> ' || coalesce(total, 0) as breach from wallets
      left join (select wallet_id, sum(amount_micros) as total from transactions group by wallet_id) as sums on wallet_id = wallets.id
      where balance_micros <> coalesce(total, 0)`,
  },
  {
    name: 'held is the sum of the open holds',
    breaches: `select 'wallet ' || wallets.id || ': ' || held_micros || ' <> ' || coalesce(total, 0) as breach from wallets
      left join (select wallet_id, sum(amount_micros) as total from holds group by wallet_id) as sums on wallet_id = wallets.id
      where held_micros <> coalesce(total, 0)`,
  },
  {
    name: 'no wallet is below zero or holds more than it has',
    breaches: `select 'wallet ' || id as breach from wallets where balance_micros < 0 or held_micros < 0 or held_micros > balance_micros`,
  },
  {
    name: 'nothing is charged above its hold',
    breaches: `select 'transaction ' || id as breach from transactions where kind in ('call', 'job', 'llm', 'session') and (amount_micros > 0 or -amount_micros > held_micros)`,
  },
  {
    name: 'a failed call is not charged',
    breaches: `select 'transaction ' || id as breach from transactions where status = 'released' and amount_micros <> 0`,
  },
  {
    name: 'replaying the transactions of a wallet in sequence rebuilds every balance',
    breaches: `select 'transaction ' || id as breach from (
        select id, sequence, balance_after_micros, row_number() over line as place, sum(amount_micros) over line as rebuilt
        from transactions window line as (partition by wallet_id order by sequence)
      ) as replay where sequence <> place or balance_after_micros <> rebuilt`,
  },
  {
    name: 'a wallet counts its transactions',
    breaches: `select 'wallet ' || wallets.id as breach from wallets
      left join (select wallet_id, count(*) as total from transactions group by wallet_id) as sums on wallet_id = wallets.id where posted <> coalesce(total, 0)`,
  },
  {
    name: 'a call is open or posted, never both',
    breaches: `select 'hold ' || holds.id as breach from holds join transactions on transactions.id = holds.id and transactions.wallet_id = holds.wallet_id`,
  },
  {
    name: 'a call id is posted once',
    breaches: `select 'transaction ' || id as breach from transactions group by id having count(*) > 1`,
  },
  {
    name: "a budget's windows are the sums of the transactions and holds of its tree",
    breaches: `select 'budget ' || budgets.id as breach from budgets
      left join (
        select budgets.id, sum(-amount_micros) filter (where day >= day_start) as day, sum(-amount_micros) filter (where day >= week_start) as week, sum(-amount_micros) filter (where day >= month_start) as month, sum(-amount_micros) as total
        from transactions join ${TREES} on below = budget_id join budgets on budgets.id = top group by budgets.id
      ) as spent on spent.id = budgets.id
      left join (
        select budgets.id, sum(amount_micros) filter (where day >= day_start) as day, sum(amount_micros) filter (where day >= week_start) as week, sum(amount_micros) filter (where day >= month_start) as month, sum(amount_micros) as total
        from holds join ${TREES} on below = budget_id join budgets on budgets.id = top group by budgets.id
      ) as held on held.id = budgets.id
      where day_spent <> coalesce(spent.day, 0) or week_spent <> coalesce(spent.week, 0) or month_spent <> coalesce(spent.month, 0) or total_spent <> coalesce(spent.total, 0)
        or day_held <> coalesce(held.day, 0) or week_held <> coalesce(held.week, 0) or month_held <> coalesce(held.month, 0) or total_held <> coalesce(held.total, 0)`,
  },
  {
    name: 'a budget is below its parent and the budgets above that',
    breaches: `select 'budget ' || budgets.id as breach from budgets left join budgets as parent on parent.id = budgets.parent_id
      where budgets.ancestors <> case when budgets.parent_id is null then '{}' else parent.ancestors || parent.id end or (budgets.parent_id is not null and parent.id is null)`,
  },
  {
    name: 'a posted call leaves no idempotency key without an answer',
    breaches: `select 'call ' || call_id as breach from answers join transactions on id = call_id where answers.status is null`,
  },
  {
    name: 'a wallet misses no expiry of its lots',
    breaches: `select 'wallet ' || wallets.id as breach from wallets
      left join (select wallet_id, min(expires_at) as soonest from open_lots where not expired group by wallet_id) as open on wallet_id = wallets.id
      where soonest < coalesce(next_expiry_at, 'infinity')`,
  },
  {
    // The day may count more: holds of a process whose clock was behind at midnight.
    name: "a day of language models counts all of that day's transactions and holds",
    breaches: `select 'wallet ' || used.wallet_id as breach from inference_days as used
      join (
        select wallet_id, day, sum(amount) as total from (
          select wallet_id, day, -amount_micros as amount from transactions where kind = 'llm' union all select wallet_id, day, amount_micros from holds where kind = 'llm'
        ) as calls group by wallet_id, day
      ) as sums on sums.wallet_id = used.wallet_id and sums.day = used.day where used_micros < total`,
  },
  {
    name: 'the remainders of the lots are the balance',
    breaches: `select 'wallet ' || wallets.id as breach from wallets
      left join (select wallet_id, sum(remaining_micros) as total from lots group by wallet_id) as sums on wallet_id = wallets.id
      where coalesce(total, 0) - (spent_micros - lots_counted_micros) <> balance_micros`,
  },
]

export const invariantNames: readonly string[] = INVARIANTS.map(({ name }) => name)

const EXAMPLES_SHOWN = 5

/** Checks every invariant of the ledger against one snapshot of the database. */
export async function verifyLedger(database: Database): Promise<VerifyReport> {
  return database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    const findings: Finding[] = []
    for (const { name, breaches } of INVARIANTS) {
      const { rows } = await tx.query<{ breach: string }>(breaches)
      if (rows.length > 0)
        findings.push({
          invariant: name,
          count: rows.length,
          examples: rows.slice(0, EXAMPLES_SHOWN).map(({ breach }) => breach),
        })
    }
    return {
      ok: findings.length === 0,
      wallets: await count(tx, 'wallets'),
      transactions: await count(tx, 'transactions'),
      openHolds: await count(tx, 'holds'),
      findings,
    }
  })
}

async function count(
  tx: Transaction,
  table: 'wallets' | 'transactions' | 'holds',
): Promise<number> {
  const { rows } = await tx.query<{ total: bigint }>(`select count(*) as total from ${table}`)
  return Number(rows[0]?.total ?? 0n)
}
