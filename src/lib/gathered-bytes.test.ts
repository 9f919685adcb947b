import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/harness/property.ts'
import { usedBytes } from '../../test/harness/used-memory.ts'
import { GatheredBytes } from './gathered-bytes.ts'

test('returns the same bytes for any chunking', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40_000, size: 'max' }), { maxLength: 6 }),
      (parts) => {
        const gathered = new GatheredBytes()
        for (const part of parts) gathered.add(Buffer.from(part))
        const whole = Buffer.concat(parts)
        assert.deepEqual([gathered.size, Buffer.compare(gathered.bytes, whole)], [whole.length, 0])
      },
    ),
    { numRuns: 50 },
  )
})

test('many small chunks take at most twice their size', () => {
  const gathered = new GatheredBytes()
  const read = Buffer.alloc(65_536, 'x')
  const before = usedBytes()
  for (let part = 0; part < 1_000_000; part += 1)
    gathered.add(read.subarray(part % 65_536, (part % 65_536) + 1))
  const grown = usedBytes() - before
  assert.ok(grown < 8_000_000, `${grown} bytes for a million`)
  assert.equal(gathered.bytes.length, 1_000_000)
})
