import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFireBed } from './bed.ts'
import { killAndCompare } from './kill.ts'

const bed = await openFireBed()

test('gateways killed under load lose no answer, charge nothing twice and leave no hold', async () => {
  const { broken, heldAfterwards, outcomes } = await killAndCompare(bed, 3)
  assert.deepEqual({ broken, heldAfterwards }, { broken: [], heldAfterwards: 0n })
  assert.equal(outcomes['internal 500'], undefined, JSON.stringify(outcomes))
  assert.ok((outcomes['200'] ?? 0) >= 100, JSON.stringify(outcomes))
  await bed.assertSound()
})
