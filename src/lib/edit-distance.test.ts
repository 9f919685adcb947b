import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/harness/property.ts'
import { editDistance } from './edit-distance.ts'

test('edit distance counts insertions, deletions, substitutions and swaps', () => {
  assert.equal(editDistance('kitten', 'sitting'), 3)
  assert.equal(editDistance('ab', 'ba'), 1)
  assert.equal(editDistance('', 'abc'), 3)
  assert.equal(editDistance('same', 'same'), 0)
  assert.equal(editDistance('abcdef', 'zzzzzz', 2), 3)
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

test('what both words begin and end with changes nothing', () => {
  const word = fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'b', 'c') })
  fc.assert(fc.property(word, word, word, word, (start, left, right, end) => assert.equal(editDistance(start + left + end, start + right + end), editDistance(left, right))))
})
