import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { DAY_MS, openBank } from '../../test/harness/beds/ledger.ts'
import { fc } from '../../test/harness/property.ts'
import { connectDatabase } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import type { Hold } from './hold.ts'
import type { Ledger } from './ledger.ts'

const bank = await openBank()
const { clock, database, ledger } = bank
// Its own connections, as in another process.
const otherDatabase = connectDatabase(bank.target, { poolSize: 6 })
cleanUp(() => otherDatabase.close())
const other = bank.anotherLedger({ database: otherDatabase })

const HELD = 1_000n
const CALLS = 40
const FREE = 5_500n

async function capDay(wallet: number, cap: Micros): Promise<void> {
  await database.query(
    'insert into inference_days (wallet_id, day, cap_micros) values ($1, 0, $2)',
    [wallet, cap],
  )
}
const dayUsed = async (wallet: number): Promise<bigint | undefined> =>
  (
    await database.query<{ used_micros: bigint }>(
      'select used_micros from inference_days where wallet_id = $1',
      [wallet],
    )
  ).rows[0]?.used_micros

/** Opens calls, doubles their holds on both processes concurrently, and charges the whole holds. */
async function raceExcesses(
  wallet: number,
  budgetId: Id | null,
  kind: 'call' | 'llm',
): Promise<Micros> {
  const opened = await Promise.all(
    Array.from({ length: CALLS }, () => bank.hold(wallet, HELD, { budgetId, kind })),
  )
  const ledgers: readonly Ledger[] = [ledger, other]
  const enlarged = await Promise.all(
    opened.map((hold, place) => (ledgers[place % 2] as Ledger).enlarge(hold, HELD)),
  )
  await bank.assertSound()
  const settled = await Promise.all(
    enlarged.map((hold, place) =>
      (ledgers[(place + 1) % 2] as Ledger).resolve({
        hold,
        charge: hold.amount,
        latencyMs: 1,
        errorCode: null,
        hops: null,
      }),
    ),
  )
  await bank.assertSound()
  return settled.reduce((sum, { charged }) => sum + charged, 0n)
}

const ALL = BigInt(CALLS) * HELD + FREE

