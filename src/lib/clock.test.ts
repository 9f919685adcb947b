import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecent, parseTime } from './clock.ts'

test('isRecent ends with its period and when the clock was set back', () => {
  assert.deepEqual(
    [1_000, 1_999, 2_000, 999, -3_600_000].map((nowMs) => isRecent(1_000, 1_000, nowMs)),
    [true, true, false, false, false],
  )
  assert.equal(isRecent(Number.NEGATIVE_INFINITY, 1_000, 0), false)
})

test('reads a time with its zone and a date as its midnight', () => {
  assert.equal(parseTime('2028-02-29'), Date.UTC(2028, 1, 29))
  assert.equal(parseTime('2027-03-01T10:30:00.5+02:00'), Date.UTC(2027, 2, 1, 8, 30, 0, 500))
  assert.equal(parseTime('2027-03-01T10:30Z'), Date.UTC(2027, 2, 1, 10, 30))
})

test('rejects days that their month lacks, and anything else', () => {
  for (const text of [
    '2027-02-29',
    '2027-04-31T00:00:00Z',
    '2027-00-10',
    '2027-01-00',
    '2027-13-01',
    '2027-03-01T24:30:00Z',
    '2027-03-01T10:30',
    '2027-3-1',
    'today',
    '',
  ])
    assert.equal(parseTime(text), null, text)
})
