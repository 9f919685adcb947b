import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_PASSWORD_COST } from '../../test/harness/password-cost.ts'
import { hashPassword, isPassword } from './password.ts'

/** Kept at a cost that takes no time. */
const CHEAP = `scrypt$2$1$1$AA$${'A'.repeat(43)}`
const PLACES = 52

const fillPlaces = (): Promise<boolean>[] =>
  Array.from({ length: PLACES }, () => isPassword('any', CHEAP))

test('a password is known by its hash, however its letters are put together, and no other one is', async () => {
  const kept = await hashPassword('ein Ma\u00DF Bier f\u00FCr J\u00F6rg', TEST_PASSWORD_COST)
  assert.deepEqual(
    [
      await isPassword('ein Ma\u00DF Bier fu\u0308r Jo\u0308rg', kept),
      await isPassword('ein Ma\u00DF Bier fur Jorg', kept),
    ],
    [true, false],
  )
  assert.notEqual(
    await hashPassword('ein Ma\u00DF Bier f\u00FCr J\u00F6rg', TEST_PASSWORD_COST),
    kept,
  )
})

test('hashes a new password at the recommended cost, and a stored hash at its own', async () => {
  assert.match(await hashPassword('any'), /^scrypt\$32768\$8\$3\$/)
  const cheap = await hashPassword('four words in a row', TEST_PASSWORD_COST)
  assert.match(cheap, /^scrypt\$2\$1\$1\$/)
  assert.equal(await isPassword('four words in a row', cheap), true)
})

test('a bounded number of passwords is worked on or waits, a further one is told to come back, and afterwards there is room again', async () => {
  const filled = fillPlaces()
  await assert.rejects(isPassword('any', CHEAP), { code: 'overloaded', retryAfterSeconds: 5 })
  assert.deepEqual(new Set(await Promise.all(filled)), new Set([false]))
  assert.deepEqual(await Promise.all(fillPlaces()).then(({ length }) => length), PLACES)
})

test('the password of nobody is derived like any other', async () => {
  const filled = fillPlaces()
  await assert.rejects(isPassword('any', null), { code: 'overloaded' })
  await Promise.all(filled)
  assert.equal(await isPassword('', null), false)
})
