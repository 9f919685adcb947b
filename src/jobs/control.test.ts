import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { manualClock } from '../../test/harness/manual-clock.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../lib/ids.ts'
import { createControl } from './control.ts'

const noDatabase = {
  query: () => assert.fail('the time of a job asks no database'),
} as unknown as Database

/** A job of `lastsMs` that is claimed after `afterMs`, with a clock that `wait` moves. */
function taken({ mock }: TestContext, lastsMs: number, afterMs = 0) {
  const clock = manualClock(afterMs)
  mock.timers.enable({ apis: ['setTimeout'] })
  const id = newId(0)
  const job = {
    id,
    accountId: id,
    mode: 'live',
    walletId: 1,
    budgetId: null,
    service: 'work',
    action: 'deep',
    input: {},
    budget: 1n,
    createdMs: 0,
    deadlineMs: lastsMs,
    isCancelled: false,
    attempt: 1,
  } as const
  const running = createControl(noDatabase, newId(0), job, clock)
  return {
    ...running,
    wait(ms: number): void {
      clock.advance(ms)
      mock.timers.tick(ms)
    },
  }
}

test('begins no step in the last ten seconds of a job, or the last tenth of a short one', async (t) => {
  for (const [lastsMs, stopsMs] of [
    [600_000, 590_000],
    [20_000, 18_000],
  ] as const) {
    await t.test(`of ${lastsMs / 1000} seconds`, (inner) => {
      const { control, wait } = taken(inner, lastsMs)
      wait(stopsMs - 1)
      assert.equal(control.stopReason, null)
      wait(1)
      assert.deepEqual([control.stopReason, control.signal.aborted], ['deadline', false])
    })
  }
})

test('begins no step of a job that is claimed in its last seconds', (t) => {
  const { control, wait } = taken(t, 600_000, 595_000)
  wait(0)
  assert.equal(control.stopReason, 'deadline')
})

test('a job past its deadline fails, and its active steps are dropped', async (t) => {
  const { control, over, wait } = taken(t, 600_000)
  wait(600_000)
  const end = await over
  assert.deepEqual(
    [end !== 'left' && end.kind === 'failed' && end.code, control.signal.aborted],
    ['job_deadline', true],
  )
})
