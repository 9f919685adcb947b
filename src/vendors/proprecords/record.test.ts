import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { refusal, wireOf, withSimulators } from '../../catalog/testing/run-call.ts'

const { chargeOf } = withSimulators()

const HOME = '123 Main St, Arlington VA 22205'

describe('proprecords', () => {
  test('charges records, listings and markets 30¢, estimates 35¢', async () => {
    assert.equal(await chargeOf('proprecords/properties', { zipCode: '78244' }), cents('30'))
    assert.equal(await chargeOf('proprecords/market-stats', { zipCode: '78244' }), cents('30'))
    assert.equal(await chargeOf('proprecords/value-estimate', { address: HOME }), cents('35'))
    assert.equal(await chargeOf('proprecords/rent-estimate', { address: HOME }), cents('35'))
  })

  test('returns fifty records by default, up to a hundred within a hundred miles', () => {
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

  test('requires a five-digit zip code for market statistics', () => {
    for (const zipCode of ['7824', '782444', '7824a'])
      assert.equal(refusal('proprecords/market-stats', { zipCode }).param, 'zipCode')
  })

  test('bases an estimate on 5 to 25 comparables', () => {
    for (const compCount of [4, 26])
      assert.equal(
        refusal('proprecords/value-estimate', { address: HOME, compCount }).param,
        'compCount',
      )
    assert.equal(wireOf('proprecords/value-estimate', { address: HOME }).query?.['compCount'], 15)
  })

  test('rejects a range for the facts of a single property before a hold', () => {
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

  test("sends ranges, cities and states in the vendor's form", () => {
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
