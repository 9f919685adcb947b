import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../harness/postgres.ts'
import { killWorkers, STEPS } from './job-kills.ts'

test('workers killed at random over an open source: every job ends in time, each step is bought once and charged once, nothing stays held', async () => {
  const { target } = await cloneDatabase()
  const report = await killWorkers(target, { jobs: 12, kills: 4, isOpen: true })
  assert.deepEqual(
    {
      unfinished: report.unfinished,
      late: report.late,
      carriedOut: report.carriedOut,
      boughtTwice: report.boughtTwice,
      chargedSteps: report.chargedSteps,
      held: report.heldAfterwards,
      findings: report.findings,
    },
    {
      unfinished: 0,
      late: 0,
      carriedOut: 12 * STEPS,
      boughtTwice: 0,
      chargedSteps: 12 * STEPS,
      held: 0n,
      findings: [],
    },
  )
  assert.ok(report.takenUpAgain > 0, 'some kill met a job')
})

test("with a vendor that is paid every job costs what it costs undisturbed: what killed workers bought twice is the house's", async () => {
  const { target } = await cloneDatabase()
  const report = await killWorkers(target, { jobs: 8, kills: 3, isOpen: false })
  assert.deepEqual(
    {
      unfinished: report.unfinished,
      late: report.late,
      carriedOut: report.carriedOut,
      chargedSteps: report.chargedSteps,
      held: report.heldAfterwards,
      findings: report.findings,
    },
    {
      unfinished: 0,
      late: 0,
      carriedOut: 8 * STEPS,
      chargedSteps: 8 * STEPS,
      held: 0n,
      findings: [],
    },
  )
  // A worker has at most two steps of each of its five jobs under way.
  assert.ok(report.boughtTwice <= 3 * 2 * 5, `${report.boughtTwice}`)
})
