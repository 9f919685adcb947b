import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyLimits, bodyRoom } from './body-room.ts'

const MIB = 1024 * 1024

test('the room for large bodies is a part of the heap and of the memory, whichever is less', () => {
  assert.equal(bodyRoom(4_096 * MIB, 24_576 * MIB), 512 * MIB)
  assert.equal(bodyRoom(1_024 * MIB, 24_576 * MIB), 256 * MIB)
  assert.equal(bodyRoom(4_096 * MIB, 1_024 * MIB), 128 * MIB)
  assert.equal(bodyRoom(110 * MIB, 24_576 * MIB), 27.5 * MIB)
})

test('one body of 20 MiB fits however little memory there is', () => {
  assert.equal(bodyRoom(64 * MIB, 128 * MIB), 20 * MIB)
  assert.ok(bodyRoom() >= 20 * MIB)
})

test('bodies up to 256 KiB do not count where there is room for 512 MiB, and smaller ones where there is less', () => {
  assert.deepEqual(bodyLimits(512 * MIB), {
    mostBodyBytes: 512 * MIB,
    uncountedBodyBytes: 256 * 1024,
  })
  assert.deepEqual(bodyLimits(32 * MIB), { mostBodyBytes: 32 * MIB, uncountedBodyBytes: 16 * 1024 })
})
