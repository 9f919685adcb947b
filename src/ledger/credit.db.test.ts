import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { DAY_MS, openBank, START_MS } from '../../test/harness/beds/ledger.ts'
import { newId } from '../lib/ids.ts'
import { postCredit, takeFreeCredit } from './credit.ts'

const bank = await openBank()
const { clock, ledger, database } = bank
beforeEach(() => clock.set(START_MS))

const TOMORROW = START_MS + DAY_MS
const LATER = START_MS + 2 * DAY_MS

async function spend(walletId: number, amount: bigint): Promise<void> {
  await bank.settle(await bank.hold(walletId, amount), amount)
}

// The flush that refuses this hold posts the expiry.
async function touch(walletId: number): Promise<void> {
  await assert.rejects(ledger.hold(bank.request(walletId, 2n ** 50n)), { code: 'credits_required' })
}

test('posts credit once per id and returns the balance', async () => {
  const walletId = await bank.openWallet()
  const request = {
    id: newId(clock()),
    walletId,
    kind: 'topup',
    amount: 50n,
    nowMs: clock(),
    reference: 'pay_1',
  } as const
  assert.equal(await postCredit(database, request), 50n)
  assert.equal(await postCredit(database, request), null)
  assert.equal((await bank.wallet(walletId)).balance, 50n)
})

test('posts credit once when two processes post the same id concurrently', async () => {
  const walletId = await bank.openWallet()
  const request = {
    id: newId(clock()),
    walletId,
    kind: 'topup',
    amount: 50n,
    nowMs: clock(),
  } as const
  assert.deepEqual(
    (await Promise.all([postCredit(database, request), postCredit(database, request)])).toSorted(),
    [50n, null],
  )
})

test('refuses zero credit, negative credit except adjustments, and bought credit that expires', async () => {
  const walletId = await bank.openWallet()
  await assert.rejects(bank.post(walletId, 'adjustment', 0n), {
    code: 'invalid_params',
    param: 'cents',
  })
  for (const kind of ['grant', 'topup', 'refund'] as const)
    await assert.rejects(bank.post(walletId, kind, -1n), { code: 'invalid_params', param: 'cents' })
  for (const kind of ['adjustment', 'topup', 'refund'] as const)
    await assert.rejects(bank.post(walletId, kind, 1n, TOMORROW), {
      code: 'invalid_params',
      param: 'expires',
    })
})

test('an adjustment takes free credit and no held credit', async () => {
  const walletId = await bank.openWallet(10n)
  const hold = await bank.hold(walletId, 6n)
  await assert.rejects(bank.post(walletId, 'adjustment', -5n), { code: 'credits_required' })
  assert.equal(await bank.post(walletId, 'adjustment', -4n), 6n)
  assert.deepEqual((await bank.settle(hold, 6n)).wallet, { balance: 0n, held: 0n })
})

test('takes back at most the free credit, without held and expired credit', async () => {
  const walletId = await bank.openWallet(10n)
  await bank.post(walletId, 'grant', 5n, TOMORROW)
  const hold = await bank.hold(walletId, 4n)
  clock.set(TOMORROW)
  const take = (most: bigint) =>
    database.transaction((tx) =>
      takeFreeCredit(tx, {
        id: newId(clock()),
        walletId,
        kind: 'adjustment',
        most,
        nowMs: clock(),
        reference: 'pay_1',
      }),
    )
  // Four of the expired grant stay for the hold.
  assert.deepEqual([await take(3n), await take(50n), await take(50n)], [3n, 7n, 0n])
  assert.deepEqual((await bank.settle(hold, 1n)).wallet, { balance: 3n, held: 0n })
  const taken = await Promise.all([take(2n), take(2n), take(2n)])
  assert.equal(
    taken.reduce((sum, one) => sum + one, 0n),
    3n,
  )
  assert.equal((await bank.wallet(walletId)).balance, 0n)
})

test('a grant expires at its exact millisecond, not one before', async () => {
  const walletId = await bank.openWallet(3n)
  await bank.post(walletId, 'grant', 10n, TOMORROW)
  clock.set(TOMORROW - 1)
  await touch(walletId)
  assert.equal((await bank.wallet(walletId)).balance, 13n)
  clock.advance(1)
  await touch(walletId)
  assert.equal((await bank.wallet(walletId)).balance, 3n)
})

test('a hold at the moment of expiry cannot use expired credit', async () => {
  const walletId = await bank.openWallet(3n)
  await bank.post(walletId, 'grant', 10n, TOMORROW)
  clock.set(TOMORROW)
  await assert.rejects(ledger.hold(bank.request(walletId, 4n)), { code: 'credits_required' })
  await bank.hold(walletId, 3n)
})

