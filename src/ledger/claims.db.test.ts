import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { CALL_MS, DAY_MS, openBank, START_MS } from '../../test/harness/beds/ledger.ts'
import type { Id } from '../lib/ids.ts'
import type { Claim, Hold, HoldRequest } from './hold.ts'
import type { Settlement } from './ledger.ts'

const bank = await openBank()
const { clock, ledger, database } = bank
beforeEach(() => clock.set(START_MS))

const account = await bank.openAccount()
let keyCount = 0
const newKey = (): string => `key-${(keyCount += 1)} "quoted\\"`

const claimOf = (idempotencyKey: string, facts: Partial<Claim> = {}): Claim => ({
  accountId: account,
  route: 'run/search/web',
  idempotencyKey,
  fingerprint: 'ab'.repeat(32),
  expiresMs: clock() + DAY_MS,
  ...facts,
})
const claiming = (walletId: number, key: string, amount = 1n): HoldRequest =>
  bank.request(walletId, amount, { claim: claimOf(key) })
const answerTo = (
  hold: Hold,
  answer: { status: number; body: string } | null,
): Promise<Settlement> =>
  ledger.resolve({
    hold,
    charge: answer === null ? 0n : 1n,
    latencyMs: 0,
    errorCode: answer === null ? 'upstream_error' : null,
    hops: null,
    answer,
  })

async function opened(request: HoldRequest): Promise<Hold> {
  const hold = await ledger.hold(request)
  assert.ok(hold.opened)
  return hold
}

async function stored(
  key: string,
): Promise<{ call: Id; status: number | null; body: string | null } | undefined> {
  const { rows } = await database.query<{ call: Id; status: number | null; body: string | null }>(
    'select call_id as call, status, body from answers where account_id = $1 and idempotency_key = $2',
    [account, key],
  )
  return rows[0]
}

test('a repeat during the first call holds no credit and does not take over the key', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  const first = await opened(claiming(wallet, key, 4n))
  assert.deepEqual(await ledger.hold(claiming(wallet, key, 4n)), { opened: false })
  assert.deepEqual(await stored(key), { call: first.id, status: null, body: null })
  assert.equal((await bank.wallet(wallet)).held, 4n)
})

test('a repeat after the answer holds no credit, and the answer is stored byte for byte', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  const body = '{"text":"a \\"quote\\" \\\\ {brace}, NULL, \\u0000, 価格 🧾"}\n'
  const first = await opened(claiming(wallet, key))
  await answerTo(first, { status: 200, body })
  assert.deepEqual(await ledger.hold(claiming(wallet, key)), { opened: false })
  assert.deepEqual(await stored(key), { call: first.id, status: 200, body })
  assert.deepEqual(await bank.wallet(wallet), { balance: 9n, held: 0n })
})

test('the same key on another route or of another account is a different key', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  await opened(claiming(wallet, key))
  await opened(bank.request(wallet, 1n, { claim: claimOf(key, { route: 'run/search/news' }) }))
  await opened(
    bank.request(wallet, 1n, { claim: claimOf(key, { accountId: await bank.openAccount() }) }),
  )
})

test('opens the first of two calls with one key in a flush; the second is a repeat', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  const [first, second] = await Promise.all([
    ledger.hold(claiming(wallet, key)),
    ledger.hold(claiming(wallet, key)),
  ])
  assert.deepEqual([first.opened, second.opened], [true, false])
  assert.equal((await bank.wallet(wallet)).held, 1n)
})

test('opens one hold for a hundred calls with one key on three ledgers', async () => {
  const wallet = await bank.openWallet(1000n)
  const key = newKey()
  const ledgers = [ledger, bank.anotherLedger(), bank.anotherLedger()]
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, place) =>
      (ledgers[place % 3] ?? ledger).hold(claiming(wallet, key)),
    ),
  )
  assert.equal(outcomes.filter(({ opened: isOpen }) => isOpen).length, 1)
  assert.equal((await bank.wallet(wallet)).held, 1n)
})

