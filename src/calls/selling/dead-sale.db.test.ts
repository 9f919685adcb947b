import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { newId, type LeaseNumber } from '../../lib/ids.ts'
import { claimSale, markSalesUnknown, type Sale } from './sales.ts'

const { database } = await cloneDatabase()
const NOW_MS = Date.UTC(2026, 9, 14, 12)

const saleOf = (lease: LeaseNumber): Sale => ({
  paymentKey: `of ${lease}`,
  id: newId(NOW_MS, lease),
  route: '/api/run/shop/thing',
  fingerprint: 'aa',
  method: 'x402.exact',
  amount: 20_000n,
})

test('leaves a payment of a dead process to its buyer, and continues those of others', async () => {
  const [dead, other] = [saleOf('abcdef'), saleOf('abcde0')]
  for (const sale of [dead, other]) await claimSale(database, sale, NOW_MS)
  assert.equal(await markSalesUnknown(database, 'abcdef'), 1)
  const repeat = { ...dead, id: newId(NOW_MS, 'abcde1') }
  assert.deepEqual(await claimSale(database, repeat, NOW_MS), { kind: 'unknown', amount: 20_000n })
  await assert.rejects(claimSale(database, dead, NOW_MS), { code: 'idempotency_in_progress' })
  await assert.rejects(claimSale(database, other, NOW_MS), { code: 'idempotency_in_progress' })
  assert.equal(await markSalesUnknown(database, 'abcdef'), 0)
})
