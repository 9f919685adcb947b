import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { shortText } from './short-text.ts'

test('returns the start of a text in whole characters', () => {
  assert.deepEqual(
    [shortText('abc', 2), shortText('abc', 9), shortText('a💥', 2), shortText('', 5)],
    ['ab', 'abc', 'a\ufffd', ''],
  )
})

test('keeps nothing of the original in memory', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const kept: string[] = []
  collect()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 100; count += 1)
    kept.push(shortText(JSON.parse(`"${String(count % 10).repeat(500_000)}"`) as string, 1_000))
  collect()
  assert.ok(process.memoryUsage().heapUsed - before < 5_000_000)
  assert.equal(kept.length, 100)
})
