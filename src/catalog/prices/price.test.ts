import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { Type } from '../../lib/schema.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { endpoint } from '../vocabulary/define.ts'
import type { Data, Outcome } from '../vocabulary/outcome.ts'
import {
  chargedOnResult,
  chargedPerUnit,
  flat,
  type Billing,
  type Price,
} from '../vocabulary/tariff.ts'
import { billable, leastPrice, worstCase } from './price.ts'

const micros = fc.bigInt({ min: 0n, max: 2_000_000n })
const unitCount = fc.oneof(fc.nat({ max: 1_000 }), fc.double({ min: 0, max: 1_000, noNaN: true }))

const price: fc.Arbitrary<Price<Data>> = fc.oneof(
  fc.constant<Price<Data>>({ kind: 'free' }),
  micros.map((amount): Price<Data> => flat(amount)),
  fc.constantFrom('computed' as const, 'budget' as const).chain((kind) =>
    micros.map((amount): Price<Data> => ({
      kind,
      amount: () => amount,
      least: 0n,
      most: amount,
    })),
  ),
  fc
    .record({
      cap: micros,
      atMost: fc.option(fc.bigInt({ min: -10_000n, max: 3_000_000n }), { nil: undefined }),
    })
    .map(({ cap, atMost }): Price<Data> => ({
      kind: 'actual',
      cap,
      ...(atMost === undefined ? {} : { atMost: () => atMost }),
    })),
  fc
    .record({
      rate: micros,
      most: unitCount,
      by: fc.constantFrom('list' as const, 'vendor' as const),
      rounded: fc.boolean(),
      minimum: fc.option(micros, { nil: undefined }),
      base: fc.option(micros, { nil: undefined }),
    })
    .map(({ rate, most, by, rounded, minimum, base }): Price<Data> => ({
      kind: 'unit',
      rate,
      unit: 'page',
      atMost: () => most,
      counted: { by },
      ...(rounded ? { rounding: 'whole_cent' as const } : {}),
      ...(minimum === undefined ? {} : { minimum }),
      ...(base === undefined ? {} : { base }),
    })),
)

const billing: fc.Arbitrary<Billing> = fc.record({
  chargeWhen: fc.constantFrom('result' as const, 'success' as const),
  onMiss: fc.constantFrom('free' as const, 'charged' as const),
  onPartial: fc.constantFrom('delivered_units' as const, 'full_price' as const),
})

/** Any claim of a vendor, sensible or not. */
const claimedUnits = fc.option(fc.oneof(fc.integer(), fc.double()), { nil: undefined })
const claimedActual = fc.option(fc.bigInt({ min: -10_000n, max: 10_000_000n }), { nil: undefined })

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc
    .record({
      kind: fc.constantFrom('done' as const, 'partial' as const),
      units: claimedUnits,
      actual: claimedActual,
    })
    .map(({ kind, units, actual }): Outcome => ({
      kind,
      data: {},
      ...(units === undefined ? {} : { units }),
      ...(actual === undefined ? {} : { actual }),
    })),
  fc.constant<Outcome>({ kind: 'empty', data: {} }),
  fc.constant<Outcome>({ kind: 'failed', code: 'upstream_error', message: '' }),
)

function pages(rate: Micros, most: number, more: object = {}): Price<Data> {
  return {
    kind: 'unit',
    rate,
    unit: 'page',
    atMost: () => most,
    counted: { by: 'vendor' },
    ...more,
  }
}

function charge(action: { price: Price<Data>; billing?: Billing }, result: Outcome): Micros {
  return billable({ billing: chargedPerUnit, ...action }, {}, result)
}

function done(units?: number): Outcome {
  return units === undefined ? { kind: 'done', data: {} } : { kind: 'done', data: {}, units }
}

