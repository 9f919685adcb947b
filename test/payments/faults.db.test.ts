import assert from 'node:assert/strict'
import { it } from 'node:test'
import { injectFaults } from './faults.ts'

it('whatever breaks at whatever step, a signed payment has its receipt or stands in the queue, and nobody is charged without a receipt', async () => {
  const { broken, signed, paid, queued, charged } = await injectFaults(170)
  assert.deepEqual(broken, [])
  // Of the seventeen faults ten still sign; of those "none" and "paid after" have a receipt, and "none" alone is charged.
  assert.deepEqual(
    { signed, paid, queued, charged },
    { signed: 110, paid: 20, queued: 100, charged: 10 },
  )
})
