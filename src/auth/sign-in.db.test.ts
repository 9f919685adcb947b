import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TEST_PASSWORD_COST } from '../../test/harness/password-cost.ts'
import { openOwnerSession } from '../../test/harness/owner-session.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import { closeAccount } from '../accounts/close-account.ts'
import { readPageSession } from './records/browser-session.ts'
import type { AppError } from '../errors/app-error.ts'
import { Attempts, SIGN_IN_LIMITS } from './attempts.ts'
import { signInByIdentity } from './sign-in-by-identity.ts'
import { signInByLink, createLink, readLink } from './sign-in-link.ts'
import { signInByPassword } from './sign-in-by-password.ts'
import { listSignInMethods } from './sign-in-methods.ts'

const world = await createWorld()
const context = {
  database: world.database,
  now: world.now,
  passwordCost: TEST_PASSWORD_COST,
}
const attempts = new Attempts({ ...SIGN_IN_LIMITS, fromAddress: 10_000 }, world.now)
const HOUR = 3600
const PASSWORD = 'four words in a row'

let people = 0
const newEmail = (): string => `p${(people += 1)}@example.com`
const signIn = async (email: string, password = PASSWORD, address = '192.0.2.1'): Promise<string> =>
  (await signInByPassword(context, attempts, { email, password, address })).accountId

async function balanceOf(accountId: string): Promise<bigint | undefined> {
  const { rows } = await world.database.query<{ balance_micros: bigint }>(
    "select balance_micros from wallets where account_id = $1 and mode = 'live'",
    [accountId],
  )
  return rows[0]?.balance_micros
}

describe('links', () => {
  test('a link creates one account with credit and keys, even if used concurrently', async () => {
    const email = newEmail()
    const token = await createLink(context, { email, makesAccount: true, seconds: HOUR })
    assert.deepEqual(await readLink(context, token), { email, isNew: true, next: '' })
    const uses = await Promise.allSettled(
      Array.from({ length: 4 }, () => signInByLink(context, token, PASSWORD)),
    )
    const [entered, ...more] = uses.flatMap((use) =>
      use.status === 'fulfilled' ? [use.value] : [],
    )
    assert.deepEqual([more.length, await balanceOf(entered?.accountId ?? '')], [0, 2_000_000n])
    assert.equal(
      (await world.callerOf(entered?.created?.live.key ?? '')).accountId,
      entered?.accountId,
    )
    assert.equal(await signIn(email.toUpperCase()), entered?.accountId)
    await assert.rejects(readLink(context, token), { code: 'sign_in_link_invalid' })
  })

  test('two links of one address create one account', async () => {
    const email = newEmail()
    const tokens = [
      await createLink(context, { email, makesAccount: true, seconds: HOUR }),
      await createLink(context, { email: email.toUpperCase(), makesAccount: true, seconds: HOUR }),
    ]
    const uses = await Promise.allSettled(
      tokens.map((token) => signInByLink(context, token, PASSWORD)),
    )
    assert.equal(uses.filter(({ status }) => status === 'fulfilled').length, 1)
    const { rows } = await world.database.query<{ count: bigint }>(
      'select count(*) from accounts where lower(email) = $1',
      [email],
    )
    assert.equal(rows[0]?.count, 1n)
  })

  test("a link to an existing account adds no credit and signs the holder's other browsers out", async () => {
    const { account, caller } = await world.account()
    const first = await signInByLink(
      context,
      await createLink(context, { email: account.email, makesAccount: true, seconds: HOUR }),
      PASSWORD,
    )
    assert.deepEqual(
      [first.accountId, first.created, await balanceOf(caller.accountId)],
      [caller.accountId, null, 2_000_000n],
    )
    const session = await openOwnerSession(context, caller.accountId)
    assert.equal((await readPageSession(context, session))?.email, account.email)
    await signInByLink(
      context,
      await createLink(context, { email: account.email, makesAccount: false, seconds: HOUR }),
      'another row of words',
    )
    assert.equal(await readPageSession(context, session), null)
    await assert.rejects(signIn(account.email), { code: 'sign_in_refused' })
    assert.equal(await signIn(account.email, 'another row of words'), caller.accountId)
  })

  test('a link is invalid after its expiry, and without an account that it cannot create', async () => {
    const token = await createLink(context, {
      email: newEmail(),
      makesAccount: false,
      seconds: HOUR,
    })
    await assert.rejects(readLink(context, token), { code: 'sign_in_link_invalid' })
    await assert.rejects(signInByLink(context, token, PASSWORD), { code: 'sign_in_link_invalid' })
    const late = await createLink(context, { email: newEmail(), makesAccount: true, seconds: HOUR })
    world.now.advance(HOUR * 1000)
    await assert.rejects(signInByLink(context, late, PASSWORD), { code: 'sign_in_link_invalid' })
    for (const invalidToken of ['', 'x', 'A'.repeat(43)])
      await assert.rejects(signInByLink(context, invalidToken, PASSWORD), {
        code: 'sign_in_link_invalid',
      })
  })

  test('an address has five valid links; a further one ends the oldest', async () => {
    const email = newEmail()
    const tokens: string[] = []
    for (let count = 0; count < 6; count += 1) {
      world.now.advance(1)
      tokens.push(
        await createLink(context, {
          email: count % 2 === 0 ? email : email.toUpperCase(),
          makesAccount: true,
          seconds: HOUR,
        }),
      )
    }
    const [oldest = '', ...others] = tokens
    await assert.rejects(readLink(context, oldest), { code: 'sign_in_link_invalid' })
    for (const token of others) assert.equal((await readLink(context, token)).isNew, true)
    world.now.advance(HOUR * 1000)
    await createLink(context, { email: newEmail(), makesAccount: true, seconds: HOUR })
    assert.equal((await world.database.query('select from sign_in_links')).count, 1)
  })

  test('a rejected password does not use the link', async () => {
    const token = await createLink(context, {
      email: newEmail(),
      makesAccount: true,
      seconds: HOUR,
    })
    for (const password of ['', 'too short', 'x'.repeat(201)])
      await assert.rejects(signInByLink(context, token, password), { code: 'invalid_params' })
    assert.notEqual((await signInByLink(context, token, PASSWORD)).created, null)
  })
})

