import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killAndCompare } from './kill.ts'

test('16 processes and 2 databases killed between any two steps: nothing that was answered is lost, nothing is charged twice, nothing stays held', async () => {
  const { calls, heldAfterwards, broken, findings } = await killAndCompare(16, 2)
  assert.deepEqual(
    { broken, findings, heldAfterwards },
    { broken: [], findings: [], heldAfterwards: 0n },
  )
  assert.ok(calls.held > 16 && calls.ended > 16 && calls.ended < calls.asked, JSON.stringify(calls))
})
