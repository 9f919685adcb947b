import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killAndCompare } from './kill.ts'

test('40 processes and 4 databases killed between any two steps: nothing acknowledged is lost, nothing is charged twice, nothing stays held', async () => {
  const { calls, heldAfterwards, broken, findings } = await killAndCompare(40, 4)
  assert.deepEqual({ broken, findings, heldAfterwards }, { broken: [], findings: [], heldAfterwards: 0n })
  assert.ok(calls.held > 40 && calls.ended > 40 && calls.ended < calls.asked, JSON.stringify(calls))
})
