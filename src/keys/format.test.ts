import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/harness/property.ts'
import { hashSecret, modeOfSecret, newSecret, SECRET_LENGTH, shownPrefix } from './format.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const mode = fc.constantFrom('live', 'test')

test('a new secret is well-formed, of its mode, and unique', () => {
  const seen = new Set<string>()
  for (let count = 0; count < 1000; count += 1) {
    const secret = newSecret(count % 2 === 0 ? 'live' : 'test')
    assert.match(secret, /^tg_(live|test)_[0-9A-Za-z]{38}$/)
    assert.equal(secret.length, SECRET_LENGTH)
    assert.equal(modeOfSecret(secret), count % 2 === 0 ? 'live' : 'test')
    seen.add(secret)
  }
  assert.equal(seen.size, 1000)
})

test('rejects any changed character', () => {
  fc.assert(
    fc.property(
      mode,
      fc.nat(SECRET_LENGTH - 1),
      fc.constantFrom(...BASE62, '-', ' ', 'é'),
      (of, place, other) => {
        const secret = newSecret(of)
        fc.pre(secret[place] !== other)
        assert.equal(modeOfSecret(secret.slice(0, place) + other + secret.slice(place + 1)), null)
      },
    ),
    { numRuns: 2000 },
  )
})

test('rejects two swapped neighboring characters', () => {
  fc.assert(
    fc.property(mode, fc.nat(SECRET_LENGTH - 2), (of, place) => {
      const secret = newSecret(of)
      const [first, second] = [secret.charAt(place), secret.charAt(place + 1)]
      fc.pre(first !== second)
      assert.equal(
        modeOfSecret(secret.slice(0, place) + second + first + secret.slice(place + 2)),
        null,
      )
    }),
    { numRuns: 500 },
  )
})

test('rejects text of another length or shape, and white space around a real key', () => {
  const secret = newSecret('live')
  for (const text of [
    '',
    'tg_live_',
    ` ${secret}`,
    `${secret} `,
    `${secret}\n`,
    secret.slice(1),
    `${secret}0`,
    secret.toUpperCase(),
    secret.replace('tg_live_', 'tg_test_'),
  ]) {
    assert.equal(modeOfSecret(text), null, JSON.stringify(text))
  }
  fc.assert(fc.property(fc.string(), (text) => modeOfSecret(text) === null))
})

test('each of the 32 random characters is drawn from all 62', () => {
  const drawn: number[] = []
  const secret = newSecret('test', (limit) => {
    drawn.push(limit)
    return drawn.length % limit
  })
  assert.deepEqual(new Set(drawn), new Set([62]))
  assert.equal(drawn.length, 32)
  assert.equal(modeOfSecret(secret), 'test')
})

test('the shown prefix contains exactly four random characters', () => {
  const secret = newSecret('live')
  assert.equal(shownPrefix(secret), secret.slice(0, 12))
})

test('a secret is stored as its SHA-256', () => {
  assert.equal(
    hashSecret('abc'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
