import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseRange } from './range.ts'

test('reads ranges as RFC 9110 specifies', () => {
  const cases: readonly (readonly [string | undefined, number, unknown])[] = [
    [undefined, 10, null],
    ['bytes=0-3', 10, { first: 0, last: 3 }],
    ['Bytes=4-', 10, { first: 4, last: 9 }],
    ['bytes=4-', 10, { first: 4, last: 9 }],
    ['bytes=-3', 10, { first: 7, last: 9 }],
    ['bytes=-99', 10, { first: 0, last: 9 }],
    ['bytes=8-99', 10, { first: 8, last: 9 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-1', 0, 'unsatisfiable'],
    ['bytes=3-2', 10, null],
    ['bytes=-', 10, null],
    ['bytes=0-1,3-4', 10, null],
    ['lines=0-1', 10, null],
    ['bytes=0x1-2', 10, null],
    ['bytes=1-99999999999999999', 10, null],
  ]
  for (const [header, size, expected] of cases)
    assert.deepEqual(parseRange(header, size), expected, `${header} of ${size}`)
})

test('returns a non-empty range within the file for any header', () => {
  fc.assert(
    fc.property(
      fc.option(fc.nat(50), { nil: '' }),
      fc.option(fc.nat(50), { nil: '' }),
      fc.nat(40),
      (from, to, size) => {
        const range = parseRange(`bytes=${from}-${to}`, size)
        if (range !== null && range !== 'unsatisfiable')
          assert.ok(0 <= range.first && range.first <= range.last && range.last < size)
      },
    ),
    { numRuns: 300 },
  )
})
