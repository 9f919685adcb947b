import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_PASSWORD_COST } from '../../test/harness/password-cost.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import { createAccount } from '../accounts/create-account.ts'
import { closeAccount } from '../accounts/close-account.ts'
import type { AppError } from '../errors/app-error.ts'
import { Attempts, SIGN_IN_LIMITS } from './attempts.ts'
import { signInByIdentity } from './sign-in-by-identity.ts'
import type { SignInOutcome } from './sign-up.ts'
import { signInByLink, createLink } from './sign-in-link.ts'
import type { Identity } from './auth-services.ts'
import { signInByPassword } from './sign-in-by-password.ts'

const world = await createWorld()
const context = {
  database: world.database,
  now: world.now,
  passwordCost: TEST_PASSWORD_COST,
}
const PASSWORD = 'four words in a row'
const OPEN = { makesAccount: true }
const CLOSED = { makesAccount: false }

let people = 0
function anIdentity(
  email: string | null = `i${(people += 1)}@example.com`,
  isEmailVerified = true,
): Identity {
  return {
    issuer: 'https://id.example',
    subject: `subject ${(people += 1)}`,
    email,
    isEmailVerified,
  }
}

async function accountsOf(
  email: string,
): Promise<{ readonly id: string; readonly balance: bigint }[]> {
  const { rows } = await world.database.query<{ id: string; balance: bigint }>(
    "select accounts.id, balance_micros as balance from accounts join wallets on account_id = accounts.id and mode = 'live' where lower(email) = lower($1)",
    [email],
  )
  return rows
}

async function countOf(
  table: 'accounts' | 'person_identities' | 'transactions',
): Promise<bigint | undefined> {
  const { rows } = await world.database.query<{ count: bigint }>(`select count(*) from ${table}`)
  return rows[0]?.count
}

test('two concurrent browsers create one account with one welcome credit, and both sign in', async () => {
  const who = anIdentity()
  const entries = await Promise.all(
    Array.from({ length: 4 }, () => signInByIdentity(context, who, OPEN)),
  )
  const [account, ...more] = await accountsOf(who.email ?? '')
  assert.deepEqual(
    [new Set(entries.map(({ accountId }) => accountId)), more, account?.balance],
    [new Set([account?.id]), [], 2_000_000n],
  )
  const made = entries.flatMap(({ created }) => (created === null ? [] : [created]))
  assert.equal(made.length, 1)
  assert.equal((await world.callerOf(made[0]?.live.key ?? '')).accountId, account?.id)
  const {
    session: _session,
    personId: _personId,
    ...again
  } = await signInByIdentity(context, who, CLOSED)
  assert.deepEqual(again, { accountId: account?.id, created: null })
})

test('two concurrent identities and a link with the same new address create one account', async () => {
  const [one, two] = [anIdentity(), anIdentity()]
  const email = one.email ?? ''
  const token = await createLink(context, { email, makesAccount: true, seconds: 60 })
  const entries = await Promise.allSettled<SignInOutcome>([
    signInByIdentity(context, one, OPEN),
    signInByIdentity(context, { ...two, email: email.toUpperCase() }, OPEN),
    signInByLink(context, token, PASSWORD),
  ])
  const entered = entries.flatMap((entry) =>
    entry.status === 'fulfilled' ? [entry.value.accountId] : [],
  )
  const accounts = await accountsOf(email)
  assert.deepEqual(
    [accounts.length, accounts[0]?.balance, new Set(entered)],
    [1, 2_000_000n, new Set([accounts[0]?.id])],
  )
})

test('two concurrent identities of one person sign in to one account', async () => {
  const who = anIdentity()
  const entries = await Promise.all([
    signInByIdentity(context, who, OPEN),
    signInByIdentity(context, { ...who, email: 'another-of-theirs@example.com' }, OPEN),
  ])
  assert.equal(new Set(entries.map(({ accountId }) => accountId)).size, 1)
})

test('links the account of the address, without more credit, and keeps its password', async () => {
  const { account, caller } = await world.account()
  await signInByLink(
    context,
    await createLink(context, { email: account.email, makesAccount: false, seconds: 60 }),
    PASSWORD,
  )
  const who = { ...anIdentity(), email: account.email.toUpperCase() }
  const {
    session: _session,
    personId: _personId,
    ...entered
  } = await signInByIdentity(context, who, CLOSED)
  assert.deepEqual(entered, { accountId: caller.accountId, created: null })
  assert.equal((await accountsOf(account.email))[0]?.balance, 2_000_000n)
  const signedIn = await signInByPassword(context, new Attempts(SIGN_IN_LIMITS, world.now), {
    email: account.email,
    password: PASSWORD,
    address: '192.0.2.1',
  })
  assert.equal(signedIn.accountId, caller.accountId)
})

