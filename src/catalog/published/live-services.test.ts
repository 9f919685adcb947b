/** The published parameters of an action are those of its live lane. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createDiscover } from '../../composites/discover/create-discover.ts'
import { createCatalog } from '../index.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { createValidator } from '../validate/validate.ts'
import { catalogIndex, type Published } from './catalog-index.ts'
import { descriptor } from './descriptor.ts'
import type { LaneName, LaneOf } from './lane.ts'
import { liveServices } from './live-services.ts'
import { openapi } from './openapi.ts'
import { requiredParams } from './required-params.ts'

const catalog = createCatalog()
const { validate } = createValidator()

function publishedWith(live: LaneName): Published {
  const laneOf: LaneOf = () => ({ live, lanes: [live] })
  return {
    services: liveServices(catalog.services, laneOf),
    laneOf,
    publicUrl: 'https://gate.example',
  }
}

function vehiclesIn(published: Published) {
  return published.services.find(({ id }) => id === 'vehicles') ?? assert.fail('there are vehicles')
}

describe('vehicles/search', () => {
  test('requires a year, or words that may name one, while the public source answers', () => {
    const published = publishedWith('in-house')
    const described = descriptor(published, vehiclesIn(published), 'search')
    assert.deepEqual(described.required_one_of, [['year'], ['q']])
    assert.match(described.description, /send "year", or name the year in "q"/)
    assert.deepEqual(described.params.allOf, [
      { anyOf: [{ required: ['year'] }, { required: ['q'] }] },
    ])
    const line = catalogIndex(published)
      .services.find(({ service }) => service === 'vehicles')
      ?.actions.find(({ action }) => action === 'search')
    assert.deepEqual(line?.required_one_of, [['year'], ['q']])
    const [hit] = createDiscover({ services: catalog.services, laneOf: published.laneOf }).search(
      'find a car by make and model',
    ).hits
    assert.deepEqual([hit?.service, hit?.required_one_of], ['vehicles', [['year'], ['q']]])
    const { paths } = openapi(published, { paths: {}, schemas: {}, tags: [], securitySchemes: {} })
    assert.match(
      JSON.stringify((paths as Record<string, unknown>)['/api/run/vehicles/search']),
      /"allOf":\[\{"anyOf":\[\{"required":\["year"\]\}/,
    )
  })

  test('accepts any single parameter while the vendor answers', () => {
    const published = publishedWith('vendor')
    assert.deepEqual(descriptor(published, vehiclesIn(published), 'search').required_one_of, [
      ['q'],
      ['make'],
      ['model'],
      ['year'],
    ])
  })
})

test('publishes requirements that satisfy the public source', () => {
  for (const { id, actions } of publishedWith('in-house').services) {
    for (const [name, action] of Object.entries(actions)) {
      if (action.kind !== 'call' || action.openSource?.check === undefined) continue
      const { required_params, required_one_of } = requiredParams(action)
      for (const set of required_one_of.length === 0 ? [[]] : required_one_of) {
        const names = [...required_params, ...set]
        if (names.some((field) => !(field in action.example))) continue
        const input: Data = validate(
          action.input,
          Object.fromEntries(names.map((field) => [field, action.example[field]])),
        )
        assert.doesNotThrow(
          () => action.openSource?.check?.(input),
          `${id}/${name} with ${names.join(', ')}`,
        )
      }
    }
  }
})
