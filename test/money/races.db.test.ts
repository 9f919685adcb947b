import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { HoldRequest } from '../../src/ledger/hold.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openBank } from '../harness/beds/ledger.ts'
import type { Race, RaceResult } from './racer.ts'

const bank = await openBank()
const { clock, database, target, ledger } = bank
const accountId = await bank.openAccount()
const PRICE = 1000n

const RACER = join(import.meta.dirname, 'racer.ts')

/** Three processes that begin at the same moment. Results are added up. */
async function raceThree(
  facts: Pick<Race, 'walletIds' | 'budgetIds' | 'calls'> & Partial<Race>,
): Promise<RaceResult> {
  const race: Race = {
    target,
    nowMs: clock(),
    accountId,
    amountMicros: Number(PRICE),
    keys: 0,
    settle: false,
    ...facts,
  }
  const racers = [1, 2, 3].map(() => {
    const child = spawn(process.execPath, [RACER, JSON.stringify(race)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  })
  await Promise.all(racers.map(({ lines }) => lines.next()))
  for (const { child } of racers) child.stdin.end('go\n')
  const results = await Promise.all(
    racers.map(async ({ lines }) => JSON.parse((await lines.next()).value ?? 'null') as RaceResult),
  )
  return results.reduce((sum, { opened, repeated, refused }) => ({
    opened: sum.opened + opened,
    repeated: sum.repeated + repeated,
    refused: addUp(sum.refused, refused),
  }))
}

function addUp(left: RaceResult['refused'], right: RaceResult['refused']): RaceResult['refused'] {
  return Object.fromEntries(
    [...new Set([...Object.keys(left), ...Object.keys(right)])].map((code) => [
      code,
      (left[code] ?? 0) + (right[code] ?? 0),
    ]),
  )
}

async function raceOne(over: readonly Ledger[], requestOf: () => HoldRequest): Promise<RaceResult> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 1000 }, (_, place) =>
      (over[place % over.length] as Ledger).hold(requestOf()),
    ),
  )
  const refused: Record<string, number> = {}
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      refused[outcome.reason.code] = (refused[outcome.reason.code] ?? 0) + 1
  return {
    opened: outcomes.filter(({ status }) => status === 'fulfilled').length,
    repeated: 0,
    refused,
  }
}

test('1000 concurrent calls on one ledger under a limit worth 7 open 7 holds', async () => {
  const wallet = await bank.openWallet(1_000_000n)
  const budgetId = await bank.openBudget({ ceiling: 7n * PRICE + PRICE - 1n })
  const result = await raceOne([ledger], () => bank.request(wallet, PRICE, { budgetId }))
  assert.deepEqual(result, { opened: 7, repeated: 0, refused: { room_held: 993 } })
  assert.equal((await bank.windows(budgetId)).day_held, 7n * PRICE)
  assert.deepEqual(await bank.wallet(wallet), { balance: 1_000_000n, held: 7n * PRICE })
})

test('1000 concurrent calls on one ledger with a balance worth 7 open 7 holds', async () => {
  const wallet = await bank.openWallet(7n * PRICE + PRICE - 1n)
  const result = await raceOne([ledger], () => bank.request(wallet, PRICE))
  assert.deepEqual(result, { opened: 7, repeated: 0, refused: { room_held: 993 } })
  assert.equal((await bank.wallet(wallet)).held, 7n * PRICE)
})

test('1000 concurrent calls on three ledgers of one process open 7 holds', async () => {
  const wallet = await bank.openWallet(7n * PRICE)
  const result = await raceOne([ledger, bank.anotherLedger(), bank.anotherLedger()], () =>
    bank.request(wallet, PRICE),
  )
  assert.deepEqual(result, { opened: 7, repeated: 0, refused: { room_held: 993 } })
})

test('1002 concurrent calls on three processes under a limit worth 7 charge 7', async () => {
  const wallet = await bank.openWallet(10_000_000n)
  const budgetId = await bank.openBudget({ ceiling: 7n * PRICE + PRICE - 1n })
  const result = await raceThree({
    walletIds: [wallet],
    budgetIds: [budgetId],
    calls: 334,
    settle: true,
  })
  // Some are refused while the first seven calls still hold the money.
  const { room_held: held = 0, ...final } = result.refused
  assert.deepEqual(
    { ...result, refused: final },
    { opened: 7, repeated: 0, refused: { api_key_limit_exceeded: 995 - held } },
  )
  const { day_spent, day_held } = await bank.windows(budgetId)
  assert.deepEqual([day_spent, day_held], [7n * PRICE, 0n])
  assert.deepEqual(await bank.wallet(wallet), { balance: 10_000_000n - 7n * PRICE, held: 0n })
})

test('1002 concurrent calls on three processes with a balance worth 7 open 7 holds', async () => {
  const wallet = await bank.openWallet(7n * PRICE + PRICE - 1n)
  const result = await raceThree({ walletIds: [wallet], budgetIds: [null], calls: 334 })
  assert.deepEqual(result, { opened: 7, repeated: 0, refused: { room_held: 995 } })
  assert.equal((await bank.wallet(wallet)).held, 7n * PRICE)
})

test('1200 calls on three processes over mixed wallets are charged once, without deadlock', async () => {
  const walletIds = await Promise.all(Array.from({ length: 6 }, () => bank.openWallet(10_000_000n)))
  const budgetIds = await Promise.all(
    Array.from({ length: 6 }, () => bank.openBudget({ ceiling: 10_000_000n })),
  )
  const result = await raceThree({
    walletIds,
    budgetIds: [...budgetIds, null],
    calls: 400,
    settle: true,
  })
  assert.deepEqual(result, { opened: 1200, repeated: 0, refused: {} })
  const wallets = await Promise.all(walletIds.map((id) => bank.wallet(id)))
  assert.equal(
    wallets.reduce((sum, { balance }) => sum + balance, 0n),
    60_000_000n - 1200n * PRICE,
  )
  await assertNoDeadlock()
})

test('1200 calls with 100 idempotency keys on three processes charge 100, without deadlock', async () => {
  const walletIds = await Promise.all(Array.from({ length: 6 }, () => bank.openWallet(10_000_000n)))
  const result = await raceThree({
    walletIds,
    budgetIds: [null],
    calls: 400,
    keys: 100,
    settle: true,
  })
  assert.deepEqual(result, { opened: 100, repeated: 1100, refused: {} })
  const { rows } = await database.query(
    'select count(*) as answered, count(distinct body) as bodies from answers where account_id = $1 and status = 200',
    [accountId],
  )
  assert.deepEqual(rows, [{ answered: 100n, bodies: 100n }])
  await assertNoDeadlock()
})

test('the books balance after all of this', () => bank.assertSound())

async function assertNoDeadlock(): Promise<void> {
  const { rows } = await database.query(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  assert.deepEqual(rows, [{ deadlocks: 0n }])
}
