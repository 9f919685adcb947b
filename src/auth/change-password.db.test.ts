import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_PASSWORD_COST } from '../../test/harness/password-cost.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import { ownerOf } from '../../test/harness/owner-session.ts'
import type { Database } from '../db/database.ts'
import type { AppError } from '../errors/app-error.ts'
import { Attempts, SIGN_IN_LIMITS } from './attempts.ts'
import { changePassword } from './change-password.ts'
import { signInByLink, createLink } from './sign-in-link.ts'
import { signInByPassword } from './sign-in-by-password.ts'

const world = await createWorld()
const context = {
  database: world.database,
  now: world.now,
  passwordCost: TEST_PASSWORD_COST,
}
const attempts = new Attempts(SIGN_IN_LIMITS, world.now)
const address = '192.0.2.1'

test('the previous password cannot change one that a link has set meanwhile', async () => {
  const {
    account: { email },
    caller: { accountId },
  } = await world.account()
  const personId = await ownerOf(world.database, accountId)
  const choose = async (password: string): Promise<unknown> =>
    signInByLink(
      context,
      await createLink(context, { email, makesAccount: false, seconds: 60 }),
      password,
    )
  await choose('four words in a row')
  const meanwhile: Database = {
    ...world.database,
    async transaction(work) {
      await choose('another row of words')
      return world.database.transaction(work)
    },
  }
  const change = changePassword({ ...context, database: meanwhile }, attempts, {
    personId,
    email,
    address,
    session: '',
    present: 'four words in a row',
    next: 'a third row of words',
  })
  await assert.rejects(change, (error: AppError) => error.code === 'sign_in_refused')
  assert.equal(
    (
      await signInByPassword(context, attempts, {
        email,
        password: 'another row of words',
        address,
      })
    ).accountId,
    accountId,
  )
})
