import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killAndCompare } from './kill.ts'

test('kills of 16 processes and 2 databases lose no answer and charge nothing twice', async () => {
  const { calls, heldAfterwards, broken, findings } = await killAndCompare(16, 2)
  assert.deepEqual(
    { broken, findings, heldAfterwards },
    { broken: [], findings: [], heldAfterwards: 0n },
  )
  assert.ok(calls.held > 16 && calls.ended > 16 && calls.ended < calls.asked, JSON.stringify(calls))
})
