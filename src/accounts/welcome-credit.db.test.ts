import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { createWorld } from '../../test/harness/beds/world.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { DAY_MS, type Clock } from '../lib/clock.ts'
import { createAccount, type CreatedAccount } from './create-account.ts'
import { isWelcomeCreditLeft } from './welcome-credit.ts'

const { database, now } = await createWorld()
let strangers = 0

function make(
  welcomeCreditsPerDay: number | undefined,
  clock: Clock = now,
  email = `s${(strangers += 1)}@people.example.com`,
): Promise<CreatedAccount> {
  return createAccount(
    { database, now: clock },
    {
      email,
      tier: 'personal',
      ...(welcomeCreditsPerDay === undefined ? {} : { welcomeCreditsPerDay }),
    },
  )
}

async function creditOf({ account }: CreatedAccount): Promise<bigint> {
  const { rows } = await database.query<{ balance_micros: bigint }>(
    "select balance_micros from wallets join accounts on accounts.id = account_id where email = $1 and mode = 'live'",
    [account.email],
  )
  return rows[0]?.balance_micros ?? -1n
}

afterEach(async () => assert.deepEqual((await verifyLedger(database)).findings, []))

const isLeft = (mostPerDay: number, clock: Clock = now): Promise<boolean> =>
  isWelcomeCreditLeft(database, { mostPerDay, nowMs: clock() })

describe('welcome credit of self-registered accounts', () => {
  test('is granted up to the daily limit, even concurrently; other accounts have working keys', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => make(3)))
    assert.equal(made.filter(({ hasWelcomeCredit }) => hasWelcomeCredit).length, 3)
    for (const account of made)
      assert.equal(await creditOf(account), account.hasWelcomeCredit ? 2_000_000n : 0n)
    const { rows } = await database.query<{ credits: bigint }>(
      "select count(*) as credits from transactions where kind = 'grant' and amount_micros = 2000000",
    )
    assert.deepEqual([rows[0]?.credits, await isLeft(3), await isLeft(4)], [3n, false, true])
    const { rows: keys } = await database.query<{ keys: bigint }>(
      'select count(*) as keys from keys',
    )
    assert.equal(keys[0]?.keys, 16n)
  })

  test('resets at midnight (UTC), also for a process whose clock is behind', async () => {
    const behind = () => now() - 60_000
    now.set(Math.ceil(now() / DAY_MS) * DAY_MS)
    assert.equal(await isLeft(1), true)
    assert.deepEqual(
      [
        (await make(1)).hasWelcomeCredit,
        (await make(1)).hasWelcomeCredit,
        (await make(1, behind)).hasWelcomeCredit,
        await isLeft(1, behind),
        (await make(1)).hasWelcomeCredit,
      ],
      [true, false, false, false, false],
    )
    now.advance(DAY_MS)
    assert.deepEqual(
      [
        (await make(2)).hasWelcomeCredit,
        (await make(2, () => now() - DAY_MS)).hasWelcomeCredit,
        (await make(2)).hasWelcomeCredit,
      ],
      [true, true, false],
    )
  })

  test('stays available when the creation of an account fails', async () => {
    now.advance(DAY_MS)
    await make(undefined, now, 'taken@people.example.com')
    await assert.rejects(make(1, now, 'taken@people.example.com'), { code: 'email_taken' })
    assert.equal((await make(1)).hasWelcomeCredit, true)
  })

  test('is never granted with a limit of zero, not even as the first of a day', async () => {
    now.advance(DAY_MS)
    assert.deepEqual(
      [await isLeft(0), (await make(0)).hasWelcomeCredit, await isLeft(1)],
      [false, false, true],
    )
  })

  test('is granted to accounts created by the operator without counting toward the limit', async () => {
    now.advance(DAY_MS)
    const own = [await make(undefined), await make(undefined)]
    assert.deepEqual(
      [
        await Promise.all(own.map(creditOf)),
        (await make(1)).hasWelcomeCredit,
        (await make(1)).hasWelcomeCredit,
        (await make(undefined)).hasWelcomeCredit,
      ],
      [[2_000_000n, 2_000_000n], true, false, true],
    )
  })
})
