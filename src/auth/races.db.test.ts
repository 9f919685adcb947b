/** Changes of an account between two steps of a sign-in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as yieldOnce } from 'node:timers/promises'
import { createPasskey } from '../../test/harness/clients/authenticator.ts'
import { TEST_PASSWORD_COST } from '../../test/harness/password-cost.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import { ownerOf } from '../../test/harness/owner-session.ts'
import { readPageSession } from './records/browser-session.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { eraseAccount } from '../app/chores/erase-account.ts'
import { Attempts, SIGN_IN_LIMITS } from './attempts.ts'
import { signInByIdentity } from './sign-in-by-identity.ts'
import { signInByLink, createLink } from './sign-in-link.ts'
import { addPasskey, createPasskeyOptions } from './passkeys.ts'
import { signInByPassword } from './sign-in-by-password.ts'

const world = await createWorld()
const context = {
  database: world.database,
  now: world.now,
  passwordCost: TEST_PASSWORD_COST,
}
const site = { rpId: 'gate.example', origin: 'https://gate.example' }
const PASSWORD = 'four words in a row'

const refusedWith = (code: string) => (error: AppError) => error.code === code

/** Runs `work` before the first statement of a transaction that contains these words. */
function before(words: string, work: () => Promise<unknown>): typeof context {
  let isToCome = true
  const transaction: Database['transaction'] = (steps) =>
    world.database.transaction((tx) =>
      steps({
        async query(text, values, name) {
          if (isToCome && text.includes(words)) {
            isToCome = false
            await work()
          }
          return tx.query(text, values, name)
        },
      }),
    )
  return { ...context, database: { ...world.database, transaction } }
}

async function linkFor(email: string, makesAccount = false): Promise<string> {
  return createLink(context, { email, makesAccount, seconds: 60 })
}

async function countOf(
  table: 'page_sessions' | 'passkeys' | 'person_identities',
  personId: string,
): Promise<number> {
  return (await world.database.query(`select from ${table} where person_id = $1`, [personId])).count
}

/** Starts `other` before that step of `work`, which continues when `other` ends or waits for a lock. */
async function startDuring(
  other: () => Promise<unknown>,
  step: string,
  work: (meanwhile: typeof context) => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>[]> {
  let begun: Promise<unknown> = Promise.resolve()
  const meanwhile = before(step, async () => {
    const over = new AbortController()
    begun = other().finally(() => over.abort())
    void begun.catch(() => {})
    while (
      !over.signal.aborted &&
      (
        await world.database.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).count === 0
    )
      await yieldOnce()
  })
  const [worked] = await Promise.allSettled([work(meanwhile)])
  return [worked, ...(await Promise.allSettled([begun]))]
}

test('a password replaced during its check opens no session', async () => {
  const {
    account: { email },
    caller: { accountId },
  } = await world.account()
  const personId = await ownerOf(world.database, accountId)
  await signInByLink(context, await linkFor(email), PASSWORD)
  const token = await linkFor(email)
  const replaced = before('person_passwords', () =>
    signInByLink(context, token, 'another row of words'),
  )
  const signIn = signInByPassword(replaced, new Attempts(SIGN_IN_LIMITS, world.now), {
    email,
    password: PASSWORD,
    address: '192.0.2.1',
  })
  await assert.rejects(signIn, refusedWith('sign_in_refused'))
  assert.equal(await countOf('page_sessions', personId), 1)
})

test('a sign-up without a session creates no account and uses no link or credit', async () => {
  const email = 'whole@example.com'
  const token = await linkFor(email, true)
  const broken = before('insert into page_sessions', () =>
    Promise.reject(new AppError('overloaded')),
  )
  await assert.rejects(signInByLink(broken, token, PASSWORD), refusedWith('overloaded'))
  const who = { issuer: 'https://id.example', subject: 'whole', email, isEmailVerified: true }
  await assert.rejects(
    signInByIdentity(
      before('insert into page_sessions', () => Promise.reject(new AppError('overloaded'))),
      who,
      { makesAccount: true },
    ),
    refusedWith('overloaded'),
  )
  const { rows } = await world.database.query('select from accounts where email = $1', [email])
  assert.equal(rows.length, 0)
  const { created, session } = await signInByLink(context, token, PASSWORD)
  assert.equal(created?.account.email, email)
  assert.equal((await readPageSession(context, session))?.email, email)
})

test('an account erased during a provider sign-in keeps no identity', async () => {
  for (const step of [
    'from people where id',
    'insert into person_identities',
    'insert into page_sessions',
  ]) {
    const {
      account: { email },
      caller: { accountId },
    } = await world.account()
    const personId = await ownerOf(world.database, accountId)
    await startDuring(
      () => eraseAccount(context, email),
      step,
      (meanwhile) =>
        signInByIdentity(
          meanwhile,
          {
            issuer: 'https://id.example',
            subject: `subject ${step}`,
            email,
            isEmailVerified: true,
          },
          { makesAccount: false },
        ),
    )
    assert.deepEqual(
      [await countOf('person_identities', personId), await countOf('page_sessions', personId)],
      [0, 0],
      step,
    )
  }
})

test('an account erased while its holder adds a passkey keeps none', async () => {
  for (const step of ['from people where id', 'insert into passkeys']) {
    const {
      account: { email },
      caller: { accountId },
    } = await world.account()
    const personId = await ownerOf(world.database, accountId)
    const { challenge } = await createPasskeyOptions(context, site, { personId, email })
    await startDuring(
      () => eraseAccount(context, email),
      step,
      (meanwhile) =>
        addPasskey(meanwhile, site, personId, {
          label: 'Mine',
          credential: createPasskey(personId).made({ ...site, challenge }),
        }),
    )
    assert.equal(await countOf('passkeys', personId), 0, step)
  }
})

test('one of two concurrent uses of links succeeds while another link is created', async () => {
  const {
    account: { email },
    caller: { accountId },
  } = await world.account()
  const personId = await ownerOf(world.database, accountId)
  const [one, other] = [await linkFor(email), await linkFor(email)]
  const useTheOther = async (): Promise<unknown> => {
    // A use locks all links of the address in the order of their hashes: this one is first.
    await world.database.query(
      "insert into sign_in_links (token_hash, email, makes_account, expires_at) values ('', $1, false, $2)",
      [email, new Date(world.now() + 1000)],
    )
    return signInByLink(context, other, PASSWORD)
  }
  const [first, second] = await startDuring(useTheOther, 'delete from sign_in_links', (meanwhile) =>
    signInByLink(meanwhile, one, PASSWORD),
  )
  assert.equal(first?.status, 'fulfilled')
  assert.ok(
    second?.status === 'rejected' && refusedWith('sign_in_link_invalid')(second.reason as AppError),
  )
  assert.equal(await countOf('page_sessions', personId), 1)
})
