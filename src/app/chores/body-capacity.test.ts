import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyLimits, bodyCapacity } from './body-capacity.ts'

const MIB = 1024 * 1024

test('the capacity for large bodies is limited by both heap and memory', () => {
  assert.equal(bodyCapacity(4_096 * MIB, 24_576 * MIB), 512 * MIB)
  assert.equal(bodyCapacity(1_024 * MIB, 24_576 * MIB), 256 * MIB)
  assert.equal(bodyCapacity(4_096 * MIB, 1_024 * MIB), 128 * MIB)
  assert.equal(bodyCapacity(110 * MIB, 24_576 * MIB), 27.5 * MIB)
})

test('one body of 20 MiB always fits', () => {
  assert.equal(bodyCapacity(64 * MIB, 128 * MIB), 20 * MIB)
  assert.ok(bodyCapacity() >= 20 * MIB)
})

test('bodies up to 256 KiB are free at full capacity, fewer with less memory', () => {
  assert.deepEqual(bodyLimits(512 * MIB), {
    mostBodyBytes: 512 * MIB,
    uncountedBodyBytes: 256 * 1024,
  })
  assert.deepEqual(bodyLimits(32 * MIB), { mostBodyBytes: 32 * MIB, uncountedBodyBytes: 16 * 1024 })
})
