import assert from 'node:assert/strict'
import { test } from 'node:test'
import { START_MS } from '../../test/harness/beds/accounts.ts'
import { cloneDatabase } from '../../test/harness/postgres.ts'
import { newId } from '../lib/ids.ts'
import { makePartitions } from './partitions.ts'

const { database } = await cloneDatabase()

async function partitions(): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'transactions'::regclass order by 1",
  )
  return rows.map(({ name }) => name)
}

test('creates no partition and blocks no call while the table is read; the next run creates it', async () => {
  await database.transaction(async (reader) => {
    await reader.query('select count(*) from transactions')
    await makePartitions(database, START_MS)
  })
  assert.deepEqual(await partitions(), ['transactions_default'])
  await makePartitions(database, START_MS)
  assert.equal((await partitions()).length, 4)
})

test('ten processes that create partitions concurrently succeed, with one partition per month', async () => {
  const inAYear = START_MS + 366 * 86_400_000
  await Promise.all(Array.from({ length: 10 }, () => makePartitions(database, inAYear)))
  assert.deepEqual((await partitions()).slice(-4), [
    'transactions_2027_01',
    'transactions_2027_02',
    'transactions_2027_03',
    'transactions_default',
  ])
})

test('a month stays in the default partition if its first row is being written meanwhile', async () => {
  const inTwoYears = START_MS + 2 * 366 * 86_400_000
  const wallet = (
    await database.query<{ id: bigint }>(
      "with account as (insert into accounts (id, email, tier, created_at) values (gen_random_uuid(), 'a@b.c', 'personal', now()) returning id) insert into wallets (account_id, mode) select id, 'live' from account returning id",
    )
  ).rows[0]?.id
  let making = Promise.resolve()
  await database.transaction(async (writer) => {
    await writer.query('select ledger_credit($1, $2, $3, $4, $5, 5, null, null)', [
      inTwoYears,
      newId(inTwoYears),
      wallet ?? 0n,
      'topup',
      'payments',
    ])
    making = makePartitions(database, inTwoYears)
    while (
      (
        await database.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).count === 0
    )
      await new Promise((resume) => setImmediate(resume))
  })
  await making
  await makePartitions(database, inTwoYears)
  assert.deepEqual(
    (await partitions()).filter((name) => name.includes('2028')),
    ['transactions_2028_02', 'transactions_2028_03'],
  )
})
