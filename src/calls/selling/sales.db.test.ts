import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { houseCaller } from './house-account.ts'
import {
  claimSale,
  markSaleUnknown,
  deleteSale,
  settleSale,
  sweepSales,
  findTakenSale,
  type Sale,
} from './sales.ts'

const { database, clock } = await openCallBed()
const house = await houseCaller(database, clock())

async function settled(paymentKey: string): Promise<Sale> {
  const sale: Sale = {
    paymentKey,
    id: newId(clock()),
    route: '/api/run/shop/thing',
    fingerprint: 'aa',
    method: 'x402.exact',
    amount: 20_000n,
  }
  assert.deepEqual(await claimSale(database, sale, clock()), { kind: 'new' })
  await settleSale(
    database,
    sale,
    house.walletId,
    { reference: 'r', headers: { 'payment-response': 'r' } },
    clock(),
  )
  return sale
}

describe('a taken payment', () => {
  it('is valid for its request, and for no other action or body', async () => {
    const sale = await settled('for one')
    for (const asks of [claimSale, findTakenSale]) {
      assert.deepEqual(await asks(database, sale, clock()), {
        kind: 'settled',
        headers: { 'payment-response': 'r' },
        amount: 20_000n,
      })
      await assert.rejects(asks(database, { ...sale, route: '/api/run/shop/other' }, clock()), {
        code: 'idempotency_key_reused',
      })
      await assert.rejects(asks(database, { ...sale, fingerprint: 'bb' }, clock()), {
        code: 'idempotency_key_reused',
      })
    }
  })

  it('is spent before its answer expires, so that it buys nothing twice', async () => {
    const sale = await settled('for a day')
    assert.equal((await claimSale(database, sale, clock() + 23 * HOUR_MS)).kind, 'settled')
    await assert.rejects(claimSale(database, sale, clock() + 24 * HOUR_MS), {
      code: 'idempotency_key_reused',
    })
  })

  it('stays taken after later reports', async () => {
    const sale = await settled('for good')
    await deleteSale(database, sale.paymentKey)
    await markSaleUnknown(database, sale.paymentKey, 'late')
    await sweepSales(database, clock() + HOUR_MS)
    assert.equal((await claimSale(database, sale, clock())).kind, 'settled')
  })
})

it('leaves a payment to the process that takes it, within its time limit', async () => {
  const sale: Sale = {
    paymentKey: 'under way',
    id: newId(clock()),
    route: '/api/run/shop/thing',
    fingerprint: 'aa',
    method: 'x402.exact',
    amount: 20_000n,
  }
  await claimSale(database, sale, clock())
  assert.equal(await sweepSales(database, clock() + 60_000), 0)
  await assert.rejects(claimSale(database, sale, clock()), { code: 'idempotency_in_progress' })
})
