/** Property records and data: required parameters and free misses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { chargeOf } = withSimulators()

const HOME = '123 Main St, Arlington VA 22205'

test('rejects a property call that names no property', () => {
  const nowhere: Record<string, Data> = {
    'proprecords/properties': { bedrooms: 3 },
    'proprecords/sale-listings': { city: 'Austin' },
    'proprecords/rental-listings': { latitude: 1, longitude: 1 },
    'proprecords/market-stats': {},
    'proprecords/value-estimate': { bedrooms: 3 },
    'proprecords/rent-estimate': {},
    'propdata/autocomplete': {},
    'propdata/property-search': { beds_min: 3 },
    'propdata/property-detail': { comps: true },
    'propdata/parcel': { apn: '1-2-3' },
    'propdata/property-comps': { max_results: 3 },
    'propdata/avm': { strict: true },
    'propdata/skiptrace': { city: 'Arlington', state: 'VA' },
    'propdata/address-verify': { addresses: [{ city: 'Arlington', state: 'VA' }] },
  }
  for (const [id, sent] of Object.entries(nowhere))
    assert.equal(refusal(id, sent).code, 'invalid_params', id)
})

test('rejects blank text as the name of a property', () => {
  for (const name of [
    'properties',
    'sale-listings',
    'rental-listings',
    'value-estimate',
    'rent-estimate',
  ])
    assert.equal(refusal(`proprecords/${name}`, { address: ' ' }).param, 'address', name)
  for (const name of ['property-search', 'property-detail', 'parcel', 'property-comps', 'avm'])
    assert.equal(refusal(`propdata/${name}`, { address: ' \t' }).param, 'address', name)
  for (const name of ['property-detail', 'parcel', 'property-comps', 'avm'])
    assert.equal(refusal(`propdata/${name}`, { id: ' ' }).param, 'id', name)
  assert.equal(refusal('propdata/autocomplete', { search: ' ' }).param, 'search')
  assert.equal(refusal('propdata/skiptrace', { address: ' ', zip: '22205' }).param, 'address')
  assert.equal(
    refusal('propdata/address-verify', { addresses: [{ address: HOME }, { address: ' ' }] }).code,
    'invalid_params',
  )
  for (const name of ['properties', 'sale-listings', 'rental-listings'])
    assert.equal(refusal(`proprecords/${name}`, { city: ' ', state: 'TX' }).param, 'city', name)
  assert.equal(
    refusal('propdata/skiptrace', { address: HOME, city: ' ', state: 'VA' }).param,
    'city',
  )
  assert.equal(
    refusal('propdata/property-detail', { house: ' ', street: 'Main St', zip: '22205' }).param,
    'house',
  )
  assert.equal(refusal('propdata/parcel', { apn: ' ', fips: '51013' }).param, 'apn')
  assert.equal(
    refusal('propdata/address-verify', { addresses: [{ street: ' ', zip: '22205' }] }).code,
    'invalid_params',
  )
})

test('charges nothing for a miss', async () => {
  const misses: Record<string, Data> = {
    'proprecords/properties': { address: 'nobody' },
    'proprecords/sale-listings': { address: 'nobody' },
    'proprecords/rental-listings': { address: 'nobody' },
    'proprecords/value-estimate': { address: 'nobody' },
    'proprecords/rent-estimate': { address: 'nobody' },
    'propdata/autocomplete': { search: 'nobody' },
    'propdata/property-search': { address: 'nobody' },
    'propdata/property-detail': { address: 'nobody' },
    'propdata/parcel': { address: 'nobody' },
    'propdata/property-comps': { address: 'nobody' },
    'propdata/avm': { address: 'nobody' },
    'propdata/skiptrace': { address: 'nobody', zip: '22205' },
  }
  for (const [id, sent] of Object.entries(misses)) assert.equal(await chargeOf(id, sent), 0n, id)
})
