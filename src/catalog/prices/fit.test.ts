import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import type { Micros } from '../../lib/money.ts'
import type { Action } from '../vocabulary/define.ts'
import { lowerCount } from './fit.ts'
import { createCatalog } from '../index.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { leastPrice, worstCase, type CountedByNumber } from './price.ts'
import type { Counted } from '../vocabulary/tariff.ts'
import { createValidator } from '../validate/validate.ts'

const validator = createValidator()

type Unit = { readonly id: string; readonly action: Action; readonly counted: Counted<Data> }
type Numbered = Unit & {
  readonly counted: CountedByNumber
  readonly field: { readonly minimum: number; readonly maximum: number }
}

const units: readonly Unit[] = createCatalog()
  .allActions()
  .flatMap(({ service, name, action }) =>
    action.price.kind === 'unit'
      ? [{ id: `${service.id}/${name}`, action, counted: action.price.counted }]
      : [],
  )

function fieldOf(action: Action, name: string): Readonly<Record<string, unknown>> | undefined {
  return (action.input as { properties?: Record<string, Readonly<Record<string, unknown>>> })
    .properties?.[name]
}

const numbered: readonly Numbered[] = units.flatMap(({ id, action, counted }) => {
  if (counted.by !== 'number') return []
  const field = fieldOf(action, counted.field)
  assert.equal(field?.['type'], 'integer', `${id} has no whole number "${counted.field}"`)
  return [
    {
      id,
      action,
      counted,
      field: { minimum: Number(field?.['minimum']), maximum: Number(field?.['maximum']) },
    },
  ]
})

function idsBy(by: Counted<Data>['by']): string[] {
  return units.filter(({ counted }) => counted.by === by).map(({ id }) => id)
}

/** The request that the vendor receives; for a job, its launch. */
function sentFor(action: Action, input: Data): string {
  assert.ok(action.kind === 'call' || action.kind === 'job')
  return JSON.stringify(
    action.kind === 'job' ? action.launch.request(input) : action.request(input),
  )
}

function unitOf(id: string): Unit {
  const unit = units.find((one) => one.id === id)
  assert.ok(unit !== undefined, id)
  return unit
}

function leastOf(id: string, sent: Data): Micros {
  const { action } = unitOf(id)
  return leastPrice(action, validator.validate(action.input, sent))
}

/** The requested count under a ceiling. */
function countWithin(ceiling: Micros, id: string, sent: Data): unknown {
  const { action, counted } = unitOf(id)
  assert.ok(counted.by === 'number')
  const input = validator.validate(action.input, sent)
  return { ...input, ...lowerCount(action, input, ceiling) }[counted.field]
}

/** The example with longer lists, on another page or with another count. */
function inputs({ action, counted, field }: Numbered): fc.Arbitrary<Data> {
  const example = validator.validate(action.input, action.example)
  return fc
    .record({
      entries: fc.integer({ min: 1, max: 4 }),
      page: fc.integer({ min: 0, max: 3 }),
      count: fc.integer({ min: field.minimum, max: field.maximum }),
    })
    .map(({ entries, page, count }) => ({
      ...Object.fromEntries(
        Object.entries(example).map(([name, value]) => [name, longer(value, entries)]),
      ),
      ...('page' in example ? { page } : {}),
      [counted.field]: count,
    }))
}

function longer(value: unknown, entries: number): unknown {
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : []
  return typeof first === 'string'
    ? Array.from({ length: entries }, (_, place) => (place === 0 ? first : `${first}${place}`))
    : value
}

function isValid(action: Action, input: Data): boolean {
  try {
    action.check(validator.validate(action.input, input))
    return true
  } catch {
    return false
  }
}

/** A ceiling from the least price to the worst case, both inclusive. */
function between(least: Micros, most: Micros, part: number): Micros {
  return least + ((most - least) * BigInt(part)) / 1_000n
}