describe('passwords', () => {
  test('refuses a wrong password, an unknown address and a missing password with the same error', async () => {
    const { account } = await world.account()
    const email = newEmail()
    await signInByLink(
      context,
      await createLink(context, { email, makesAccount: true, seconds: HOUR }),
      PASSWORD,
    )
    const told = new Set<string>()
    for (const [who, password] of [
      [email, 'not the right one'],
      [newEmail(), PASSWORD],
      [account.email, ''],
      ['', ''],
    ] as const) {
      await assert.rejects(
        signIn(who, password),
        (error: AppError) => told.add(`${error.code} ${error.message} ${error.fix}`).size === 1,
      )
    }
  })

  test('lists the sign-in methods of each account for the operator', async () => {
    const { caller: nobody } = await world.account()
    const { accountId } = await signInByLink(
      context,
      await createLink(context, { email: newEmail(), makesAccount: true, seconds: HOUR }),
      PASSWORD,
    )
    const { accountId: vouchedFor } = await signInByIdentity(
      context,
      { issuer: 'https://id.example', subject: 's', email: newEmail(), isEmailVerified: true },
      { makesAccount: true },
    )
    const listed = await listSignInMethods(world.database)
    assert.deepEqual(
      [nobody.accountId, accountId, vouchedFor].map((id) => listed.get(id)),
      [undefined, ['password'], ['provider']],
    )
  })

  test('after ten attempts, refuses even the right password from that network for 15 minutes', async () => {
    const email = newEmail()
    const { accountId } = await signInByLink(
      context,
      await createLink(context, { email, makesAccount: true, seconds: HOUR }),
      PASSWORD,
    )
    for (let count = 0; count < SIGN_IN_LIMITS.each; count += 1)
      await assert.rejects(signIn(email, `guess number ${count}`), { code: 'sign_in_refused' })
    await assert.rejects(signIn(email), { code: 'rate_limited' })
    assert.equal(await signIn(email, PASSWORD, '192.0.2.2'), accountId)
    world.now.advance(SIGN_IN_LIMITS.windowMs)
    assert.equal(await signIn(email), accountId)
  })

  test('a spelling that only the database equates with the address gets no further attempts', async () => {
    const email = newEmail()
    await signInByLink(
      context,
      await createLink(context, { email: `i${email}`, makesAccount: true, seconds: HOUR }),
      PASSWORD,
    )
    await assert.rejects(signIn(`İ${email}`), { code: 'sign_in_refused' })
    await signIn(`I${email}`)
  })

  test('a success resets the number of attempts', async () => {
    const email = newEmail()
    const few = new Attempts({ each: 2, windowMs: 60_000 }, world.now)
    const enter = (password: string): Promise<unknown> =>
      signInByPassword(context, few, { email, password, address: '192.0.2.1' })
    await signInByLink(
      context,
      await createLink(context, { email, makesAccount: true, seconds: HOUR }),
      PASSWORD,
    )
    for (let round = 0; round < 2; round += 1) {
      await assert.rejects(enter('not the right one'), { code: 'sign_in_refused' })
      await enter(PASSWORD)
    }
  })

  test('signs the holder of a closed account out, and not in again', async () => {
    const { account, caller } = await world.account()
    await signInByLink(
      context,
      await createLink(context, { email: account.email, makesAccount: false, seconds: HOUR }),
      PASSWORD,
    )
    const session = await openOwnerSession(context, caller.accountId)
    await closeAccount(world.database, account.id)
    assert.equal(await readPageSession(context, session), null)
    await assert.rejects(openOwnerSession(context, caller.accountId), { code: 'sign_in_refused' })
  })
})
