import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, openBank } from '../../../test/harness/beds/ledger.ts'
import { manualTimers } from '../../../test/harness/manual-timers.ts'
import { fc } from '../../../test/harness/property.ts'
import type { Claim, Hold, HoldRequest, HoldWait } from '../hold.ts'
import type { Ledger, Repeated } from '../ledger.ts'

const bank = await openBank()
const { clock, database } = bank
const timers = manualTimers(clock)
const ledger = bank.anotherLedger({ after: timers.after })
const WAIT: HoldWait = { ms: 25_000 }

const ask = (
  walletId: number,
  amount: bigint,
  facts: Partial<HoldRequest> = {},
  wait = WAIT,
): Promise<Hold | Repeated> => ledger.hold(bank.request(walletId, amount, facts), wait)

async function opened(asked: Promise<Hold | Repeated>): Promise<Hold> {
  const hold = await asked
  assert.ok(hold.opened)
  return hold
}

/** Returns when this many calls of the ledger wait. */
async function untilWaiting(count: number, of: Ledger = ledger): Promise<void> {
  while (of.figures().waitingForMoney !== count) await database.query('select 1')
}

/** Lets the looks at the queue happen that are already due. */
async function lookOnce(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await database.query('select 1')
}

const settle = (hold: Hold, charge: bigint) =>
  ledger.resolve({ hold, charge, latencyMs: 1, errorCode: null, hops: null })

test('a call waits for held credit, holds nothing meanwhile, and opens when it is released', async () => {
  const wallet = await bank.openWallet(100n)
  const first = await opened(ask(wallet, 80n))
  const second = ask(wallet, 50n)
  await untilWaiting(1)
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 80n })
  await settle(first, 10n)
  assert.equal((await opened(second)).amount, 50n)
  assert.deepEqual(await bank.wallet(wallet), { balance: 90n, held: 50n })
})

test('calls of a budget open in the order of their arrival, and none passes a larger one', async () => {
  const wallet = await bank.openWallet(1_000n)
  const budgetId = await bank.openBudget({ ceiling: 100n })
  const first = await opened(ask(wallet, 60n, { budgetId }))
  const order: string[] = []
  const note = (name: string, asked: Promise<Hold | Repeated>): Promise<Hold> =>
    opened(asked).then((hold) => (order.push(name), hold))
  const large = note('large', ask(wallet, 90n, { budgetId }))
  await untilWaiting(1)
  const small = note('small', ask(wallet, 5n, { budgetId }))
  await untilWaiting(2)
  // Another key of the account does not wait for this one.
  await settle(await opened(ask(wallet, 5n, { budgetId: await bank.openBudget() })), 0n)
  await settle(first, 0n)
  await Promise.all([large, small])
  assert.deepEqual(order, ['large', 'small'])
})

test('a call of the wallet waits behind a call of another key that waits for the wallet', async () => {
  const wallet = await bank.openWallet(100n)
  const first = await opened(ask(wallet, 60n, { budgetId: await bank.openBudget() }))
  const large = ask(wallet, 90n, { budgetId: await bank.openBudget() })
  await untilWaiting(1)
  const small = ask(wallet, 10n, { budgetId: await bank.openBudget() })
  await untilWaiting(2)
  await settle(first, 0n)
  await Promise.all([opened(large), opened(small)])
})

test('refuses a call when its time to wait is over, and serves the next one', async () => {
  const wallet = await bank.openWallet(100n)
  await opened(ask(wallet, 60n))
  const large = ask(wallet, 90n, {}, { ms: 1_000 })
  await untilWaiting(1)
  const small = ask(wallet, 40n)
  await untilWaiting(2)
  timers.advance(1_000)
  await assert.rejects(large, { code: 'room_held', retryAfterSeconds: 1 })
  await opened(small)
  await untilWaiting(0)
})

test('without a time to wait, refuses a call that fits but would pass a waiting one', async () => {
  const wallet = await bank.openWallet(100n)
  const first = await opened(ask(wallet, 60n))
  const large = ask(wallet, 90n)
  await untilWaiting(1)
  await assert.rejects(ledger.hold(bank.request(wallet, 10n)), { code: 'room_held' })
  await settle(first, 0n)
  await settle(await opened(large), 0n)
  assert.ok((await ledger.hold(bank.request(wallet, 10n))).opened)
})

test('refuses a call finally for spent money, without a wait and during one', async () => {
  const wallet = await bank.openWallet(100n)
  const budgetId = await bank.openBudget({ ceiling: 50n })
  const first = await opened(ask(wallet, 50n, { budgetId }))
  await assert.rejects(ask(wallet, 51n, { budgetId }), { code: 'api_key_limit_exceeded' })
  await assert.rejects(ask(wallet, 101n), { code: 'credits_required' })
  const second = ask(wallet, 20n, { budgetId })
  const refused = assert.rejects(second, { code: 'api_key_limit_exceeded' })
  await untilWaiting(1)
  await settle(first, 40n)
  await refused
})