describe('price', () => {
  test('charges no outcome below zero or above the worst case', () => {
    fc.assert(
      fc.property(price, billing, outcome, (itsPrice, itsBilling, result) => {
        const action = { price: itsPrice, billing: itsBilling }
        const charged = billable(action, {}, result)
        assert.ok(charged >= 0n)
        assert.ok(charged <= worstCase(action, {}))
      }),
      { numRuns: 3_000 },
    )
  })

  test('keeps the least price at or below the worst case', () => {
    fc.assert(
      fc.property(price, billing, (itsPrice, itsBilling) => {
        const action = { price: itsPrice, billing: itsBilling }
        assert.ok(leastPrice(action, {}) <= worstCase(action, {}))
        assert.ok(leastPrice(action, {}) >= 0n)
      }),
    )
  })

  test('charges nothing for a failure under any billing rule', () => {
    fc.assert(
      fc.property(price, billing, (itsPrice, itsBilling) => {
        assert.equal(
          billable(
            { price: itsPrice, billing: itsBilling },
            {},
            { kind: 'failed', code: 'upstream_error', message: '' },
          ),
          0n,
        )
      }),
    )
  })

  test('rounds a sum to whole cents where the specification requires it', () => {
    fc.assert(
      fc.property(micros, fc.nat({ max: 500 }), fc.nat({ max: 500 }), (rate, most, units) => {
        assert.equal(
          charge({ price: pages(rate, most, { rounding: 'whole_cent' }) }, done(units)) %
            cents('1'),
          0n,
        )
      }),
    )
  })

  test('never costs less for more units', () => {
    fc.assert(
      fc.property(
        micros,
        fc.nat({ max: 300 }),
        fc.nat({ max: 300 }),
        micros,
        (rate, fewer, more, minimum) => {
          const tariff = pages(rate, 600, { rounding: 'whole_cent', minimum })
          assert.ok(
            charge({ price: tariff }, done(fewer)) <= charge({ price: tariff }, done(fewer + more)),
          )
        },
      ),
    )
  })

  test('charges delivered units, applies a minimum and rounds cents up', () => {
    const contents = pages(cents('0.1'), 40, { rounding: 'whole_cent', minimum: cents('1') })
    assert.equal(worstCase({ price: contents }, {}), cents('4'))
    assert.equal(charge({ price: contents }, done()), cents('4'))
    assert.equal(charge({ price: contents }, done(1)), cents('1'))
    assert.equal(charge({ price: contents }, done(11)), cents('2'))
    assert.equal(charge({ price: contents }, done(0)), 0n)
  })

  test("holds and charges an endpoint's own price, and the list price of the others", () => {
    const params = [{ name: 'q', required: true, type: 'string' }] as const
    const { price, priceFor } = endpoint({
      summary: 'Videos and posts.',
      endpoints: [
        { endpoint: '/posts', method: 'GET', summary: 'Posts.', params },
        { endpoint: '/videos', method: 'GET', summary: 'Videos.', params, price: cents('38') },
      ],
      example: { endpoint: '/posts', q: 'x' },
      price: flat(cents('1')),
      timeoutMs: 1_000,
      reply: Type.Unknown(),
      outcome: () => done(),
    })
    const action = { price, priceFor, billing: chargedOnResult }
    for (const [path, amount] of [
      ['/posts', '1'],
      ['/videos', '38'],
    ] as const) {
      assert.equal(worstCase(action, { endpoint: path }), cents(amount))
      assert.equal(leastPrice(action, { endpoint: path }), cents(amount))
      assert.equal(billable(action, { endpoint: path }, done()), cents(amount))
    }
  })

  test('charges a fraction of a unit to the micro-dollar, rounded up', () => {
    assert.equal(charge({ price: pages(1_000n, 10) }, done(3.008)), 3_008n)
    assert.equal(charge({ price: pages(1n, 10) }, done(0.1)), 1n)
  })

  test('charges the units of a partial delivery, or its full price if the action requires it', () => {
    const half: Outcome = { kind: 'partial', data: {}, units: 2 }
    const fullPrice: Billing = { chargeWhen: 'result', onMiss: 'free', onPartial: 'full_price' }
    assert.equal(charge({ price: pages(cents('2'), 5) }, half), cents('4'))
    assert.equal(charge({ price: pages(cents('2'), 5), billing: fullPrice }, half), cents('10'))
    assert.equal(charge({ price: flat(cents('3')), billing: chargedOnResult }, half), cents('3'))
  })

  test('charges nothing for a partial delivery without a count', () => {
    assert.equal(charge({ price: pages(cents('2'), 5) }, { kind: 'partial', data: {} }), 0n)
  })

  test('charges one unit for a miss only if the billing rule requires it', () => {
    const miss: Outcome = { kind: 'empty', data: {} }
    const onMiss: Billing = {
      chargeWhen: 'success',
      onMiss: 'charged',
      onPartial: 'delivered_units',
    }
    assert.equal(charge({ price: flat(cents('4')) }, miss), 0n)
    assert.equal(charge({ price: flat(cents('4')), billing: onMiss }, miss), cents('4'))
    assert.equal(charge({ price: pages(cents('2'), 5), billing: onMiss }, miss), cents('2'))
    const undone: Outcome = { ...miss, isFree: true }
    assert.equal(charge({ price: flat(cents('4')), billing: onMiss }, undone), 0n)
  })

  test('pays a merchant its charge up to the cap, and the cap if it reports no amount', () => {
    const action = { price: { kind: 'actual', cap: cents('25') } as const }
    assert.equal(charge(action, { kind: 'done', data: {}, actual: cents('7') }), cents('7'))
    assert.equal(charge(action, { kind: 'done', data: {}, actual: cents('70') }), cents('25'))
    assert.equal(charge(action, done()), cents('25'))
  })

  test("adds the base price once, above the units' minimum, for any delivery only", () => {
    const action = { price: pages(cents('1'), 5, { base: cents('3'), minimum: cents('2') }) }
    assert.deepEqual(
      [1, 4, 9].map((units) => charge(action, done(units))),
      [cents('5'), cents('7'), cents('8')],
    )
    assert.deepEqual(
      [0, -1, Number.NaN].map((units) => charge(action, done(units))),
      [0n, 0n, 0n],
    )
  })

  test("charges a merchant's payment to the micro-dollar, up to the cap, and nothing for a miss", () => {
    const action = {
      price: { kind: 'actual', cap: cents('25'), atMost: () => cents('8') } as const,
    }
    const bought = (kind: 'done' | 'empty', paid: Micros): Outcome => ({ kind, data: {}, paid })
    assert.equal(charge(action, bought('done', cents('12.3456'))), cents('12.3456'))
    assert.equal(charge(action, bought('done', cents('25.0001'))), cents('25'))
    assert.equal(charge(action, bought('empty', cents('5'))), 0n)
  })

  test('requires the full price for parts charged in full, and never more than the requested count', () => {
    const paged = { price: pages(cents('2'), 5) }
    assert.equal(leastPrice({ ...paged, billing: chargedOnResult }, {}), cents('10'))
    assert.equal(leastPrice({ ...paged, billing: chargedPerUnit }, {}), cents('2'))
    const counted = {
      price: {
        kind: 'unit',
        rate: cents('2'),
        unit: 'page',
        atMost: (input: Data) => Number(input['n']),
        counted: { by: 'number', field: 'n', least: () => 5 },
      } as const,
      billing: chargedPerUnit,
    }
    assert.deepEqual(
      [3, 8].map((n) => leastPrice(counted, { n })),
      [cents('6'), cents('10')],
    )
  })

  test('requires the known maximum of an action billed by use', () => {
    const bounded = {
      price: { kind: 'actual', cap: cents('25'), atMost: () => cents('8') } as const,
      billing: chargedOnResult,
    }
    assert.equal(leastPrice(bounded, {}), cents('8'))
    assert.equal(
      leastPrice({ price: { kind: 'actual', cap: cents('25') }, billing: chargedOnResult }, {}),
      0n,
    )
  })

  test('treats a price without a number of units as an internal fault', () => {
    for (const most of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      assert.throws(() => worstCase({ price: pages(cents('1'), most) }, {}), {
        name: 'BrokenInvariant',
      })
    }
  })
})
