import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { CALL_MS, openBank, START_MS } from '../../test/harness/beds/ledger.ts'

const bank = await openBank()
const { clock, ledger } = bank
beforeEach(() => clock.set(START_MS))

test('sweeps a hold after its deadline, not at it', async () => {
  const wallet = await bank.openWallet(10n)
  const budget = await bank.openBudget({ ceiling: 10n })
  await bank.hold(wallet, 6n, { budgetId: budget })
  clock.advance(CALL_MS)
  assert.equal(await ledger.sweep(), 0)
  clock.advance(1)
  assert.equal(await ledger.sweep(), 1)
  assert.equal(await ledger.sweep(), 0)
  assert.deepEqual(await bank.wallet(wallet), { balance: 10n, held: 0n })
  assert.equal((await bank.windows(budget)).day_held, 0n)
})

test('a swept call is released, with the reason', async () => {
  const wallet = await bank.openWallet(10n)
  const { id } = await bank.hold(wallet, 6n)
  clock.advance(CALL_MS + 1)
  await ledger.sweep()
  const { rows } = await bank.database.query(
    'select status, error_code, amount_micros from transactions where id = $1',
    [id],
  )
  assert.deepEqual(rows, [{ status: 'released', error_code: 'hold_expired', amount_micros: 0n }])
})

test('a result after the sweep is not charged, and is reported as expired', async () => {
  const wallet = await bank.openWallet(10n)
  const hold = await bank.hold(wallet, 6n)
  clock.advance(CALL_MS + 1)
  await ledger.sweep()
  assert.deepEqual(await bank.settle(hold, 6n), {
    charged: 0n,
    expired: true,
    wallet: { balance: 10n, held: 0n },
  })
})

test('charges a result after the deadline and before the sweep', async () => {
  const wallet = await bank.openWallet(10n)
  const hold = await bank.hold(wallet, 6n)
  clock.advance(CALL_MS + 1)
  assert.equal((await bank.settle(hold, 6n)).charged, 6n)
  assert.equal(await ledger.sweep(), 0)
})

test('a call that is settled and swept in one flush is reported as charged or as expired', async () => {
  const wallet = await bank.openWallet(100n)
  const holds = await Promise.all(Array.from({ length: 20 }, () => bank.hold(wallet, 1n)))
  clock.advance(CALL_MS + 1)
  const [swept, ...settled] = await Promise.all([
    ledger.sweep(),
    ...holds.map((hold) => bank.settle(hold, 1n)),
  ])
  const charged = settled.filter(
    (settlement) => settlement.charged === 1n && !settlement.expired,
  ).length
  assert.equal(
    settled.filter((settlement) => settlement.charged === 0n && settlement.expired).length,
    20 - charged,
  )
  assert.equal(swept, 20 - charged)
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n - BigInt(charged), held: 0n })
})

test('one sweep releases every hold past its deadline and keeps all others', async () => {
  const wallet = await bank.openWallet(5000n)
  await Promise.all(Array.from({ length: 1203 }, () => bank.hold(wallet, 1n)))
  await bank.hold(wallet, 7n, { deadlineMs: clock() + 10 * CALL_MS })
  clock.advance(CALL_MS + 1)
  assert.equal(await ledger.sweep(), 1203)
  assert.deepEqual(await bank.wallet(wallet), { balance: 5000n, held: 7n })
})

test('three concurrent sweeps release each hold once, while calls continue', async () => {
  const wallet = await bank.openWallet(5000n)
  const budget = await bank.openBudget({ ceiling: 5000n })
  await Promise.all(Array.from({ length: 600 }, () => bank.hold(wallet, 1n, { budgetId: budget })))
  clock.advance(CALL_MS + 1)
  const ledgers = [ledger, bank.anotherLedger(), bank.anotherLedger()]
  const counts = Promise.all(ledgers.map((one) => one.sweep()))
  await Promise.all(
    Array.from({ length: 50 }, async () =>
      bank.settle(await bank.hold(wallet, 2n, { budgetId: budget }), 1n),
    ),
  )
  assert.equal(
    (await counts).reduce((sum, count) => sum + count, 0),
    600,
  )
  assert.deepEqual(await bank.wallet(wallet), { balance: 4950n, held: 0n })
})

test('a hold that cannot be released does not block the others', async () => {
  const wallet = await bank.openWallet(10n)
  await bank.hold(wallet, 6n)
  await bank.database.query(
    "insert into holds (id, wallet_id, amount_micros, day, deadline_ms, kind, attributes) values (gen_random_uuid(), 0, 1, 0, 0, 'call', '{}')",
  )
  clock.advance(CALL_MS + 1)
  assert.equal(await ledger.sweep(), 1)
  assert.equal((await bank.wallet(wallet)).held, 0n)
  await assert.rejects(ledger.sweep(), { code: '23503' })
  await bank.database.query('delete from holds where wallet_id = 0')
})

test('the books balance after these tests', () => bank.assertSound())
