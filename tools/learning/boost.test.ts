import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logistic, sumOfLeaves } from '../../src/lib/boosted-trees.ts'
import { boost } from './boost.ts'

const settings = {
  trees: 40,
  depth: 3,
  learningRate: 0.3,
  leastWeight: 0.1,
  lambda: 1,
  loss: 'logistic',
} as const

/** Both of two features are set. */
function bothSet() {
  const values: number[] = []
  const targets: number[] = []
  for (let row = 0; row < 400; row += 1) {
    const [one, other] = [row % 2, Math.floor(row / 2) % 2]
    values.push(one, other, row % 7)
    targets.push(one * other)
  }
  return { columns: 3, values: Float32Array.from(values), targets: Float32Array.from(targets) }
}

test('learns a rule over two features', () => {
  const trees = boost(bothSet(), settings)
  assert.ok(logistic(sumOfLeaves(trees, [1, 1, 3])) > 0.9)
  assert.ok(logistic(sumOfLeaves(trees, [1, 0, 3])) < 0.1)
})

test('grows the same trees from the same rows', () => {
  assert.deepEqual(boost(bothSet(), settings), boost(bothSet(), settings))
})
