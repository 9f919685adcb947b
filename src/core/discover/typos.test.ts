import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { createTypoCorrector, editDistance } from './typos.ts'

test('one edit, or a swap of neighbours, is mended', () => {
  const { correct } = createTypoCorrector(['instagram', 'email', 'javascript'])
  assert.deepEqual(correct('instagarm'), ['instagram'])
  assert.deepEqual(correct('emial'), ['email'])
  assert.deepEqual(correct('javascrpt'), ['javascript'])
})

test('a short word, a number and a far word are left alone', () => {
  const { correct } = createTypoCorrector(['chat', 'cart', 'instagram'])
  for (const word of ['cat', '1234', 'program', 'anagram']) assert.deepEqual(correct(word), [])
})

test('edit distance is symmetric, zero only for equals, and capped', () => {
  const word = fc.string({ maxLength: 10, unit: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(word, word, (left, right) => {
      const distance = editDistance(left, right, 2)
      assert.equal(distance, editDistance(right, left, 2))
      assert.equal(distance === 0, left === right)
      assert.ok(distance <= 3)
    }),
  )
})