for (const [why, code, facts] of [
  ['credit', 'credits_required', {}],
  ['its ceiling', 'api_key_limit_exceeded', { ceiling: 1n }],
  ['a paused key', 'api_key_paused', { state: 'paused' }],
  ['a closed key', 'invalid_token', { state: 'closed' }],
] as const) {
  test(`a call refused for ${why} frees its key, so the same request works later`, async () => {
    const wallet = await bank.openWallet()
    const budgetId = await bank.openBudget(facts)
    const key = newKey()
    await assert.rejects(ledger.hold({ ...claiming(wallet, key, 5n), budgetId }), { code })
    assert.equal(await stored(key), undefined)
    await bank.post(wallet, 'topup', 5n)
    await database.query("update budgets set state = 'open', ceiling_micros = null where id = $1", [
      budgetId,
    ])
    await opened({ ...claiming(wallet, key, 5n), budgetId })
  })
}

test('a released call frees its key', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  await answerTo(await opened(claiming(wallet, key)), null)
  assert.equal(await stored(key), undefined)
  await opened(claiming(wallet, key))
})

test('a call that is settled without an answer frees its key too', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  await bank.settle(await opened(claiming(wallet, key)), 1n)
  assert.equal(await stored(key), undefined)
})

test('a swept call frees its key, and its late answer is neither stored nor charged', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  const slow = await opened(claiming(wallet, key))
  clock.advance(CALL_MS + 1)
  await ledger.sweep()
  const again = await opened(claiming(wallet, key))
  assert.deepEqual(await answerTo(slow, { status: 200, body: 'late' }), {
    charged: 0n,
    expired: true,
    wallet: { balance: 10n, held: 1n },
  })
  assert.deepEqual(await stored(key), { call: again.id, status: null, body: null })
})

test('a release after the settlement keeps the stored answer', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  const hold = await opened(claiming(wallet, key))
  await answerTo(hold, { status: 200, body: 'kept' })
  assert.equal((await answerTo(hold, null)).charged, 1n)
  assert.deepEqual(await stored(key), { call: hold.id, status: 200, body: 'kept' })
})

test('a second settlement does not replace the stored answer', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  const hold = await opened(claiming(wallet, key))
  await answerTo(hold, { status: 200, body: 'first' })
  await answerTo(hold, { status: 500, body: 'second' })
  assert.deepEqual(await stored(key), { call: hold.id, status: 200, body: 'first' })
})

test('stores the answer only if the call is charged when a flush also releases it', async () => {
  const wallet = await bank.openWallet(100n)
  for (const releaseFirst of [true, false, true, false]) {
    const key = newKey()
    const hold = await opened(claiming(wallet, key))
    const settle = (): Promise<Settlement> => answerTo(hold, { status: 200, body: 'kept' })
    const release = (): Promise<Settlement> => answerTo(hold, null)
    const both = await Promise.all(releaseFirst ? [release(), settle()] : [settle(), release()])
    assert.equal(both[0].charged, both[1].charged)
    assert.equal((await stored(key))?.status, both[0].charged === 1n ? 200 : undefined)
  }
})

test('a claim can be reused from the millisecond of its expiry', async () => {
  const wallet = await bank.openWallet(10n)
  const key = newKey()
  await answerTo(await opened(claiming(wallet, key)), { status: 200, body: 'old' })
  clock.advance(DAY_MS - 1)
  assert.equal((await ledger.hold(claiming(wallet, key))).opened, false)
  clock.advance(1)
  const fresh = await opened(claiming(wallet, key))
  assert.deepEqual(await stored(key), { call: fresh.id, status: null, body: null })
})

test('calls with and without idempotency keys share a flush', async () => {
  const wallet = await bank.openWallet(10n)
  const [first, second] = [newKey(), newKey()]
  const outcomes = await Promise.all([
    ledger.hold(bank.request(wallet, 1n)),
    ledger.hold(claiming(wallet, first)),
    ledger.hold(bank.request(wallet, 1n)),
    ledger.hold(claiming(wallet, second)),
  ])
  assert.ok(outcomes.every(({ opened: isOpen }) => isOpen))
  assert.deepEqual(
    [(await stored(first))?.call, (await stored(second))?.call],
    [outcomes[1], outcomes[3]].map((hold) => (hold?.opened ? hold.id : '')),
  )
})

test('the books balance after these tests', () => bank.assertSound())
