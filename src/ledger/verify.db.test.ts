import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, openBank } from '../../test/harness/beds/ledger.ts'
import { invariantNames, verifyLedger } from './verify.ts'

const bank = await openBank()
const { database, clock } = bank

const TABLES = ['wallets', 'budgets', 'holds', 'transactions', 'lots', 'answers', 'inference_days']

// Books with every kind of row, as after a few ordinary calls.
const account = await bank.openAccount()
const wallet = await bank.openWallet(1000n)
const other = await bank.openWallet(500n)
const budget = await bank.openBudget({ ceiling: 900n })
await bank.post(wallet, 'grant', 100n, clock() + DAY_MS)
await bank.post(wallet, 'adjustment', -5n)
await bank.post(wallet, 'refund', 5n)
const claim = {
  accountId: account,
  route: 'run/search/web',
  idempotencyKey: 'one',
  fingerprint: 'ab'.repeat(32),
  expiresMs: clock() + DAY_MS,
}
const claiming = await bank.hold(wallet, 9n, { budgetId: budget, claim })
await bank.ledger.resolve({
  hold: claiming,
  charge: 9n,
  latencyMs: 1,
  errorCode: null,
  hops: null,
  answer: { status: 200, body: '{}' },
})
const settled = await bank.hold(wallet, 40n, { budgetId: budget })
await bank.settle(settled, 30n)
const released = await bank.hold(wallet, 40n, { budgetId: budget })
await bank.release(released)
const open = await bank.hold(wallet, 20n, { budgetId: budget })
await bank.settle(await bank.hold(other, 10n), 10n)
await bank.settle(await bank.hold(other, 10n, { kind: 'llm' }), 5n)

// The constraints of the tables would prevent most of the damage below.
await database.query(`do $$ declare rule record; begin
  for rule in select conrelid::regclass as relation, conname from pg_constraint where contype = 'c' and coninhcount = 0
      and conrelid in (${TABLES.map((table) => `'${table}'::regclass`).join()}) loop
    execute format('alter table %s drop constraint %I', rule.relation, rule.conname);
  end loop;
end $$`)
for (const table of TABLES) await database.query(`create table good_${table} as table ${table}`)
const { rows } = await database.query<{ relation: string; list: string }>(
  `select relname as relation, string_agg(quote_ident(attname), ',' order by attnum) as list from pg_attribute join pg_class on pg_class.oid = attrelid
   where relname = any($1) and attnum > 0 and not attisdropped group by relname`,
  [TABLES],
)
const columns = new Map(rows.map(({ relation, list }) => [relation, list]))

async function mend(): Promise<void> {
  await database.query(`truncate ${TABLES.join()} cascade`)
  for (const table of TABLES) {
    const list = columns.get(table) ?? ''
    await database.query(
      `insert into ${table} (${list}) overriding system value select ${list} from good_${table}`,
    )
  }
}

type Damage = {
  readonly what: string
  readonly sql: string
  readonly found: readonly string[]
  readonly names?: string
}

