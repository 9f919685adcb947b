import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/harness/property.ts'
import { editDistance, leastDistance } from './edit-distance.ts'

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

test('edit distance follows the cheapest last edit', () => {
  const plain = (left: string, right: string): number => {
    if (left === '' || right === '') return left.length + right.length
    const [a, b] = [left.slice(0, -1), right.slice(0, -1)]
    const edits = [
      plain(a, right) + 1,
      plain(left, b) + 1,
      plain(a, b) + (left.at(-1) === right.at(-1) ? 0 : 1),
    ]
    if (
      left.length > 1 &&
      right.length > 1 &&
      left.at(-1) === right.at(-2) &&
      left.at(-2) === right.at(-1)
    )
      edits.push(plain(left.slice(0, -2), right.slice(0, -2)) + 1)
    return Math.min(...edits)
  }
  const word = fc.string({ maxLength: 5, unit: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(word, word, (left, right) =>
      assert.equal(editDistance(left, right), plain(left, right)),
    ),
  )
})

test('the lower bound never exceeds the distance, and the limit changes no distance within it', () => {
  const word = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c', '1', 'é') })
  fc.assert(
    fc.property(word, word, fc.nat({ max: 6 }), (left, right, most) => {
      const distance = editDistance(left, right)
      assert.ok(leastDistance(left)(right) <= distance)
      assert.equal(editDistance(left, right, most), Math.min(distance, most + 1))
    }),
  )
})
