import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCatalog, type Entry } from '../index.ts'
import type { Action } from '../vocabulary/define.ts'
import { priceIdFor, priceIdOf } from './price-id.ts'

const catalog = createCatalog()

function changed({ service, action }: Entry, change: object): { service: object; action: Action } {
  return { service, action: { ...action, ...change } }
}

describe('the id of a price', () => {
  const flat = catalog.findAction('contactfind', 'people-search')
  const perUnit = catalog.findAction('companyfind', 'lookalikes')

  it('has one form for every action of the catalog', () => {
    for (const entry of catalog.allActions()) assert.match(priceIdOf(entry), /^price_[0-9a-f]{12}$/)
  })

  it('is the same for an equal record', () => {
    assert.equal(priceIdOf(changed(flat, {})), priceIdOf(flat))
    assert.equal(
      priceIdOf(changed(flat, { summary: 'Other words', description: 'Other words' })),
      priceIdOf(flat),
    )
  })

  it('changes with the rate, the minimum and the base of a price per unit', () => {
    const { price } = perUnit.action
    assert.ok(price.kind === 'unit')
    const ids = [
      {},
      { rate: price.rate + 1n },
      { minimum: 7n },
      { base: 7n },
      { rounding: 'whole_cent' },
      { unit: 'page' },
    ].map((change) => priceIdOf(changed(perUnit, { price: { ...price, ...change } })))
    assert.equal(new Set(ids).size, ids.length)
  })

  it('changes with the billing rule', () => {
    const { billing } = flat.action
    const ids = [billing, { ...billing, onMiss: 'charged' }, { ...billing, pollPrice: 100n }].map(
      (rule) => priceIdOf(changed(flat, { billing: rule })),
    )
    assert.equal(new Set(ids).size, ids.length)
  })

  it('changes with the price that the input decides', () => {
    const entry = catalog
      .allActions()
      .find(({ action }) => action.price.kind === 'computed' && action.kind !== 'endpoint')
    assert.ok(entry?.action.price.kind === 'computed')
    const price = { ...entry.action.price, amount: () => 123_456n }
    assert.notEqual(priceIdOf(changed(entry, { price, priceFor: undefined })), priceIdOf(entry))
  })

  it('of an endpoint changes with its own price only', () => {
    const entry = catalog
      .allActions()
      .find(({ action }) => action.kind === 'endpoint' && action.endpoints.length > 1)
    assert.ok(entry?.action.kind === 'endpoint')
    const [first, second] = entry.action.endpoints
    assert.ok(first !== undefined && second !== undefined)
    const dearer = changed(entry, {
      endpoints: entry.action.endpoints.map((one) =>
        one === first ? { ...one, price: 98_765n } : one,
      ),
    })
    assert.notEqual(priceIdOf(dearer, first.endpoint), priceIdOf(entry, first.endpoint))
    assert.equal(priceIdOf(dearer, second.endpoint), priceIdOf(entry, second.endpoint))
    assert.notEqual(priceIdOf(dearer), priceIdOf(entry))
    assert.equal(priceIdFor(entry, { endpoint: first.endpoint }), priceIdOf(entry, first.endpoint))
  })

  it('of media changes with the rate of a model', () => {
    const entry = catalog.findAction('media', 'generate')
    const { models } = entry.service
    assert.ok(models !== undefined)
    const [model, ...others] = models.all
    assert.ok(model !== undefined)
    const all = [{ ...model, rates: [{ rate: 1n }] }, ...others]
    assert.notEqual(
      priceIdOf({ service: { models: { ...models, all } }, action: { ...entry.action } }),
      priceIdOf(entry),
    )
  })
})