test('a wait ends when the caller disconnects, and when the process stops', async () => {
  const wallet = await bank.openWallet(100n)
  const stopping = bank.anotherLedger({ after: timers.after })
  await opened(ask(wallet, 100n))
  let hangUp = (): void => assert.fail('nothing waits')
  const left = stopping.hold(bank.request(wallet, 10n), {
    ms: 1_000,
    onGone: (listener) => (hangUp = listener),
  })
  const stopped = stopping.hold(bank.request(wallet, 10n), { ms: 1_000 })
  await untilWaiting(2, stopping)
  hangUp()
  await assert.rejects(left, { code: 'bad_request' })
  stopping.endWaits()
  await assert.rejects(stopped, { code: 'shutting_down' })
  await untilWaiting(0, stopping)
})

test('finds credit that was added and a raised limit within 250 ms', async () => {
  const wallet = await bank.openWallet(100n)
  const budgetId = await bank.openBudget({ ceiling: 10n })
  await opened(ask(wallet, 10n, { budgetId }))
  const byKey = ask(wallet, 5n, { budgetId })
  await untilWaiting(1)
  await lookOnce()
  await database.query('update budgets set ceiling_micros = 15 where id = $1', [budgetId])
  timers.advance(249)
  await lookOnce()
  assert.equal(ledger.figures().waitingForMoney, 1)
  timers.advance(1)
  await opened(byKey)
})

test('by default no call waits for jobs and sessions', async () => {
  const wallet = await bank.openWallet(100n)
  const session = await opened(ask(wallet, 90n, { kind: 'session' }))
  await assert.rejects(ask(wallet, 50n, {}, { ...WAIT, isDefault: true }), { code: 'room_held' })
  const chosen = ask(wallet, 50n)
  await untilWaiting(1)
  await settle(session, 0n)
  await opened(chosen)
})

const claimOn = (accountId: string, idempotencyKey: string): Claim => ({
  accountId,
  route: 'run/search/web',
  idempotencyKey,
  fingerprint: 'ab'.repeat(32),
  expiresMs: clock() + DAY_MS,
})

test('a repeated request does not wait, and a waiting call claims no idempotency key', async () => {
  const wallet = await bank.openWallet(100n)
  const account = await bank.openAccount()
  const first = await opened(ask(wallet, 100n, { claim: claimOn(account, 'one') }))
  const second = ask(wallet, 50n, { claim: claimOn(account, 'two') })
  await untilWaiting(1)
  assert.deepEqual(await ask(wallet, 100n, { claim: claimOn(account, 'one') }), { opened: false })
  const claims = await database.query('select from answers where account_id = $1', [account])
  assert.equal(claims.count, 1)
  await settle(first, 0n)
  await opened(second)
})

test('a hold that waited keeps its whole time until its deadline', async () => {
  const wallet = await bank.openWallet(100n)
  const first = await opened(ask(wallet, 100n))
  const request = bank.request(wallet, 50n)
  const second = ledger.hold(request, WAIT)
  await untilWaiting(1)
  timers.advance(20_000)
  await settle(first, 0n)
  assert.equal((await opened(second)).deadlineMs, request.deadlineMs + 20_000)
})

test('calls of language models wait for the daily cap', async () => {
  const wallet = await bank.openWallet(1_000n)
  await database.query(
    'insert into inference_days (wallet_id, day, cap_micros) values ($1, 0, 100)',
    [wallet],
  )
  const first = await opened(ask(wallet, 100n, { kind: 'llm' }))
  const second = ask(wallet, 60n, { kind: 'llm' })
  await untilWaiting(1)
  await opened(ask(wallet, 60n))
  await settle(first, 30n)
  await opened(second)
})

test('random calls of a wallet and its keys: all open, in order, and no limit is exceeded', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          key: fc.nat({ max: 2 }),
          amount: fc.bigInt({ min: 1n, max: 60n }),
          isFree: fc.boolean(),
        }),
        { minLength: 1, maxLength: 25 },
      ),
      async (calls) => {
        const wallet = await bank.openWallet(100n)
        const budgets = await Promise.all(
          [60n, 80n, 100n].map((ceiling) => bank.openBudget({ ceiling })),
        )
        const placesOf = (key: number): number[] =>
          calls.flatMap((call, place) => (call.key === key ? [place] : []))
        const order: number[] = []
        // Everything is held until all calls wait.
        const first = await opened(ask(wallet, 100n))
        const asked = Promise.all(
          calls.map(async ({ key, amount }, place) => {
            const hold = await opened(ask(wallet, amount, { budgetId: budgets[key] ?? null }))
            order.push(place)
            await settle(hold, 0n)
          }),
        )
        await untilWaiting(calls.length)
        await settle(first, 0n)
        await asked
        for (const key of [0, 1, 2])
          assert.deepEqual(
            order.filter((place) => calls[place]?.key === key),
            placesOf(key),
          )
        assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 0n })
      },
    ),
    { numRuns: 15 },
  )
})

test('the books balance after these tests', () => bank.assertSound())