const DAMAGES: readonly Damage[] = [
  {
    what: 'a charge that names a wallet as its book',
    sql: `update transactions set book = 'wallet:${other}' where id = '${settled.id}'`,
    found: ['entries sum to zero', 'each kind of transaction is posted against its own book'],
  },
  {
    what: 'a top-up booked as a grant',
    sql: `update transactions set book = 'grants' where kind = 'topup' and wallet_id = ${wallet}`,
    found: ['each kind of transaction is posted against its own book'],
  },
  {
    what: 'a balance that grew by itself, with a lot to match',
    sql: `update wallets set balance_micros = balance_micros + 1 where id = ${wallet}; update lots set remaining_micros = remaining_micros + 1 where wallet_id = ${wallet} and source = 'topup'`,
    found: ['entries sum to zero', "a wallet's balance is the sum of its entries"],
    names: `wallet ${wallet}`,
  },
  {
    what: 'credit moved between two wallets without a transaction',
    sql: `update wallets set balance_micros = balance_micros + case id when ${wallet} then 1 else -1 end; update lots set remaining_micros = remaining_micros + case wallet_id when ${wallet} then 1 else -1 end where source = 'topup'`,
    found: ["a wallet's balance is the sum of its entries"],
  },
  {
    what: 'a hold deleted by hand',
    sql: `delete from holds where id = '${open.id}'`,
    found: [
      'held is the sum of the open holds',
      "a budget's windows are the sums of the transactions and holds of its tree",
    ],
  },
  {
    what: 'a held amount that grew by itself',
    sql: `update wallets set held_micros = held_micros + 1 where id = ${other}`,
    found: ['held is the sum of the open holds'],
    names: `wallet ${other}`,
  },
  {
    what: 'a held amount above the balance',
    sql: `update wallets set held_micros = balance_micros + 1 where id = ${other}; insert into holds (id, wallet_id, amount_micros, day, deadline_ms, kind, attributes) select gen_random_uuid(), id, held_micros, 0, 0, 'call', '{}' from wallets where id = ${other}`,
    found: ['no wallet is below zero or holds more than it has'],
    names: `wallet ${other}`,
  },
  {
    what: 'an LLM day that lacks a call',
    sql: `update inference_days set used_micros = used_micros - 1`,
    found: ["a day of language models counts all of that day's transactions and holds"],
    names: `wallet ${other}`,
  },
  {
    what: 'a call charged above its hold',
    sql: `update transactions set held_micros = 29 where id = '${settled.id}'`,
    found: ['nothing is charged above its hold'],
    names: 'transaction ',
  },
  {
    what: 'a charged call marked as failed',
    sql: `update transactions set status = 'released' where id = '${settled.id}'`,
    found: ['a failed call is not charged'],
  },
  {
    what: 'a wrong balance after a call',
    sql: `update transactions set balance_after_micros = balance_after_micros + 1 where id = '${settled.id}'`,
    found: ['replaying the transactions of a wallet in sequence rebuilds every balance'],
  },
  {
    what: 'two transactions in the wrong order',
    sql: `update transactions set sequence = case id when '${settled.id}' then (select sequence from transactions where id = '${claiming.id}') else (select sequence from transactions where id = '${settled.id}') end where id in ('${settled.id}', '${claiming.id}')`,
    found: ['replaying the transactions of a wallet in sequence rebuilds every balance'],
  },
  {
    what: 'a deleted last transaction without a charge',
    sql: `delete from transactions where id = '${released.id}'`,
    found: ['a wallet counts its transactions'],
    names: `wallet ${wallet}`,
  },
  {
    what: 'a posted call that is also open',
    sql: `update wallets set held_micros = held_micros + 1 where id = ${wallet}; insert into holds (id, wallet_id, amount_micros, day, deadline_ms, kind, attributes) values ('${settled.id}', ${wallet}, 1, 0, 0, 'call', '{}')`,
    found: ['a call is open or posted, never both'],
  },
  {
    what: 'one call id posted to two wallets',
    sql: `update transactions set id = '${settled.id}' where wallet_id = ${other} and kind = 'call'`,
    found: ['a call id is posted once'],
  },
  {
    what: 'a month that lacks a charge',
    sql: 'update budgets set month_spent = month_spent - 1',
    found: ["a budget's windows are the sums of the transactions and holds of its tree"],
    names: 'budget ',
  },
  {
    what: 'an amount held twice in a week',
    sql: 'update budgets set week_held = week_held + 1',
    found: ["a budget's windows are the sums of the transactions and holds of its tree"],
  },
  {
    what: 'a lifetime that lacks a charge',
    sql: 'update budgets set total_spent = total_spent - 1',
    found: ["a budget's windows are the sums of the transactions and holds of its tree"],
  },
  {
    what: 'a budget below none of its ancestors',
    sql: 'insert into budgets (id, parent_id, ancestors) select gen_random_uuid(), id, array[gen_random_uuid()] from budgets',
    found: ['a budget is below its parent and the budgets above that'],
    names: 'budget ',
  },
  {
    what: 'a hold of a budget that does not exist',
    sql: `update holds set budget_id = gen_random_uuid(); update budgets set day_held = 0, week_held = 0, month_held = 0, total_held = 0`,
    found: ['holds and transactions belong to a wallet and a budget that exist'],
    names: 'hold ',
  },
  {
    what: 'a hold of a wallet that does not exist',
    sql: `insert into holds (id, wallet_id, amount_micros, day, deadline_ms, kind, attributes) values (gen_random_uuid(), 0, 1, 0, 0, 'call', '{}')`,
    found: ['holds and transactions belong to a wallet and a budget that exist'],
  },
  {
    what: 'an idempotency key without an answer after its call',
    sql: 'update answers set status = null',
    found: ['a posted call leaves no idempotency key without an answer'],
    names: 'call ',
  },
  {
    what: 'an expiry that the wallet misses',
    sql: 'update wallets set next_expiry_at = null',
    found: ['a wallet misses no expiry of its lots'],
    names: `wallet ${wallet}`,
  },
  {
    what: 'a lot that lost credit',
    sql: `update lots set remaining_micros = remaining_micros - 1 where wallet_id = ${other}`,
    found: ['the remainders of the lots are the balance'],
    names: `wallet ${other}`,
  },
  {
    what: 'lots counted for more than the charges',
    sql: `update wallets set lots_counted_micros = lots_counted_micros + 1 where id = ${wallet}`,
    found: ['the remainders of the lots are the balance'],
  },
]

test('correct books have no finding, and the report counts the checked rows', async () => {
  assert.deepEqual(await verifyLedger(database), {
    ok: true,
    wallets: 2,
    transactions: 10,
    openHolds: 1,
    findings: [],
  })
})

for (const { what, sql, found, names } of DAMAGES) {
  test(`finds ${what}: ${found.join('; ')}`, async () => {
    await database.query(sql)
    const { ok, findings } = await verifyLedger(database)
    await mend()
    assert.deepEqual(
      { ok, found: findings.map(({ invariant }) => invariant) },
      { ok: false, found },
    )
    if (names !== undefined)
      assert.ok(
        findings.some(({ examples }) => examples.some((example) => example.startsWith(names))),
        JSON.stringify(findings),
      )
  })
}

test('every invariant fails in at least one test', () => {
  const seen = new Set(DAMAGES.flatMap(({ found }) => found))
  assert.deepEqual(
    invariantNames.filter((name) => !seen.has(name)),
    [],
  )
})

test('a finding counts all breaches and shows five', async () => {
  await database.query(
    "insert into holds (id, wallet_id, amount_micros, day, deadline_ms, kind, attributes) select gen_random_uuid(), 0, 1, 0, 0, 'call', '{}' from generate_series(1, 7)",
  )
  const { findings } = await verifyLedger(database)
  assert.deepEqual(
    findings.map(({ count, examples }) => [count, examples.length]),
    [[7, 5]],
  )
})
