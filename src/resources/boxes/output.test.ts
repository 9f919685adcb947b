import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createOutput } from './output.ts'

const MEBIBYTE = 1024 * 1024

it('stores output in single bytes within twice its size', () => {
  const before = process.memoryUsage()
  const output = createOutput()
  const byte = Buffer.from('x')
  for (let sent = 0; sent < MEBIBYTE; sent += 1)
    output.add('stdout', byte, () => assert.fail('flood'))
  const after = process.memoryUsage()
  assert.equal(output.read().stdout.length, MEBIBYTE)
  const used = after.external - before.external
  const objects = after.heapUsed - before.heapUsed
  // One object per frame would use more than 80 MiB.
  assert.ok(used + objects < 40 * MEBIBYTE, `${used} + ${objects}`)
})

it('cuts each stream at its limit, and reports a sender that ignores it', () => {
  const output = createOutput(3)
  let floods = 0
  output.add('stdout', Buffer.from('abcd'), () => (floods += 1))
  output.add('stderr', Buffer.from('e'), () => (floods += 1))
  output.add('stderr', Buffer.from('fgh'), () => (floods += 1))
  assert.equal(floods, 0)
  output.add('stdout', Buffer.alloc(MEBIBYTE), () => (floods += 1))
  const { stdout, stderr } = output.read()
  assert.deepEqual([String(stdout), String(stderr), floods], ['abc', 'efg', 1])
})