test('an unverified, missing or invalid address links and creates nothing', async () => {
  const { account } = await world.account()
  const before = await Promise.all(
    (['accounts', 'person_identities', 'transactions'] as const).map(countOf),
  )
  for (const who of [
    anIdentity(account.email, false),
    anIdentity(undefined, false),
    anIdentity(null),
  ])
    await assert.rejects(signInByIdentity(context, who, OPEN), { code: 'sign_in_refused' })
  for (const email of ['', 'jo', 'jo@', 'jo\0@example.com', `${'j'.repeat(300)}@example.com`])
    await assert.rejects(signInByIdentity(context, anIdentity(email), OPEN), {
      code: 'invalid_params',
    })
  assert.deepEqual(
    await Promise.all((['accounts', 'person_identities', 'transactions'] as const).map(countOf)),
    before,
  )
})

test('an address that only the database equates with another enters no account', async () => {
  await createAccount(context, { email: 'ian@example.com', tier: 'personal' })
  for (const wish of [OPEN, CLOSED])
    await assert.rejects(signInByIdentity(context, anIdentity('\u0130an@example.com'), wish), {
      code: 'sign_in_refused',
    })
  assert.equal(
    (await signInByIdentity(context, anIdentity('IAN@example.com'), CLOSED)).created,
    null,
  )
})

test('an address in a special-use domain enters and creates no account', async () => {
  await createAccount(context, { email: 'anonymous-buyers@house.invalid', tier: 'personal' })
  const before = await Promise.all(
    (['accounts', 'person_identities', 'transactions'] as const).map(countOf),
  )
  for (const email of [
    'anonymous-buyers@house.invalid',
    'Anonymous-Buyers@HOUSE.INVALID',
    'jo@corp.test',
    'jo@a.example',
    'jo@host.local',
    'jo@abc.onion',
    'jo@vm.internal',
    'jo@1.0.0.127.in-addr.arpa',
    'jo@intranet',
  ]) {
    for (const wish of [OPEN, CLOSED])
      await assert.rejects(signInByIdentity(context, anIdentity(email), wish), {
        code: 'sign_in_refused',
        message: /special use/,
      })
  }
  assert.deepEqual(
    await Promise.all((['accounts', 'person_identities', 'transactions'] as const).map(countOf)),
    before,
  )
})

test("no identity can claim the initial address of the operator's account", async () => {
  await createAccount(context, { email: 'owner@localhost', tier: 'personal' })
  await assert.rejects(signInByIdentity(context, anIdentity('Owner@LOCALHOST'), OPEN), {
    code: 'sign_in_refused',
  })
})

test('a linked identity keeps its account when its address changes, is missing or unverified', async () => {
  const who = anIdentity()
  const { accountId } = await signInByIdentity(context, who, OPEN)
  const { account } = await world.account()
  for (const changed of [
    { email: account.email },
    { email: 'elsewhere@example.com' },
    { email: null },
    { isEmailVerified: false },
  ]) {
    assert.equal(
      (await signInByIdentity(context, { ...who, ...changed }, OPEN)).accountId,
      accountId,
    )
  }
  assert.deepEqual(
    [(await accountsOf(who.email ?? '')).length, await accountsOf('elsewhere@example.com')],
    [1, []],
  )
})

test('the same subject of another issuer is another identity', async () => {
  const who = anIdentity()
  const { accountId } = await signInByIdentity(context, who, OPEN)
  const other = await signInByIdentity(
    context,
    { ...who, issuer: 'https://other.example', email: 'other@example.com' },
    OPEN,
  )
  assert.notEqual(other.accountId, accountId)
})

test('without open sign-up, a stranger is referred to the operator, and nothing is created', async () => {
  const who = anIdentity()
  await assert.rejects(
    signInByIdentity(context, who, CLOSED),
    (error: AppError) => error.code === 'sign_in_refused' && error.fix.includes('operator'),
  )
  assert.deepEqual(await accountsOf(who.email ?? ''), [])
})

test('neither a linked nor a new identity enters a closed account', async () => {
  const who = anIdentity()
  const { created } = await signInByIdentity(context, who, OPEN)
  await closeAccount(world.database, created?.account.id ?? '')
  const before = await countOf('person_identities')
  for (const identity of [who, { ...anIdentity(), email: who.email }])
    await assert.rejects(signInByIdentity(context, identity, OPEN), { code: 'sign_in_refused' })
  assert.equal(await countOf('person_identities'), before)
})