describe('every price per unit', () => {
  test('has a number that a ceiling reduces, except for these', () => {
    assert.deepEqual(idsBy('list'), [
      'core/onescrape',
      'semantic/contents',
      'agentic/extract',
      'platform/linkedin-profile',
      'platform/instagram-profiles',
      'platform/tiktok-videos',
      'propdata/address-verify',
    ])
    assert.deepEqual(idsBy('vendor'), [
      'altdata/company-enrich',
      'altdata/employee-reviews',
      'altdata/product-reviews',
      'boxa/create_session',
      'boxb/create_session',
      'boxc/create_session',
      'boxd/create_session',
      'boxe/create_session',
    ])
    assert.equal(numbered.length, units.length - 15)
  })

  for (const unit of numbered) {
    const { id, action, counted } = unit
    test(`${id} requests the most that a ceiling covers`, () => {
      fc.assert(
        fc.property(inputs(unit), fc.integer({ min: 0, max: 1_000 }), (input, part) => {
          fc.pre(isValid(action, input))
          const ceiling = between(leastPrice(action, input), worstCase(action, input), part)
          const fitted = { ...input, ...lowerCount(action, input, ceiling) }
          const count = Number(fitted[counted.field])
          assert.ok(worstCase(action, fitted) <= ceiling)
          assert.ok(isValid(action, fitted))
          assert.ok(
            count === input[counted.field] ||
              worstCase(action, { ...fitted, [counted.field]: count + 1 }) > ceiling,
          )
          assert.deepEqual({ ...fitted, [counted.field]: input[counted.field] }, input)
        }),
        { numRuns: 60 },
      )
    })

    // This vendor gets no count. The gateway stops it after enough results.
    if (id === 'companyfind/tam-build') continue
    test(`${id} sends the reduced count to the vendor`, () => {
      const input = {
        ...validator.validate(action.input, action.example),
        [counted.field]: unit.field.maximum,
      }
      const fitted = { ...input, ...lowerCount(action, input, leastPrice(action, input)) }
      assert.notEqual(sentFor(action, fitted), sentFor(action, input))
    })
  }

  test('of a list must fit in full, and the list is never shortened', () => {
    for (const { action } of units.filter(({ counted }) => counted.by === 'list')) {
      const input = validator.validate(action.input, action.example)
      assert.equal(leastPrice(action, input), worstCase(action, input))
      assert.equal(lowerCount(action, input, 0n), null)
    }
  })

  test('decided by the vendor runs within the ceiling, from the least price of any delivery', () => {
    assert.equal(leastOf('altdata/employee-reviews', { company: 'example.com' }), 110_000n)
    assert.equal(
      leastOf('altdata/company-enrich', {
        company: 'example.com',
        sections: ['firmographic', 'technology', 'location'],
      }),
      120_000n,
    )
  })
})

describe('a count', () => {
  test('stays unchanged if all of it fits', () => {
    assert.equal(countWithin(70_000n, 'companyfind/lookalikes', { query: 'x', limit: 7 }), 7)
  })

  test('under a base price leaves credit for the base, and one per ten fills its tens', () => {
    assert.equal(countWithin(500_000n, 'propdata/property-search', { state: 'VA', size: 25 }), 3)
    assert.equal(countWithin(60_000n, 'altdata/news', { query: 'x', limit: 100 }), 20)
  })

  test('of a later page is not reduced, since a smaller page would contain other rows', () => {
    for (const [id, first] of [
      ['contactfind/people-search', 1],
      ['fundingdb/investor-deals', 0],
    ] as const) {
      const sent = {
        ...(id === 'contactfind/people-search' ? { name: 'Ana' } : { domain: 'fund.example' }),
        page_size: 10,
      }
      const one = leastOf(id, { ...sent, page: first })
      assert.equal(leastOf(id, { ...sent, page: first + 1 }), 10n * one)
    }
  })

  test('is not reduced below the minimum number of entries in a run', () => {
    assert.equal(
      leastOf('platform/x-followers', { user_names: ['a', 'b', 'c'], maxItems: 1_000 }),
      90_000n,
    )
    assert.equal(
      countWithin(90_000n, 'platform/x-followers', {
        user_names: ['a', 'b', 'c'],
        maxItems: 1_000,
      }),
      600,
    )
  })
})
