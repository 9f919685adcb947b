import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../harness/postgres.ts'
import { killWorkers, STEPS } from './job-kills.ts'

test('jobs of killed workers over an open source end in time with each step charged once', async () => {
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

test('jobs of killed workers at a paid vendor cost callers the undisturbed price', async () => {
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
  // A worker runs at most two steps of each of its five jobs.
  assert.ok(report.boughtTwice <= 3 * 2 * 5, `${report.boughtTwice}`)
})
