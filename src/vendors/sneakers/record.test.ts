import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { chargeOf, failureOf } = withSimulators()

describe('sneakers', () => {
  test('costs a twentieth of a cent, and nothing without results', async () => {
    assert.equal(await chargeOf('sneakers/product-search', { query: 'dunk' }), cents('0.05'))
    assert.equal(await chargeOf('sneakers/product-search', { query: 'nobody' }), 0n)
    assert.equal(await failureOf('sneakers/product-detail', { id: 'nobody' }), 'upstream_not_found')
    assert.equal(await chargeOf('sneakers/sales-history', { id: 'nobody' }), 0n)
  })

  test('lists sales of stockx and goat, by number for goat', () => {
    assert.equal(
      refusal('sneakers/sales-history', { marketplace: 'kream', id: '1' }).param,
      'marketplace',
    )
    assert.equal(refusal('sneakers/sales-history', { marketplace: 'goat', id: 'dunk' }).param, 'id')
    const { action, input } = prepared('sneakers/sales-history', { marketplace: 'goat', id: '12' })
    assert.equal(action.request(input).path, '/v3/goat/products/12/sales')
  })

  test('pages sales without duplicates, also for goat, which returns all at the same time', () => {
    const pageOf = (marketplace: string, page: number) => {
      const { action, input } = prepared('sneakers/sales-history', {
        marketplace,
        id: '12',
        limit: 2,
        page,
      })
      assert.ok(action.kind === 'call')
      const outcome = action.outcome(
        { status: 200, headers: {}, body: { data: ['a', 'b', 'c'], meta: { total: 3 } } },
        input,
      )
      return outcome.kind === 'failed' ? outcome : [outcome.kind, outcome.data]
    }
    assert.deepEqual(pageOf('goat', 1), ['done', { data: ['a', 'b'], meta: { total: 3 } }])
    assert.deepEqual(pageOf('goat', 2), ['done', { data: ['c'], meta: { total: 3 } }])
    assert.deepEqual(pageOf('goat', 3), ['empty', { data: [], meta: { total: 3 } }])
    assert.deepEqual(pageOf('stockx', 2), ['done', { data: ['a', 'b', 'c'], meta: { total: 3 } }])
  })
})