test('spends grants before bought credit, in any order of arrival', async () => {
  const walletId = await bank.openWallet(10n)
  await bank.post(walletId, 'grant', 10n, TOMORROW)
  await spend(walletId, 4n)
  clock.set(TOMORROW)
  await touch(walletId)
  assert.equal((await bank.wallet(walletId)).balance, 10n)
})

test('spends a grant without an expiry after other grants and before bought credit', async () => {
  const walletId = await bank.openWallet(10n)
  await bank.post(walletId, 'grant', 10n)
  await bank.post(walletId, 'grant', 10n, TOMORROW)
  await spend(walletId, 15n)
  await database.query('select ledger_count_lots($1)', [walletId])
  const { rows } = await database.query(
    'select source, expires_at is null as stays, remaining_micros as left from lots where wallet_id = $1 order by id',
    [walletId],
  )
  assert.deepEqual(rows, [
    { source: 'topup', stays: true, left: 10n },
    { source: 'grant', stays: true, left: 5n },
    { source: 'grant', stays: false, left: 0n },
  ])
})

test('spends the grant with the earliest expiry first, in any order of arrival', async () => {
  const walletId = await bank.openWallet()
  await bank.post(walletId, 'grant', 10n, LATER)
  await bank.post(walletId, 'grant', 10n, TOMORROW)
  await spend(walletId, 12n)
  clock.set(TOMORROW)
  await touch(walletId)
  assert.equal((await bank.wallet(walletId)).balance, 8n)
  clock.set(LATER)
  await touch(walletId)
  assert.equal((await bank.wallet(walletId)).balance, 0n)
})

test('keeps the part of an expired grant that open holds would use', async () => {
  const walletId = await bank.openWallet()
  await bank.post(walletId, 'grant', 10n, TOMORROW)
  const hold = await bank.hold(walletId, 6n)
  clock.set(TOMORROW)
  await touch(walletId)
  assert.deepEqual(await bank.wallet(walletId), { balance: 6n, held: 6n })
  await bank.settle(hold, 2n)
  clock.set(TOMORROW + 100 * DAY_MS)
  await touch(walletId)
  assert.deepEqual(await bank.wallet(walletId), { balance: 4n, held: 0n })
})

test('a hold protects each micro-dollar once, so it does not protect two grants', async () => {
  const walletId = await bank.openWallet()
  await bank.post(walletId, 'grant', 10n, TOMORROW)
  await bank.post(walletId, 'grant', 10n, LATER)
  await bank.hold(walletId, 15n)
  clock.set(TOMORROW)
  await touch(walletId)
  assert.deepEqual(await bank.wallet(walletId), { balance: 20n, held: 15n })
  clock.set(LATER)
  await touch(walletId)
  assert.deepEqual(await bank.wallet(walletId), { balance: 15n, held: 15n })
})

test('bought, refunded and adjusted credit never expires', async () => {
  const walletId = await bank.openWallet(1n)
  await bank.post(walletId, 'refund', 2n)
  await bank.post(walletId, 'adjustment', 4n)
  await bank.post(walletId, 'grant', 8n)
  clock.advance(100 * 365 * DAY_MS)
  await touch(walletId)
  assert.equal((await bank.wallet(walletId)).balance, 15n)
})

test('neither new credit nor an adjustment revives expired credit', async () => {
  const walletId = await bank.openWallet()
  await bank.post(walletId, 'grant', 10n, TOMORROW)
  clock.set(TOMORROW)
  await assert.rejects(bank.post(walletId, 'adjustment', -1n), { code: 'credits_required' })
  assert.equal(await bank.post(walletId, 'topup', 5n), 5n)
})

test('posts an expiry against the book of expired grants, with an id of its time', async () => {
  const walletId = await bank.openWallet()
  await bank.post(walletId, 'grant', 10n, TOMORROW)
  clock.set(TOMORROW)
  await touch(walletId)
  const { rows } = await database.query<{ id: string; kind: string; book: string; amount: bigint }>(
    'select id, kind, book, amount_micros as amount from transactions where wallet_id = $1 order by sequence',
    [walletId],
  )
  assert.deepEqual(
    rows.map(({ kind, book, amount }) => [kind, book, amount]),
    [
      ['grant', 'grants', 10n],
      ['adjustment', 'expired_grants', -10n],
    ],
  )
  assert.match(
    rows[1]?.id ?? '',
    new RegExp(`^${TOMORROW.toString(16).padStart(12, '0')}7[0-9a-f]{3}[89ab][0-9a-f]{15}$`),
  )
})

test('the books balance after these tests', () => bank.assertSound())
