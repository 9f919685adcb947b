import assert from 'node:assert/strict'
import { test } from 'node:test'
import { windowResetMs, windowStartMs, windowStarts, type ResettingPeriod } from './windows.ts'

const at = (text: string): number => Date.parse(text)
const iso = (ms: number): string => new Date(ms).toISOString()

const CASES: [ResettingPeriod, string, string, string][] = [
  ['day', '2026-01-14T00:00:00.000Z', '2026-01-14T00:00:00.000Z', '2026-01-15T00:00:00.000Z'],
  ['day', '2026-01-14T23:59:59.999Z', '2026-01-14T00:00:00.000Z', '2026-01-15T00:00:00.000Z'],
  ['week', '2026-01-18T23:59:59.999Z', '2026-01-12T00:00:00.000Z', '2026-01-19T00:00:00.000Z'],
  ['week', '2026-01-19T00:00:00.000Z', '2026-01-19T00:00:00.000Z', '2026-01-26T00:00:00.000Z'],
  ['week', '2026-01-01T12:00:00.000Z', '2025-12-29T00:00:00.000Z', '2026-01-05T00:00:00.000Z'],
  ['month', '2026-01-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  ['month', '2028-02-29T12:00:00.000Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
]

for (const [period, now, start, reset] of CASES) {
  test(`the ${period} of ${now} runs from ${start} to ${reset}`, () => {
    assert.equal(iso(windowStartMs(period, at(now))), start)
    assert.equal(iso(windowResetMs(period, at(now))), reset)
  })
}

test('window starts follow the clock back and forward', () => {
  const later = windowStarts(at('2026-03-01T00:00:00Z'))
  const earlier = windowStarts(at('2026-02-28T23:59:59Z'))
  assert.equal(later.today - earlier.today, 1)
  assert.equal(later.thisMonth - earlier.thisMonth, 28)
})
