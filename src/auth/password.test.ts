import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_PASSWORD_COST } from '../../test/harness/password-cost.ts'
import { hashPassword, isPassword } from './password.ts'

/** A stored hash with a low cost. */
const CHEAP = `scrypt$2$1$1$AA$${'A'.repeat(43)}`
const PLACES = 52

/** From a network each, because one network has only a part of the places. */
const fillPlaces = (): Promise<boolean>[] =>
  Array.from({ length: PLACES }, (_, place) =>
    isPassword('any', CHEAP, undefined, `192.0.${place}.1`),
  )

test('accepts a password in every Unicode form, and no other password', async () => {
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

test('hashes a new password with the recommended cost and checks a stored one with its own', async () => {
  assert.match(await hashPassword('any'), /^scrypt\$32768\$8\$3\$/)
  const cheap = await hashPassword('four words in a row', TEST_PASSWORD_COST)
  assert.match(cheap, /^scrypt\$2\$1\$1\$/)
  assert.equal(await isPassword('four words in a row', cheap), true)
})

test('limits concurrent and waiting derivations, rejects further ones, and recovers', async () => {
  const filled = fillPlaces()
  await assert.rejects(isPassword('any', CHEAP), { code: 'overloaded', retryAfterSeconds: 5 })
  assert.deepEqual(new Set(await Promise.all(filled)), new Set([false]))
  assert.deepEqual(await Promise.all(fillPlaces()).then(({ length }) => length), PLACES)
})

test('derives a password for a missing account as well', async () => {
  const filled = fillPlaces()
  await assert.rejects(isPassword('any', null), { code: 'overloaded' })
  await Promise.all(filled)
  assert.equal(await isPassword('', null), false)
})
