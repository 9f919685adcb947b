import assert from 'node:assert/strict'
import { test } from 'node:test'
import { majorsBehind } from './browser-age.ts'

test("counts the majors released since, by Chromium's calendar", () => {
  const on = (day: string) => majorsBehind('153.0.8000.1', Date.parse(day))
  assert.deepEqual(
    ['2026-01-01', '2026-09-21', '2026-09-22', '2026-10-06', '2026-11-23'].map(on),
    [0, 0, 1, 2, 5],
  )
  assert.equal(majorsBehind('147.0.7727.0', Date.parse('2026-09-08')), 6)
})
