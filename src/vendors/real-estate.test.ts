/** Property records and data: the rules of each action, and what is charged. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../lib/money.ts'
import type { Data } from '../catalog/vocabulary/outcome.ts'
import { billable } from '../catalog/prices/price.ts'
import { heldFor, prepared, refusal, wireOf, withSimulators } from '../catalog/testing/run-call.ts'

const { run, chargeOf } = withSimulators()
const HOME = '123 Main St, Arlington VA 22205'

test('a property call that names no property is rejected', () => {
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

test('blanks name no property', () => {
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

test('what was not found is free', async () => {
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

describe('proprecords', () => {
  test('records, listings and markets cost 30¢, estimates 35¢', async () => {
    assert.equal(await chargeOf('proprecords/properties', { zipCode: '78244' }), cents('30'))
    assert.equal(await chargeOf('proprecords/market-stats', { zipCode: '78244' }), cents('30'))
    assert.equal(await chargeOf('proprecords/value-estimate', { address: HOME }), cents('35'))
    assert.equal(await chargeOf('proprecords/rent-estimate', { address: HOME }), cents('35'))
  })

  test('fifty records unless told, a hundred at most, within a hundred miles at most', () => {
    assert.equal(wireOf('proprecords/properties', { zipCode: '78244' }).query?.['limit'], 50)
    assert.equal(refusal('proprecords/properties', { zipCode: '78244', limit: 101 }).param, 'limit')
    const tooFar = refusal('proprecords/sale-listings', {
      latitude: 30,
      longitude: -97,
      radius: 101,
    })
    assert.deepEqual(
      [tooFar.param, tooFar.fix],
      ['radius', 'Send "radius" as a number above 0 and at most 100.'],
    )
  })

  test('market statistics want a zip code of five digits', () => {
    for (const zipCode of ['7824', '782444', '7824a'])
      assert.equal(refusal('proprecords/market-stats', { zipCode }).param, 'zipCode')
  })

  test('an estimate rests on 5 to 25 comparables', () => {
    for (const compCount of [4, 26])
      assert.equal(
        refusal('proprecords/value-estimate', { address: HOME, compCount }).param,
        'compCount',
      )
    assert.equal(wireOf('proprecords/value-estimate', { address: HOME }).query?.['compCount'], 15)
  })

  test('an estimate is of one property, whose facts are numbers: a range, which its vendor refuses, is refused before anything is held', () => {
    for (const name of ['value-estimate', 'rent-estimate'])
      for (const fact of ['bedrooms', 'bathrooms', 'squareFootage'])
        assert.equal(
          refusal(`proprecords/${name}`, { address: HOME, [fact]: '2-4' }).param,
          fact,
          `${name} ${fact}`,
        )
    const { query } = wireOf('proprecords/value-estimate', {
      address: HOME,
      propertyType: 'Condo',
      bedrooms: 0,
      bathrooms: 1.5,
      squareFootage: 900,
    })
    assert.deepEqual(
      [
        query?.['propertyType'],
        query?.['bedrooms'],
        query?.['bathrooms'],
        query?.['squareFootage'],
      ],
      ['Condo', 0, 1.5, 900],
    )
  })

  test('ranges, cities and states are written as the vendor wants them', () => {
    const { query } = wireOf('proprecords/properties', {
      city: 'san ANTONIO',
      state: 'tx',
      bedrooms: '2-4',
      bathrooms: 2,
      yearBuilt: '1990:2000',
    })
    assert.deepEqual(
      [
        query?.['city'],
        query?.['state'],
        query?.['bedrooms'],
        query?.['bathrooms'],
        query?.['yearBuilt'],
      ],
      ['San Antonio', 'TX', '2:4', 2, '1990:2000'],
    )
    const cityOf = (city: string) =>
      wireOf('proprecords/properties', { city, state: 'IL' }).query?.['city']
    assert.deepEqual(
      ["o'fallon", 'WINSTON-SALEM', 'McKinney', "O'Fallon", 'DeSoto', 'Lake in the Hills'].map(
        cityOf,
      ),
      ["O'Fallon", 'Winston-Salem', 'McKinney', "O'Fallon", 'DeSoto', 'Lake in the Hills'],
    )
  })
})

describe('propdata/property-search', () => {
  test('5¢ and 15¢ for each record that came, held for as many as were asked for', async () => {
    assert.equal(heldFor('propdata/property-search', { state: 'VA' }), cents('80'))
    assert.equal(heldFor('propdata/property-search', { state: 'VA', size: 25 }), cents('380'))
    assert.equal(await chargeOf('propdata/property-search', { state: 'VA', size: 5 }), cents('65'))
  })

  test('five records unless told, 25 at most', () => {
    assert.equal((wireOf('propdata/property-search', { state: 'VA' }).json as Data)['size'], 5)
    assert.equal(refusal('propdata/property-search', { state: 'VA', size: 26 }).param, 'size')
  })

  test('a survey costs 2¢, and asks for no records', async () => {
    for (const flag of ['count', 'summary', 'ids_only']) {
      const sent = { state: 'VA', [flag]: true }
      assert.equal(heldFor('propdata/property-search', sent), cents('2'), flag)
      assert.equal(await chargeOf('propdata/property-search', sent), cents('2'), flag)
      assert.equal((wireOf('propdata/property-search', sent).json as Data)['size'], undefined, flag)
    }
    assert.equal(heldFor('propdata/property-search', { state: 'VA', count: false }), cents('80'))
  })

  test('a place is a state, a zip code, an address, a middle with its radius, or a polygon', () => {
    const square = [
      { lat: 1, lon: 1 },
      { lat: 1, lon: 2 },
      { lat: 2, lon: 2 },
    ]
    for (const place of [
      { state: 'VA' },
      { zip: '22205' },
      { address: HOME },
      { latitude: 1, longitude: 1, radius: 1 },
      { polygon: square },
    ])
      prepared('propdata/property-search', place)
    assert.equal(
      refusal('propdata/property-search', { latitude: 1, longitude: 1 }).code,
      'invalid_params',
    )
  })

  test('ranges and flags are named in words with underscores, and others are refused', () => {
    prepared('propdata/property-search', {
      state: 'VA',
      value_min: 1,
      value_max: 2,
      last_sale_date_min: '2020-01-01',
      vacant: true,
    })
    assert.equal(
      refusal('propdata/property-search', { state: 'VA', valueMin: 1 }).param,
      'valueMin',
    )
  })
})

describe('the other actions of propdata', () => {
  test('comparables cost 5¢ and 15¢ each, ten unless told, 25 at most', async () => {
    assert.equal(heldFor('propdata/property-comps', { address: HOME }), cents('155'))
    assert.equal(await chargeOf('propdata/property-comps', { address: HOME }), cents('35'))
    assert.equal(
      refusal('propdata/property-comps', { address: HOME, max_results: 26 }).param,
      'max_results',
    )
  })

  test('an address without a zip code goes in a line, as the vendor wants it; others go as they came', () => {
    const parts = { street: '1 Example Ave', city: 'Arlington', state: 'VA' }
    const { json } = wireOf('propdata/address-verify', {
      addresses: [
        { ...parts, key: 'a' },
        { ...parts, zip: '22201' },
        { street: '1 Example Ave', zip: '22201' },
        { address: HOME },
      ],
    })
    assert.deepEqual(JSON.parse(JSON.stringify(json)), {
      addresses: [
        { key: 'a', address: '1 Example Ave, Arlington, VA' },
        { ...parts, zip: '22201' },
        { street: '1 Example Ave', zip: '22201' },
        { address: HOME },
      ],
    })
  })

  test('addresses cost 5¢ and 15¢ each, at most ten', async () => {
    const addresses = (count: number) => Array.from({ length: count }, () => ({ address: HOME }))
    assert.equal(
      await chargeOf('propdata/address-verify', { addresses: addresses(2) }),
      cents('35'),
    )
    assert.equal(
      refusal('propdata/address-verify', { addresses: addresses(11) }).param,
      'addresses',
    )
  })

  test('an address that got a verdict is charged, match or none, and one that the vendor could make nothing of is not', () => {
    const { action, input } = prepared('propdata/address-verify', {
      addresses: [{ address: HOME }, { address: HOME }, { address: HOME }],
    })
    const chargeFor = (data: readonly Data[]) =>
      billable(action, input, action.outcome({ status: 200, headers: {}, body: { data } }, input))
    assert.equal(
      chargeFor([
        { match: true, confidence: 0.97 },
        { match: false, confidence: 0.41 },
        { error: 'Unparsable address.' },
      ]),
      cents('35'),
    )
    assert.equal(chargeFor([{ error: 'Unparsable address.' }]), 0n)
  })

  test('details and parcels cost 20¢, valuations and skip traces 25¢, completions 1¢', async () => {
    assert.equal(await chargeOf('propdata/property-detail', { address: HOME }), cents('20'))
    assert.equal(await chargeOf('propdata/parcel', { address: HOME }), cents('20'))
    assert.equal(await chargeOf('propdata/avm', { address: HOME }), cents('25'))
    assert.equal(
      await chargeOf('propdata/skiptrace', { address: '123 Main St', zip: '22205' }),
      cents('25'),
    )
    assert.equal(await chargeOf('propdata/autocomplete', { search: '123 main' }), cents('1'))
  })

  test('the vendor takes sixty calls a second, of skip traces ten', () => {
    const { action, service } = prepared('propdata/skiptrace', { address: HOME, zip: '22205' })
    assert.ok(action.kind === 'call')
    assert.deepEqual(
      [service.vendor?.limits, action.limits],
      [{ perSecond: 60 }, { perSecond: 10 }],
    )
  })

  test('a skip trace wants city and state, or a zip code', () => {
    assert.equal(refusal('propdata/skiptrace', { address: '123 Main St' }).code, 'invalid_params')
    assert.equal(
      refusal('propdata/skiptrace', { address: '123 Main St', city: 'Arlington' }).code,
      'invalid_params',
    )
    prepared('propdata/skiptrace', { address: '123 Main St', city: 'Arlington', state: 'VA' })
  })

  test('the figures of a valuation are numbers', async () => {
    const result = await run('propdata/avm', { address: HOME })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    for (const { avm, avmMin, avmMax, confidence } of [
      result.outcome.data,
      result.outcome.data['data'] as Data,
    ])
      assert.deepEqual([avm, avmMin, avmMax, confidence], [512_000, 480_000, 545_000, 87])
  })

  test('a refusal that comes with status 200 is a refusal and free', () => {
    const { action, input } = prepared('propdata/property-detail', { address: HOME })
    const outcome = action.outcome(
      {
        status: 200,
        headers: {},
        body: { statusCode: 429, statusMessage: 'daily credits', data: {} },
      },
      input,
    )
    assert.ok(outcome.kind === 'failed' && outcome.code === 'upstream_busy')
  })
})
