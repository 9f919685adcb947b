import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../../catalog/index.ts'
import { services } from '../../../vendors/index.ts'
import { priceInHouseAtZero } from './price-in-house.ts'

test('prices calls at zero, but no sessions, browser time, passthroughs and multi-source actions', () => {
  const catalog = createCatalog(
    priceInHouseAtZero(services, () => ({ live: 'in-house', lanes: ['in-house'] })),
  )
  const kindOf = (service: string, name: string) =>
    catalog.findAction(service, name).action.price.kind
  for (const [service, name] of [
    ['encyclopedia', 'page'],
    ['files', 'upload'],
    ['gitstore', 'repo-get'],
  ] as const)
    assert.equal(kindOf(service, name), 'free', `${service}/${name}`)
  for (const [service, name] of [
    ['browser', 'create_session'],
    ['boxa', 'create_session'],
    ['compliance', 'check'],
    ['core', 'onescrape'],
    ['media', 'generate'],
  ] as const)
    assert.notEqual(kindOf(service, name), 'free', `${service}/${name}`)
})
