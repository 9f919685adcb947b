import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packTrees, sumOfLeaves, unpackTrees } from './boosted-trees.ts'

/** Two trees: one split on feature 0 and one on feature 1 below it, and a single leaf. */
const TREES = {
  base: 0.5,
  roots: [0, 5],
  feature: [0, -1, 1, -1, -1, -1],
  threshold: [2.5, 1, -1, 10, 20, 100],
  left: [1, -1, 3, -1, -1, -1],
}

test('adds the base and one leaf of each tree', () => {
  assert.equal(sumOfLeaves(TREES, [2, 0]), 101.5)
  assert.equal(sumOfLeaves(TREES, [3, -1]), 110.5)
  assert.equal(sumOfLeaves(TREES, [3, 0]), 120.5)
})

test('evaluates packed trees as the trees that were packed', () => {
  const unpacked = unpackTrees(packTrees(TREES))
  assert.deepEqual(unpacked.roots, TREES.roots)
  assert.deepEqual(Array.from(unpacked.left), TREES.left)
  for (const features of [
    [2, 0],
    [3, -1],
    [3, 0],
  ])
    assert.equal(sumOfLeaves(unpacked, features), sumOfLeaves(TREES, features))
})