describe('many concurrent excesses on two processes', () => {
  it('use a balance to its last micro-dollar and not beyond', async () => {
    const wallet = await bank.openWallet(ALL)
    assert.equal(await raceExcesses(wallet, null, 'call'), ALL)
    assert.deepEqual(await bank.wallet(wallet), { balance: 0n, held: 0n })
  })

  it('use a limit to its last micro-dollar and not beyond, by day, week and month', async () => {
    for (const period of ['day', 'week', 'month'] as const) {
      const wallet = await bank.openWallet(10n * ALL)
      const budgetId = await bank.openBudget({ ceiling: ALL, period })
      assert.equal(await raceExcesses(wallet, budgetId, 'call'), ALL)
      assert.equal((await bank.windows(budgetId))[`${period}_spent`], ALL)
    }
  })

  it('use the daily LLM cap to its last micro-dollar and not beyond', async () => {
    const wallet = await bank.openWallet(10n * ALL)
    await capDay(wallet, ALL)
    assert.equal(await raceExcesses(wallet, await bank.openBudget(), 'llm'), ALL)
    assert.equal(await dayUsed(wallet), ALL)
  })

  it('exceed no limit in any mix of calls, excesses and settlements', async () => {
    const amount = fc.bigInt({ min: 1n, max: 2_000n })
    await fc.assert(
      fc.asyncProperty(
        amount,
        amount,
        amount,
        fc.array(
          fc.record({
            held: amount,
            wanted: amount,
            part: fc.integer({ min: 0, max: 100 }),
            isModel: fc.boolean(),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        async (balance, ceiling, cap, calls) => {
          const wallet = await bank.openWallet(balance)
          const budgetId = await bank.openBudget({ ceiling })
          await capDay(wallet, cap)
          await Promise.all(
            calls.map(async ({ held, wanted, part, isModel }, place) => {
              const mine = place % 2 === 0 ? ledger : other
              const hold = await mine
                .hold(bank.request(wallet, held, { budgetId, kind: isModel ? 'llm' : 'call' }))
                .catch(() => null)
              if (hold === null || !hold.opened) return
              const larger = await mine.enlarge(hold, wanted)
              assert.ok(larger.amount >= held && larger.amount <= held + wanted)
              await mine.resolve({
                hold: larger,
                charge: (larger.amount * BigInt(part)) / 100n,
                latencyMs: 1,
                errorCode: null,
                hops: null,
              })
            }),
          )
          const spent = balance - (await bank.wallet(wallet)).balance
          assert.equal((await bank.windows(budgetId)).day_spent, spent)
          assert.ok(spent <= balance && spent <= ceiling && ((await dayUsed(wallet)) ?? 0n) <= cap)
        },
      ),
      { numRuns: 25 },
    )
    await bank.assertSound()
  })
})

describe('an enlarged hold', () => {
  it('releases its uncharged part', async () => {
    const wallet = await bank.openWallet(10_000n)
    const budgetId = await bank.openBudget({ ceiling: 9_000n })
    const hold = await ledger.enlarge(
      await bank.hold(wallet, 1_000n, { budgetId, kind: 'llm' }),
      2_000n,
    )
    assert.equal(hold.amount, 3_000n)
    assert.equal((await bank.settle(hold, 1_234n)).charged, 1_234n)
    assert.deepEqual(await bank.wallet(wallet), { balance: 8_766n, held: 0n })
    assert.deepEqual(
      [(await bank.windows(budgetId)).month_spent, await dayUsed(wallet)],
      [1_234n, 1_234n],
    )
    await bank.assertSound()
  })

  it('is settled correctly by a process that does not know its new amount', async () => {
    const wallet = await bank.openWallet(10_000n)
    const hold = await bank.hold(wallet, 1_000n)
    await other.enlarge(hold, 500n)
    assert.equal((await bank.settle(hold, 1_000n)).charged, 1_000n)
    assert.deepEqual(await bank.wallet(wallet), { balance: 9_000n, held: 0n })
    await bank.assertSound()
  })

  it('adds nothing for a call that has ended', async () => {
    const wallet = await bank.openWallet(10_000n)
    const hold = await bank.hold(wallet, 1_000n)
    await bank.release(hold)
    assert.deepEqual(await ledger.enlarge(hold, 500n), hold)
    assert.deepEqual(await bank.wallet(wallet), { balance: 10_000n, held: 0n })
  })

  it('adds nothing from expired credit', async () => {
    const wallet = await bank.openWallet(1_000n)
    await bank.post(wallet, 'grant', 5_000n, clock() + 1_000)
    const hold = await bank.hold(wallet, 500n)
    clock.advance(2_000)
    // The open hold keeps its part of the grant.
    assert.equal((await ledger.enlarge(hold, 5_000n)).amount, 1_500n)
    await bank.assertSound()
  })

  it('adds nothing from a limit or a daily cap whose window has passed', async () => {
    const opened: Hold[] = []
    const [wallet, free] = [await bank.openWallet(100_000n), await bank.openWallet(100_000n)]
    const budgets = [await bank.openBudget({ ceiling: 50_000n }), await bank.openBudget()]
    for (const budgetId of budgets) opened.push(await bank.hold(free, 1_000n, { budgetId }))
    opened.push(await bank.hold(wallet, 1_000n, { kind: 'llm' }))
    clock.advance(DAY_MS)
    for (const budgetId of budgets) await bank.release(await bank.hold(free, 1n, { budgetId }))
    await bank.release(await bank.hold(wallet, 1n, { kind: 'llm' }))
    const amounts: Micros[] = []
    for (const hold of opened) amounts.push((await ledger.enlarge(hold, 1_000n)).amount)
    assert.deepEqual(amounts, [1_000n, 2_000n, 1_000n])
    await bank.assertSound()
  })
})
