import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../../test/harness/beds/ledger.ts'

const bank = await openBank()
const { ledger, database } = bank

/** The number of commits that opened the wallet's holds: each row contains its transaction. */
async function commitsOf(walletId: number): Promise<number> {
  const { rows } = await database.query<{ commits: bigint }>(
    'select count(distinct xmin::text) as commits from holds where wallet_id = $1',
    [walletId],
  )
  return Number(rows[0]?.commits)
}

const outcomeOf = (outcome: PromiseSettledResult<unknown>): string =>
  outcome.status === 'fulfilled' ? 'done' : String(outcome.reason.code)

test('calls that arrive together share a commit of at most 512', async () => {
  const few = await bank.openWallet(10_000n)
  await Promise.all(Array.from({ length: 512 }, () => bank.hold(few, 1n)))
  assert.equal(await commitsOf(few), 1)
  const many = await bank.openWallet(10_000n)
  await Promise.all(Array.from({ length: 513 }, () => bank.hold(many, 1n)))
  assert.equal(await commitsOf(many), 2)
})

test('calls that arrive while a flush is in flight share the next one', async () => {
  const wallet = await bank.openWallet(10_000n)
  const first = bank.hold(wallet, 1n)
  await new Promise(setImmediate)
  const rest = Array.from({ length: 50 }, () => bank.hold(wallet, 1n))
  await Promise.all([first, ...rest])
  assert.equal(await commitsOf(wallet), 2)
})

test('an operation that the database refuses fails alone, first, last or in the middle', async () => {
  const wallet = await bank.openWallet(10_000n)
  const requests = Array.from({ length: 9 }, (_, place) =>
    bank.request(wallet, 1n, place % 4 === 0 ? { service: 'nul\0' } : {}),
  )
  // A value that no type allows never reaches the database.
  requests[4] = bank.request(wallet, 1n, { service: 1n as unknown as string })
  const outcomes = await Promise.allSettled(requests.map((request) => ledger.hold(request)))
  assert.deepEqual(outcomes.map(outcomeOf), [
    'internal',
    'done',
    'done',
    'done',
    'internal',
    'done',
    'done',
    'done',
    'internal',
  ])
  assert.equal((await bank.wallet(wallet)).held, 6n)
})

test('a settlement that the database refuses fails alone, immediately, and its hold stays open', async () => {
  const pauses: number[] = []
  const patient = bank.anotherLedger({ pause: async (ms) => void pauses.push(ms) })
  const wallet = await bank.openWallet(10_000n)
  const [bad, good] = [await bank.hold(wallet, 3n), await bank.hold(wallet, 3n)]
  const outcomes = await Promise.allSettled([
    patient.resolve({ hold: bad, charge: 1n, latencyMs: 0, errorCode: null, hops: 'no JSON' }),
    patient.resolve({ hold: good, charge: 1n, latencyMs: 0, errorCode: null, hops: '[]' }),
    patient.hold(bank.request(wallet, 1n)),
  ])
  assert.deepEqual(outcomes.map(outcomeOf), ['22P02', 'done', 'done'])
  assert.deepEqual(pauses, [])
  assert.deepEqual(await bank.wallet(wallet), { balance: 9_999n, held: 4n })
  assert.equal((await bank.settle(bad, 1n)).charged, 1n)
})

test('a call id is not opened twice', async () => {
  const wallet = await bank.openWallet(10_000n)
  const request = bank.request(wallet, 1n)
  const outcomes = await Promise.allSettled([
    ledger.hold(request),
    ledger.hold(request),
    ledger.hold(bank.request(wallet, 1n)),
  ])
  assert.deepEqual(outcomes.map(outcomeOf), ['done', 'internal', 'done'])
  assert.equal((await bank.wallet(wallet)).held, 2n)
})

test('a call id that was posted before cannot be charged again', async () => {
  const wallet = await bank.openWallet(10_000n)
  const request = bank.request(wallet, 1n)
  const hold = await ledger.hold(request)
  assert.ok(hold.opened)
  await bank.settle(hold, 1n)
  const again = await ledger.hold(request)
  assert.ok(again.opened)
  await assert.rejects(bank.settle(again, 1n), { code: '23505' })
  assert.equal((await bank.wallet(wallet)).balance, 9_999n)
  await database.query('delete from holds where id = $1', [hold.id])
  await database.query('update wallets set held_micros = held_micros - 1 where id = $1', [wallet])
})

test('repeats a flush unchanged after a deadlock', async () => {
  const wallet = await bank.openWallet(10_000n)
  // A sequence is not rolled back: the first three attempts fail.
  await database.query(`create sequence attempts;
    create function lose() returns trigger language plpgsql as $$ begin
      if nextval('attempts') <= 3 then raise 'deadlock detected' using errcode = 'deadlock_detected'; end if;
      return new;
    end $$;
    create trigger lose before insert on holds for each statement execute function lose()`)
  try {
    await Promise.all(Array.from({ length: 20 }, () => bank.hold(wallet, 1n)))
    assert.equal(await commitsOf(wallet), 1)
  } finally {
    await database.query('drop trigger lose on holds; drop function lose; drop sequence attempts')
  }
})

test('refuses a hold beyond 20 000 waiting ones and still accepts settlements', async () => {
  const wallet = await bank.openWallet(100_000n)
  const hold = await bank.hold(wallet, 1n)
  const waiting = Array.from({ length: 20_000 }, () => ledger.hold(bank.request(wallet, 1n)))
  await assert.rejects(ledger.hold(bank.request(wallet, 1n)), {
    code: 'overloaded',
    retryAfterSeconds: 1,
  })
  assert.equal((await bank.settle(hold, 1n)).charged, 1n)
  await Promise.all(waiting)
  assert.deepEqual(await bank.wallet(wallet), { balance: 99_999n, held: 20_000n })
})

test('closing flushes the queue, and can be repeated', async () => {
  const closing = bank.anotherLedger()
  const wallet = await bank.openWallet(10n)
  const held = Promise.all([
    closing.hold(bank.request(wallet, 1n)),
    closing.hold(bank.request(wallet, 1n)),
  ])
  await Promise.all([closing.close(), closing.close()])
  await held
  assert.equal((await bank.wallet(wallet)).held, 2n)
})

test('closing an unused ledger needs no database', async () => {
  await assert.doesNotReject(bank.anotherLedger().close())
})

test('the books balance after these tests', () => bank.assertSound())
