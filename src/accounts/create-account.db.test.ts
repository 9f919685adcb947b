import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedWith } from '../../test/harness/refusal.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import type { AppError } from '../errors/app-error.ts'
import { modeOfSecret, newSecret } from '../keys/format.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { dollars } from '../lib/money.ts'
import { readBalance } from './balance.ts'
import { createAccount } from './create-account.ts'
import { findAccount, findOwner } from './find-account.ts'
import { grantCredit } from './grant-credit.ts'
import { takeCredit } from './take-credit.ts'
import { listAccounts } from './list-accounts.ts'

const world = await createWorld()

async function accountCount(): Promise<number> {
  return (await listAccounts(world.database)).length
}

test('a personal account starts with $2 live and $100 test credit, with a primary key for each', async () => {
  const {
    account,
    live,
    test: testKey,
  } = await createAccount(world.keys, { email: ' Jo@Example.com ', tier: 'personal' })
  assert.deepEqual(
    [account.email, account.tier, account.owner],
    ['Jo@example.com', 'personal', false],
  )
  assert.deepEqual(
    [modeOfSecret(live.key), live.primary, live.status, modeOfSecret(testKey.key), testKey.primary],
    ['live', true, 'active', 'test', true],
  )
  const balance = await readBalance(world.keys, await world.callerOf(live.key))
  assert.deepEqual(
    [
      balance.mode,
      balance.balance_cents,
      balance.available_micros,
      balance.lots.length,
      balance.lots[0]?.source,
    ],
    ['live', 200, 2_000_000, 1, 'grant'],
  )
  assert.equal(
    (await readBalance(world.keys, await world.callerOf(testKey.key))).balance_cents,
    10_000,
  )
})

test('a business account starts with $10', async () => {
  const { live } = await createAccount(world.keys, { email: 'biz@example.com', tier: 'business' })
  assert.equal((await readBalance(world.keys, await world.callerOf(live.key))).balance_cents, 1000)
})

test('an email address has one account, in any letter case', async () => {
  await createAccount(world.keys, { email: 'once@example.com', tier: 'personal' })
  const before = await accountCount()
  await assert.rejects(
    createAccount(world.keys, { email: 'ONCE@example.com', tier: 'business' }),
    refusedWith('email_taken', 'email'),
  )
  assert.equal(await accountCount(), before)
})

test('rejects invalid email addresses', async () => {
  for (const email of [
    '',
    'jo',
    '@example.com',
    'jo@',
    'a b@example.com',
    'jo@exam\u0000ple.com',
    `${'x'.repeat(250)}@example.com`,
  ]) {
    await assert.rejects(
      createAccount(world.keys, { email, tier: 'personal' }),
      refusedWith('invalid_params', 'email'),
      JSON.stringify(email),
    )
  }
})

test('there is one owner, even when many processes create one concurrently', async () => {
  assert.equal(await findOwner(world.database), null)
  const attempts = await Promise.allSettled(
    Array.from({ length: 5 }, (_, place) =>
      createAccount(world.keys, {
        email: `owner${place}@example.com`,
        tier: 'personal',
        owner: true,
      }),
    ),
  )
  const made = attempts.filter((attempt) => attempt.status === 'fulfilled')
  assert.equal(made.length, 1)
  assert.deepEqual((await findOwner(world.database))?.account, made[0]?.value.account)
})

test('accepts a live secret as the primary key; rejects malformed, test and used ones', async () => {
  const secret = newSecret('live')
  const { live } = await createAccount(world.keys, {
    email: 'given@example.com',
    tier: 'personal',
    liveSecret: secret,
  })
  assert.equal(live.key, secret)
  assert.equal((await world.callerOf(secret)).primary, true)
  const before = await accountCount()
  for (const liveSecret of [secret, newSecret('test'), `${secret.slice(0, -1)}!`, '']) {
    await assert.rejects(
      createAccount(world.keys, { email: 'other@example.com', tier: 'personal', liveSecret }),
      refusedWith('invalid_params'),
    )
  }
  assert.equal(await accountCount(), before)
})

