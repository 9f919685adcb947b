/** The lease in the ids of its calls identifies the holds of a dead process. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../../test/harness/beds/ledger.ts'
import { newId, type Id, type LeaseNumber } from '../lib/ids.ts'
import { cents, type Micros } from '../lib/money.ts'
import type { Hold, HoldKind } from './hold.ts'

const bank = await openBank()
const { clock, ledger } = bank
const CENT = cents('1')

async function holdOf(
  lease: LeaseNumber,
  walletId: number,
  kind: HoldKind = 'call',
  claims = false,
): Promise<Hold> {
  const id = newId(clock(), lease)
  const claim = claims
    ? {
        accountId: newId(0),
        route: 'run/search/web',
        idempotencyKey: id,
        fingerprint: 'aa',
        expiresMs: clock() + 86_400_000,
      }
    : null
  return bank.hold(walletId, CENT, { id, kind, claim, deadlineMs: clock() + 1_257_000 })
}

async function claimed(id: Id): Promise<number> {
  return (await bank.database.query('select from answers where call_id = $1', [id])).count
}

test('releases the holds and keys of a dead process long before their deadline', async () => {
  const wallet = await bank.openWallet(10n * CENT)
  const holds = [
    await holdOf('abcdef', wallet, 'call', true),
    await holdOf('abcdef', wallet, 'llm', true),
    await holdOf('abcdef', wallet),
  ]
  assert.equal(await ledger.releaseOf('abcdef'), 3)
  assert.deepEqual(await bank.wallet(wallet), { balance: 10n * CENT, held: 0n })
  for (const { id } of holds) assert.equal(await claimed(id), 0)
  assert.equal(await ledger.releaseOf('abcdef'), 0)
})

test('keeps the holds of other processes, and those of jobs and sessions', async () => {
  const wallet = await bank.openWallet(10n * CENT)
  await holdOf('abcde0', wallet)
  await holdOf('000000', wallet)
  await bank.hold(wallet, CENT, { id: newId(clock()).slice(0, 26) + 'bcdef0' })
  await holdOf('abcdef', wallet, 'job')
  await holdOf('abcdef', wallet, 'session')
  assert.equal(await ledger.releaseOf('abcdef'), 0)
  assert.equal((await bank.wallet(wallet)).held, 5n * CENT)
})

test('releases all holds, even more than one query returns', async () => {
  const wallet = await bank.openWallet(2_000n * CENT)
  await Promise.all(Array.from({ length: 1_203 }, () => holdOf('aaaaaa', wallet)))
  assert.equal(await ledger.releaseOf('aaaaaa'), 1_203)
  assert.equal((await bank.wallet(wallet)).held, 0n)
})

test('fails if a hold could not be released, so that the release is repeated', async () => {
  const wallet = await bank.openWallet(10n * CENT)
  await holdOf('bbbbbb', wallet)
  const stuck = newId(clock(), 'bbbbbb')
  await bank.database.query(
    "insert into holds (id, wallet_id, amount_micros, day, deadline_ms, kind, attributes) values ($1, 0, 1, 0, 9e12, 'call', '{}')",
    [stuck],
  )
  await assert.rejects(ledger.releaseOf('bbbbbb'), { code: '23503' })
  assert.equal((await bank.wallet(wallet)).held, 0n)
  await bank.database.query('delete from holds where id = $1', [stuck])
  assert.equal(await ledger.releaseOf('bbbbbb'), 0)
})

test('a result after the release is not charged, and is reported', async () => {
  const late: [Id, Micros][] = []
  const frozen = bank.anotherLedger({
    onLateResult: ({ id }, charge) => void late.push([id, charge]),
  })
  const wallet = await bank.openWallet(10n * CENT)
  const hold = await holdOf('cccccc', wallet, 'call', true)
  await ledger.releaseOf('cccccc')
  assert.deepEqual(
    await frozen.resolve({
      hold,
      charge: CENT,
      latencyMs: 5,
      errorCode: null,
      hops: null,
      answer: { status: 200, body: '{}' },
    }),
    { charged: 0n, expired: true, wallet: { balance: 10n * CENT, held: 0n } },
  )
  assert.deepEqual(late, [[hold.id, CENT]])
  // A failed call has no charge to lose.
  const failing = await holdOf('cccccc', wallet)
  await ledger.releaseOf('cccccc')
  await frozen.resolve({
    hold: failing,
    charge: 0n,
    latencyMs: 5,
    errorCode: 'upstream_error',
    hops: null,
  })
  assert.equal(late.length, 1)
})

test('ends each call once if the process was alive and settles during its release', async () => {
  const wallet = await bank.openWallet(100n * CENT)
  const holds = await Promise.all(Array.from({ length: 50 }, () => holdOf('dddddd', wallet)))
  const [released, ...settled] = await Promise.all([
    ledger.releaseOf('dddddd'),
    ...holds.map((hold) => bank.settle(hold, CENT)),
  ])
  const charged = settled.filter((one) => one.charged === CENT && !one.expired).length
  assert.equal(released, 50 - charged)
  assert.deepEqual(await bank.wallet(wallet), {
    balance: (100n - BigInt(charged)) * CENT,
    held: 0n,
  })
})

test('the books balance after these tests', () => bank.assertSound())
