import assert from 'node:assert/strict'
import { it } from 'node:test'
import { injectFaults } from './faults.ts'

it('a fault at any step leaves each signed payment with a receipt or in the queue', async () => {
  const { broken, signed, paid, queued, charged } = await injectFaults(170)
  assert.deepEqual(broken, [])
  // Ten of the seventeen faults still sign. Of those, "none" and "paid after" have a receipt, and only "none" is charged.
  assert.deepEqual(
    { signed, paid, queued, charged },
    { signed: 110, paid: 20, queued: 100, charged: 10 },
  )
})