test('finds an account by id and by email address, and names an unknown one', async () => {
  const { account } = await createAccount(world.keys, {
    email: 'find@example.com',
    tier: 'personal',
  })
  assert.deepEqual((await findAccount(world.database, account.id)).account, account)
  assert.deepEqual((await findAccount(world.database, 'FIND@example.com')).account, account)
  await assert.rejects(
    findAccount(world.database, 'acc_0'),
    (error) => refusedWith('not_found')(error) && (error as AppError).message.includes('acc_0'),
  )
})

test('granted credit is available immediately, and the books balance', async () => {
  const { account, live } = await createAccount(world.keys, {
    email: 'grant@example.com',
    tier: 'personal',
  })
  const { accountId } = await findAccount(world.database, account.id)
  const granted = await grantCredit(world.keys, {
    accountId,
    mode: 'live',
    amount: dollars('5'),
    expiresAt: new Date(world.now() + 1000),
    reference: 'promo',
  })
  assert.deepEqual([granted.balance_cents, granted.balance_micros], [700, 7_000_000])
  const { lots } = await readBalance(world.keys, await world.callerOf(live.key))
  assert.deepEqual(
    lots.map(({ remaining_cents: left, transaction_id: id }) => [
      left,
      id === granted.transaction_id,
    ]),
    [
      [500, true],
      [200, false],
    ],
  )
  assert.deepEqual((await verifyLedger(world.database)).findings, [])
})

test('a reference grants credit once, even concurrently, and fits no other amount', async () => {
  const { account } = await createAccount(world.keys, {
    email: 'twice@example.com',
    tier: 'personal',
  })
  const { accountId } = await findAccount(world.database, account.id)
  const grant = (amount: string, reference: string) =>
    grantCredit(world.keys, { accountId, mode: 'live', amount: dollars(amount), reference })
  const granted = await Promise.all([
    grant('5', 'refund of req_1'),
    grant('5', 'refund of req_1'),
    grant('5', 'refund of req_1'),
  ])
  assert.equal(new Set(granted.map(({ transaction_id: id }) => id)).size, 1)
  assert.equal(granted.filter(({ repeated }) => repeated).length, 2)
  await assert.rejects(grant('6', 'refund of req_1'), refusedWith('bad_request'))
  assert.equal((await grant('5', 'refund of req_2')).balance_cents, 1200)
  // A reversal may have the same reference as the grant.
  assert.deepEqual(
    (
      await takeCredit(world.keys, {
        accountId,
        mode: 'live',
        amount: dollars('5'),
        reference: 'refund of req_1',
      })
    ).balance_cents,
    700,
  )
  assert.equal(
    (
      await takeCredit(world.keys, {
        accountId,
        mode: 'live',
        amount: dollars('5'),
        reference: 'refund of req_1',
      })
    ).balance_cents,
    700,
  )
  const other = await createAccount(world.keys, {
    email: 'other-twice@example.com',
    tier: 'personal',
  })
  assert.equal(
    (
      await grantCredit(world.keys, {
        accountId: (await findAccount(world.database, other.account.id)).accountId,
        mode: 'live',
        amount: dollars('5'),
        reference: 'refund of req_1',
      })
    ).balance_cents,
    700,
  )
  assert.deepEqual((await verifyLedger(world.database)).findings, [])
})

test('rejects credit that has already expired, and zero', async () => {
  const { account } = await createAccount(world.keys, {
    email: 'late@example.com',
    tier: 'personal',
  })
  const { accountId } = await findAccount(world.database, account.id)
  await assert.rejects(
    grantCredit(world.keys, {
      accountId,
      mode: 'live',
      amount: dollars('1'),
      expiresAt: new Date(world.now()),
    }),
    refusedWith('invalid_params', 'expires'),
  )
  await assert.rejects(
    grantCredit(world.keys, { accountId, mode: 'live', amount: 0n }),
    refusedWith('invalid_params', 'cents'),
  )
})
