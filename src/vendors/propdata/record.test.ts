import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { billable } from '../../catalog/prices/price.ts'
import {
  heldFor,
  prepared,
  refusal,
  wireOf,
  withSimulators,
} from '../../catalog/testing/run-call.ts'

const { run, chargeOf } = withSimulators()

const HOME = '123 Main St, Arlington VA 22205'

describe('propdata/property-search', () => {
  test('charges 5¢ and 15¢ per returned record, and holds the requested number', async () => {
    assert.equal(heldFor('propdata/property-search', { state: 'VA' }), cents('80'))
    assert.equal(heldFor('propdata/property-search', { state: 'VA', size: 25 }), cents('380'))
    assert.equal(await chargeOf('propdata/property-search', { state: 'VA', size: 5 }), cents('65'))
  })

  test('returns five records by default, up to 25', () => {
    assert.equal((wireOf('propdata/property-search', { state: 'VA' }).json as Data)['size'], 5)
    assert.equal(refusal('propdata/property-search', { state: 'VA', size: 26 }).param, 'size')
  })

  test('charges a survey 2¢ and requests no records', async () => {
    for (const flag of ['count', 'summary', 'ids_only']) {
      const sent = { state: 'VA', [flag]: true }
      assert.equal(heldFor('propdata/property-search', sent), cents('2'), flag)
      assert.equal(await chargeOf('propdata/property-search', sent), cents('2'), flag)
      assert.equal((wireOf('propdata/property-search', sent).json as Data)['size'], undefined, flag)
    }
    assert.equal(heldFor('propdata/property-search', { state: 'VA', count: false }), cents('80'))
  })

  test('takes a state, a zip code, an address, a center with radius, or a polygon as place', () => {
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

  test('names ranges and flags with underscores, and rejects others', () => {
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

describe('other actions of propdata', () => {
  test('charge comparables 5¢ and 15¢ each, ten by default, up to 25', async () => {
    assert.equal(heldFor('propdata/property-comps', { address: HOME }), cents('155'))
    assert.equal(await chargeOf('propdata/property-comps', { address: HOME }), cents('35'))
    assert.equal(
      refusal('propdata/property-comps', { address: HOME, max_results: 26 }).param,
      'max_results',
    )
  })

  test('send an address without a zip code in one line, and others unchanged', () => {
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

  test('charge addresses 5¢ and 15¢ each, up to ten', async () => {
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

  test('charge an address with a verdict, but not one that the vendor cannot interpret', () => {
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

  test('charge details and parcels 20¢, valuations and skip traces 25¢, completions 1¢', async () => {
    assert.equal(await chargeOf('propdata/property-detail', { address: HOME }), cents('20'))
    assert.equal(await chargeOf('propdata/parcel', { address: HOME }), cents('20'))
    assert.equal(await chargeOf('propdata/avm', { address: HOME }), cents('25'))
    assert.equal(
      await chargeOf('propdata/skiptrace', { address: '123 Main St', zip: '22205' }),
      cents('25'),
    )
    assert.equal(await chargeOf('propdata/autocomplete', { search: '123 main' }), cents('1'))
  })

  test('send at most sixty calls per second, ten for skip traces', () => {
    const { action, service } = prepared('propdata/skiptrace', { address: HOME, zip: '22205' })
    assert.ok(action.kind === 'call')
    assert.deepEqual(
      [service.vendor?.limits, action.limits],
      [{ perSecond: 60 }, { perSecond: 10 }],
    )
  })

  test('require city and state, or a zip code, for a skip trace', () => {
    assert.equal(refusal('propdata/skiptrace', { address: '123 Main St' }).code, 'invalid_params')
    assert.equal(
      refusal('propdata/skiptrace', { address: '123 Main St', city: 'Arlington' }).code,
      'invalid_params',
    )
    prepared('propdata/skiptrace', { address: '123 Main St', city: 'Arlington', state: 'VA' })
  })

  test('return the figures of a valuation as numbers', async () => {
    const result = await run('propdata/avm', { address: HOME })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    for (const { avm, avmMin, avmMax, confidence } of [
      result.outcome.data,
      result.outcome.data['data'] as Data,
    ])
      assert.deepEqual([avm, avmMin, avmMax, confidence], [512_000, 480_000, 545_000, 87])
  })

  test('treat a rejection with status 200 as a failure without a charge', () => {
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
