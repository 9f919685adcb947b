import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { Type } from 'typebox'
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

/** Whatever a connector may claim, sensible or not. */
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
  test('no outcome, however odd, is charged below zero or above the worst case', () => {
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

  test('the least price is never above the worst case', () => {
    fc.assert(
      fc.property(price, billing, (itsPrice, itsBilling) => {
        const action = { price: itsPrice, billing: itsBilling }
        assert.ok(leastPrice(action, {}) <= worstCase(action, {}))
        assert.ok(leastPrice(action, {}) >= 0n)
      }),
    )
  })

  test('a failure is free under every billing rule', () => {
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

  test('a sum that the specification rounds comes to whole cents', () => {
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

  test('more units never cost less', () => {
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

  test('delivered units are charged, a minimum holds, and cents are rounded up', () => {
    const contents = pages(cents('0.1'), 40, { rounding: 'whole_cent', minimum: cents('1') })
    assert.equal(worstCase({ price: contents }, {}), cents('4'))
    assert.equal(charge({ price: contents }, done()), cents('4'))
    assert.equal(charge({ price: contents }, done(1)), cents('1'))
    assert.equal(charge({ price: contents }, done(11)), cents('2'))
    assert.equal(charge({ price: contents }, done(0)), 0n)
  })

  test('an endpoint with a price of its own is held and charged at it, the others at the list price', () => {
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

  test('a part of a unit is charged to the micro-dollar, rounded up', () => {
    assert.equal(charge({ price: pages(1_000n, 10) }, done(3.008)), 3_008n)
    assert.equal(charge({ price: pages(1n, 10) }, done(0.1)), 1n)
  })

  test('part of a delivery costs its units, or the full price where the action says so', () => {
    const half: Outcome = { kind: 'partial', data: {}, units: 2 }
    const fullPrice: Billing = { chargeWhen: 'result', onMiss: 'free', onPartial: 'full_price' }
    assert.equal(charge({ price: pages(cents('2'), 5) }, half), cents('4'))
    assert.equal(charge({ price: pages(cents('2'), 5), billing: fullPrice }, half), cents('10'))
    assert.equal(charge({ price: flat(cents('3')), billing: chargedOnResult }, half), cents('3'))
  })

  test('a partial delivery that counts nothing is not charged per unit', () => {
    assert.equal(charge({ price: pages(cents('2'), 5) }, { kind: 'partial', data: {} }), 0n)
  })

  test('a miss is free unless the billing rule charges it, and then costs one unit', () => {
    const miss: Outcome = { kind: 'empty', data: {} }
    const onMiss: Billing = {
      chargeWhen: 'success',
      onMiss: 'charged',
      onPartial: 'delivered_units',
    }
    assert.equal(charge({ price: flat(cents('4')) }, miss), 0n)
    assert.equal(charge({ price: flat(cents('4')), billing: onMiss }, miss), cents('4'))
    assert.equal(charge({ price: pages(cents('2'), 5), billing: onMiss }, miss), cents('2'))
  })

  test('a merchant is paid what it charged, at most the cap, and the cap when it names no figure', () => {
    const action = { price: { kind: 'actual', cap: cents('25') } as const }
    assert.equal(charge(action, { kind: 'done', data: {}, actual: cents('7') }), cents('7'))
    assert.equal(charge(action, { kind: 'done', data: {}, actual: cents('70') }), cents('25'))
    assert.equal(charge(action, done()), cents('25'))
  })

  test('what is charged beside the units comes once, above their minimum, with any delivery and with no other answer', () => {
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

  test('what a merchant was paid is charged to the micro-dollar, at most the published cap, and nothing of it for a miss', () => {
    const action = {
      price: { kind: 'actual', cap: cents('25'), atMost: () => cents('8') } as const,
    }
    const bought = (kind: 'done' | 'empty', paid: Micros): Outcome => ({ kind, data: {}, paid })
    assert.equal(charge(action, bought('done', cents('12.3456'))), cents('12.3456'))
    assert.equal(charge(action, bought('done', cents('25.0001'))), cents('25'))
    assert.equal(charge(action, bought('empty', cents('5'))), 0n)
  })

  test('where a part is charged in full all of it must fit, and of a count never more than was asked for', () => {
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

  test('of what is billed by use, all that the input allows must fit, where that is known', () => {
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

  test('a price that cannot say how many units an input uses is a broken promise of ours', () => {
    for (const most of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      assert.throws(() => worstCase({ price: pages(cents('1'), most) }, {}), {
        name: 'BrokenInvariant',
      })
    }
  })
})
