import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  agreeOnTime,
  LOOK_EVERY_MS,
  type Agreement,
  type Look,
  type SharedClock,
} from './agree-on-time.ts'
import { createSleepMeter } from './own-clock.ts'

const NOW_MS = Date.UTC(2026, 10, 23)
const DAY_MS = 86_400_000
const SELF = 'a'.repeat(32)
const OTHER = 'b'.repeat(32)

const shared = (facts: Partial<SharedClock> = {}): SharedClock => ({
  aheadMs: 0,
  beatMs: NOW_MS - LOOK_EVERY_MS,
  writer: OTHER,
  ...facts,
})
const agree = (facts: Partial<Look>): Agreement =>
  agreeOnTime({
    self: SELF,
    aheadMs: 0,
    uncertainMs: 1,
    databaseMs: NOW_MS,
    shared: shared(),
    ...facts,
  })

for (const [words, jumpMs] of [
  ['forward', 2 * DAY_MS],
  ['back', -2 * DAY_MS],
  ['forward by three minutes', 180_000],
  ['back by three minutes', -180_000],
] as const) {
  for (const writer of [SELF, OTHER]) {
    test(`ignores a jump ${words}, last look ${writer === SELF ? 'its own' : "another's"}`, () => {
      const before = shared({ writer, beatMs: NOW_MS - jumpMs - LOOK_EVERY_MS })
      assert.deepEqual(agree({ aheadMs: -jumpMs, shared: before }), {
        aheadMs: -jumpMs,
        correctionMs: 0,
        isAstray: false,
      })
    })
  }
}

test('later looks agree with the first one, and a jump of days is never followed', () => {
  const found = shared({ aheadMs: -2 * DAY_MS })
  assert.deepEqual(agree({ aheadMs: -2 * DAY_MS, shared: found }), {
    aheadMs: -2 * DAY_MS,
    correctionMs: 0,
    isAstray: false,
  })
})

test('a process whose machine was paused catches up with the others', () => {
  assert.deepEqual(agree({ aheadMs: -1_200_000 }), {
    aheadMs: 0,
    correctionMs: 1_200_000,
    isAstray: false,
  })
})

test('a process far ahead of the others reports it and keeps its own time', () => {
  assert.deepEqual(agree({ aheadMs: 1_200_000 }), { aheadMs: 0, correctionMs: 0, isAstray: true })
})

test('approaches the clock of a new primary by four percent of the elapsed time', () => {
  let aheadMs = 180_000
  let looks = 0
  for (; Math.abs(aheadMs) > 1; looks += 1) {
    const { aheadMs: next, correctionMs } = agree({ aheadMs, shared: shared({ aheadMs }) })
    assert.ok(
      next < aheadMs &&
        next >= aheadMs - LOOK_EVERY_MS / 20 &&
        Math.abs(correctionMs) <= LOOK_EVERY_MS / 20,
    )
    aheadMs = next
  }
  assert.equal(looks, 900)
})

test('a slow response corrects nothing within its uncertainty', () => {
  assert.equal(agree({ aheadMs: -300, uncertainMs: 400 }).correctionMs, 0)
  assert.equal(agree({ aheadMs: -100, uncertainMs: 1 }).correctionMs, 99)
  assert.equal(agree({ aheadMs: 1_500, uncertainMs: 1 }).correctionMs, -LOOK_EVERY_MS / 20)
})

test('a database without an agreement takes the time of the first process that looks', () => {
  assert.equal(agree({ aheadMs: -2 * DAY_MS, shared: null }).aheadMs, -2 * DAY_MS)
})

test('counts suspended time on systems with a clock for it', () => {
  const clocks = { monotonicMs: 1_000, sinceBootMs: 50_000 as number | null }
  const sleptMs = createSleepMeter({
    monotonicMs: () => clocks.monotonicMs,
    sinceBootMs: () => clocks.sinceBootMs,
  })
  assert.equal(sleptMs(), 0)
  clocks.monotonicMs += 5_000
  clocks.sinceBootMs = 55_010
  assert.equal(sleptMs(), 0)
  clocks.sinceBootMs += 3_600_000
  assert.equal(sleptMs(), 3_600_010)
  assert.equal(sleptMs(), 0)
  clocks.sinceBootMs = null
  assert.equal(sleptMs(), 0)
})
