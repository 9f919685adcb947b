import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, openBank } from '../../../test/harness/beds/ledger.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Hold, HoldRequest } from '../hold.ts'
import type { Repeated } from '../ledger.ts'
import { newId } from '../../lib/ids.ts'

const bank = await openBank()
const { database, clock, ledger } = bank

const open = (
  wallet: number,
  amount: bigint,
  facts: Partial<HoldRequest> = {},
): Promise<Hold | Repeated> => ledger.hold(bank.request(wallet, amount, { kind: 'llm', ...facts }))

const used = async (wallet: number): Promise<bigint | undefined> =>
  (
    await database.query<{ used_micros: bigint }>(
      'select used_micros from inference_days where wallet_id = $1',
      [wallet],
    )
  ).rows[0]?.used_micros
const refusedAs =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof AppError && error.code === code
const refused = refusedAs('inference_daily_cap')
const held = refusedAs('room_held')

async function walletWith(capMicros: bigint): Promise<number> {
  const wallet = await bank.openWallet(1_000_000_000n)
  await database.query(
    'insert into inference_days (wallet_id, day, cap_micros) values ($1, 0, $2)',
    [wallet, capMicros],
  )
  return wallet
}

test('limits an account to ten dollars a day by default', async () => {
  const wallet = await bank.openWallet(1_000_000_000n)
  const first = await open(wallet, 9_999_999n)
  await open(wallet, 1n)
  await assert.rejects(open(wallet, 1n), held)
  assert.ok(first.opened)
  await bank.settle(first, 9_999_999n)
  await assert.rejects(open(wallet, 2n), refused)
})

test('makes the unspent part of a hold available immediately', async () => {
  const wallet = await walletWith(100n)
  const hold = await open(wallet, 100n)
  assert.ok(hold.opened)
  await assert.rejects(
    open(wallet, 1n),
    (error) => held(error) && (error as AppError).details?.['held_micros'] === 100,
  )
  await bank.settle(hold, 30n)
  assert.equal(await used(wallet), 30n)
  const released = await open(wallet, 70n)
  assert.ok(released.opened)
  await bank.release(released)
  assert.equal(await used(wallet), 30n)
})

test('reports when the day ends, and does not affect other calls of the batch', async () => {
  const [full, other] = [await walletWith(10n), await bank.openWallet(1_000n)]
  const outcomes = await Promise.allSettled([
    open(full, 11n),
    bank.ledger.hold(bank.request(other, 5n)),
    open(other, 5n),
    open(full, 10n),
    bank.ledger.hold(bank.request(full, 5n)),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
  const [first] = outcomes
  assert.ok(first?.status === 'rejected' && refused(first.reason))
  assert.equal((first.reason as AppError).retryAfterSeconds, (DAY_MS - (clock() % DAY_MS)) / 1000)
  assert.match(
    (first.reason as AppError).fix,
    /max_tokens/,
    'advises a call above the daily cap to change, not to wait',
  )
  const fourth = outcomes[3]
  assert.ok(fourth.status === 'fulfilled' && fourth.value.opened)
  await bank.settle(fourth.value, 10n)
  await assert.rejects(
    open(full, 10n),
    (error) => refused(error) && /Retry-After/.test((error as AppError).fix),
  )
})

test('checks a capped account before the ledger, and admits it when there is capacity', async () => {
  const wallet = await walletWith(10n)
  const hold = await open(wallet, 10n)
  assert.ok(hold.opened)
  await assert.rejects(open(wallet, 5n), held)
  const { operations } = ledger.figures()
  await assert.rejects(open(wallet, 5n), held)
  await assert.rejects(open(wallet, 11n), refused)
  assert.equal(ledger.figures().operations, operations, 'the refusals never came to the ledger')
  await bank.settle(hold, 0n)
  assert.ok((await open(wallet, 5n)).opened)
})

test('replays earlier responses to a capped account', async () => {
  const wallet = await walletWith(10n)
  const accountId = newId(clock())
  const claimed = (idempotencyKey: string, amount: bigint) =>
    open(wallet, amount, {
      claim: {
        accountId,
        route: 'llm/chat/completions',
        idempotencyKey,
        fingerprint: '00',
        expiresMs: clock() + DAY_MS,
      },
    })
  const answered = await claimed('first', 10n)
  assert.ok(answered.opened)
  await ledger.resolve({
    hold: answered,
    charge: 10n,
    latencyMs: 1,
    errorCode: null,
    hops: null,
    answer: { status: 200, body: '{}' },
  })
  for (const [key, isRefused] of [
    ['second', true],
    ['first', false],
    ['third', true],
    ['first', false],
  ] as const) {
    if (isRefused) await assert.rejects(claimed(key, 10n), refused)
    else assert.deepEqual(await claimed(key, 10n), { opened: false })
  }
  assert.equal(await used(wallet), 10n)
})

test('resets at 00:00 UTC, and counts a call in the day of its start', async () => {
  const wallet = await walletWith(100n)
  const late = await open(wallet, 100n)
  assert.ok(late.opened)
  clock.set((Math.floor(clock() / DAY_MS) + 1) * DAY_MS)
  await assert.rejects(
    open(wallet, 101n),
    (error) => refused(error) && (error as AppError).details?.['used_micros'] === 0,
  )
  const early = await open(wallet, 100n)
  assert.ok(early.opened)
  await bank.settle(late, 100n)
  assert.equal(await used(wallet), 100n)
  await bank.settle(early, 1n)
  assert.equal(await used(wallet), 1n)
})

test('ignores the previous day in a process with a slow clock', async () => {
  const wallet = await walletWith(100n)
  await open(wallet, 60n)
  clock.advance(-DAY_MS)
  await assert.rejects(open(wallet, 60n), held)
  await open(wallet, 40n)
  clock.advance(DAY_MS)
  await assert.rejects(open(wallet, 1n), held)
})

test('makes swept holds available again', async () => {
  const wallet = await walletWith(10n)
  await open(wallet, 10n)
  clock.advance(200_000)
  await ledger.sweep()
  assert.equal(await used(wallet), 0n)
})

test('balances the books after all of this', () => bank.assertSound())
