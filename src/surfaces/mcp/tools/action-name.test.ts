import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitActionName } from './action-name.ts'

const wanted = { service: 'core', action: 'onescrape' }

test('splits "service/action" wherever a model writes it', () => {
  for (const sent of [
    wanted,
    { action: 'core/onescrape' },
    { service: '', action: 'core/onescrape' },
    { service: 'core', action: 'core/onescrape' },
    { service: 'core/onescrape' },
    { service: 'core/onescrape', action: 'onescrape' },
    { service: 'core/onescrape', action: 'core/onescrape' },
  ])
    assert.deepEqual(splitActionName(sent), wanted, JSON.stringify(sent))
  assert.deepEqual(splitActionName({ action: 'core/onescrape', params: {} }), {
    ...wanted,
    params: {},
  })
})

test('leaves contradictory and incomplete names to the schema and the catalog', () => {
  for (const sent of [
    {},
    { action: 'onescrape' },
    { service: 'core' },
    { service: 'core/', action: 'x' },
    { service: 'core/onescrape', action: 'discover' },
    { service: 7, action: 'core/onescrape' },
    { service: 'core', action: null },
  ])
    assert.deepEqual(splitActionName(sent), sent, JSON.stringify(sent))
})
