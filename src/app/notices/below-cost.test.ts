import assert from 'node:assert/strict'
import { test } from 'node:test'
import { services } from '../../vendors/index.ts'
import { capCounts } from '../wiring/cap-counts.ts'
import { BELOW_COST, findBelowCost } from './below-cost.ts'

const keys = (...labels: readonly string[]) => new Map(labels.map((label) => [label, {}]))
const ALL = keys(...services.map(({ id, vendor }) => vendor?.label ?? id))
const actionsIn = (...args: Parameters<typeof findBelowCost>) =>
  findBelowCost(...args).map(({ action }) => action)

test('every row is an action whose price is below the vendor’s at the largest count', () => {
  assert.deepEqual(
    actionsIn(services, ALL),
    BELOW_COST.map(({ action }) => action),
  )
  for (const { source } of BELOW_COST) assert.equal(URL.parse(source)?.protocol, 'https:')
})

test('shows the price, the vendor’s price at the largest count, and the source', () => {
  assert.deepEqual(findBelowCost(services, keys('render'))[0], {
    action: 'render/crawl',
    price: '$0.01',
    vendorPrice: '$0.50',
    count: 'limit 100',
    basis: 'one credit per page; credits of $0.0008 to $0.005 by plan',
    source: 'https://docs.firecrawl.dev/billing',
  })
})

test('warns about vendors with a key only', () => {
  assert.deepEqual(actionsIn(services, keys()), [])
  assert.deepEqual(actionsIn(services, keys('semantic')), ['semantic/search'])
})

test('counts with the operator’s caps, and stops warning when the price covers the vendor’s', () => {
  const capped = (most: number) =>
    findBelowCost(
      capCounts(services, [{ action: 'render/crawl', field: 'limit', most }]),
      keys('render'),
    ).find(({ action }) => action === 'render/crawl')
  assert.deepEqual([capped(20)?.vendorPrice, capped(20)?.count], ['$0.10', 'limit 20'])
  assert.equal(capped(2), undefined)
})
