import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { fc } from '../../../test/harness/property.ts'
import { createCatalog, type Entry } from '../index.ts'
import { mediaCatalog } from '../published/media-catalog.ts'
import { endpointAmount, priceBlock } from '../published/price-block.ts'
import { createValidator } from '../validate/validate.ts'
import type { Service } from '../vocabulary/action.ts'
import type { Data, Outcome } from '../vocabulary/outcome.ts'
import type { PriceTerms } from '../vocabulary/tariff.ts'
import { findTermsFault } from './apply-terms.ts'
import { readMargin, withMargin, withoutMargin } from './margin.ts'
import { billable, capOf, leastCharge, priceOf, worstCase } from './price.ts'
import { priceIdOf } from './price-id.ts'
import { atTerms, nextChangeMs, priceServices, termsFor, type PriceRule } from './price-rules.ts'

const { services, allActions } = createCatalog()
const validator = createValidator()
const entries = allActions().map((entry) => ({ entry, input: inputOf(entry) }))
const NOW = Date.UTC(2026, 10, 28)

function inputOf({ action }: Entry): Data {
  return validator.validate(action.input, action.example)
}

const margin = (margin_percent: string): PriceTerms => ({ margin_percent })
const done = (more: object = {}): Outcome => ({ kind: 'done', data: { a: 'b' }, ...more })

function priced(rules: readonly PriceRule[], list: readonly Service[] = services) {
  return createCatalog(priceServices(list, { rules, otherwise: null }, NOW))
}

/** Every price of a call, as published and as charged. */
function assertPublishedIsCharged({ service, name, action }: Entry, input: Data): void {
  const id = `${service.id}/${name}`
  const price = priceOf(action, input)
  const held = worstCase(action, input)
  const block = priceBlock(action)
  for (const outcome of [
    done(),
    done({ units: 1 }),
    done({ units: 1e9 }),
    done({ actual: 10n ** 15n }),
    done({ paid: 10n ** 15n }),
  ])
    assert.ok(
      billable(action, input, outcome) <=
        (outcome.kind === 'done' && outcome.paid !== undefined ? capOf(action, input) : held),
      `${id} is charged above its hold`,
    )
  if (action.kind === 'endpoint') {
    for (const entry of action.endpoints) {
      const own = priceOf(action, { endpoint: entry.endpoint })
      if (own.kind === 'flat') assert.equal(own.amount, endpointAmount(action, entry), id)
      if (own.kind === 'actual') assert.equal(own.cap, endpointAmount(action, entry), id)
    }
    return
  }
  if (price !== action.price && action.hasExceptions) return
  if (price.kind === 'flat') {
    assert.equal(billable(action, input, done()), price.amount, id)
    if (action.leastCharge === undefined) assert.equal(BigInt(block.price_micros), price.amount, id)
  }
  if (price.kind === 'unit' && price.advertised === undefined && price.rounding === undefined) {
    assert.equal(cents(String(block.unit_price_cents)), price.rate, id)
    const one =
      (price.base ?? 0n) + (price.rate > (price.minimum ?? 0n) ? price.rate : (price.minimum ?? 0n))
    if (price.atMost(input) >= 1) assert.equal(billable(action, input, done({ units: 1 })), one, id)
  }
  if (action.leastCharge === undefined && price.kind !== 'budget')
    assert.equal(BigInt(block.price_micros), leastCharge(action), id)
}

describe('price rules', () => {
  test('charge what they publish, for random files over all actions', () => {
    const percent = fc.oneof(
      fc.integer({ min: -89, max: 9999 }).map(String),
      fc
        .integer({ min: 0, max: 9999 })
        .map((parts) => `${parts % 90}.${String(parts).padStart(4, '0')}`),
    )
    const names = entries.map(({ entry: { service, name } }) => `${service.id}/${name}`)
    const pattern = fc.oneof(
      fc.constantFrom(...names),
      fc.constantFrom(...services.map(({ id }) => `${id}/*`)),
      fc.constant('*'),
      fc.constantFrom(...names).map((name) => `${name.slice(0, -2)}*`),
    )
    const amount = fc
      .integer({ min: 1, max: 5_000_000 })
      .map((micros) => (micros / 10_000).toFixed(4))
    const rule = fc.record({
      match: pattern,
      terms: fc.oneof(
        percent.map(margin),
        amount.map((text): PriceTerms => ({ cents: text })),
      ),
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(rule, { maxLength: 12, selector: ({ match }) => match }),
        (rules) => {
          const catalog = priced(rules)
          for (const { entry, input } of entries) {
            const now = catalog.findAction(entry.service.id, entry.name)
            assertPublishedIsCharged(now, input)
            const terms = termsFor(
              { rules, otherwise: null },
              `${entry.service.id}/${entry.name}`,
              NOW,
            )
            if (terms === null || findTermsFault(entry.action, terms) !== null)
              assert.deepEqual(priceBlock(now.action), priceBlock(entry.action))
            else if (!('cents' in terms))
              assertMargin(entry, now, input, readMargin(terms.margin_percent))
            else
              assert.equal(
                now.action.price.kind === 'unit'
                  ? now.action.price.rate
                  : worstCase(now.action, input),
                cents(terms.cents),
              )
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('put a margin on every amount of a price, each rounded up once', () => {
    for (const text of ['20', '7.5', '0.0001', '-12.34', '333.3333']) {
      const catalog = priced([{ match: '*', terms: margin(text) }])
      for (const { entry, input } of entries)
        assertMargin(
          entry,
          catalog.findAction(entry.service.id, entry.name),
          input,
          readMargin(text),
        )
    }
  })

  test('put a margin on what a vendor or a merchant charged, and keep it from them', () => {
    const by = readMargin('25')
    const catalog = priced([{ match: '*', terms: margin('25') }])
    for (const { entry, input } of entries) {
      const { action } = catalog.findAction(entry.service.id, entry.name)
      if (entry.action.price.kind !== 'actual') continue
      const before = worstCase(entry.action, input)
      const third = before / 3n
      assert.equal(billable(action, input, done({ actual: third })), withMargin(third, by))
      assert.equal(billable(action, input, done({ paid: third })), withMargin(third, by))
      assert.equal(withoutMargin(worstCase(action, input), action.margin), before)
    }
  })

  test('publish the rates of media models that the calls are charged', () => {
    const catalog = priced([{ match: 'media/*', terms: margin('33.3333') }])
    const { action, service } = catalog.findAction('media', 'generate')
    assert.ok(service.models !== undefined && action.kind === 'job')
    const published = mediaCatalog(
      { services: catalog.services, laneOf: () => ({ live: 'vendor', lanes: [] }), publicUrl: '' },
      {},
    )
    assert.match(JSON.stringify(published), /price/)
    for (const model of service.models.all) {
      const price = action.priceFor({ model: model.key, prompt: 'x' })
      assert.ok(price.kind === 'unit')
      assert.ok(
        model.rates.some(({ rate }) => rate === price.rate),
        model.key,
      )
    }
  })

  test('apply the most specific rule, and of equal patterns the latest that began', () => {
    const rules: PriceRule[] = [
      { match: '*', terms: margin('1') },
      { match: 'semantic/*', terms: margin('2') },
      { match: 'semantic/search', terms: { cents: '1.5' } },
      { match: 'semantic/search', terms: { cents: '1.8' }, fromMs: NOW + 5 },
      { match: 'semantic/search', terms: { cents: '1.6' }, fromMs: NOW - 5 },
    ]
    const at = (name: string, nowMs: number) =>
      termsFor({ rules, otherwise: margin('9') }, name, nowMs)
    assert.deepEqual(at('semantic/search', NOW - 9), { cents: '1.5' })
    assert.deepEqual(at('semantic/search', NOW), { cents: '1.6' })
    assert.deepEqual(at('semantic/search', NOW + 5), { cents: '1.8' })
    assert.deepEqual(at('semantic/contents', NOW), margin('2'))
    assert.deepEqual(at('core/onefind', NOW), margin('1'))
    assert.deepEqual(termsFor({ rules: [], otherwise: margin('9') }, 'x/y', NOW), margin('9'))
    assert.equal(termsFor({ rules: [], otherwise: margin('0') }, 'x/y', NOW), null)
    assert.equal(nextChangeMs({ rules, otherwise: null }, NOW), NOW + 5)
  })

  test('announce a price before it begins, with its id', () => {
    const rules = [{ match: 'indep/search', terms: { cents: '9' }, fromMs: NOW + 1 }]
    const before = priced(rules).findAction('indep', 'search')
    const after = createCatalog(
      priceServices(services, { rules, otherwise: null }, NOW + 1),
    ).findAction('indep', 'search')
    const [next] = before.action.upcoming ?? []
    assert.ok(next !== undefined)
    assert.equal(next.fromMs, NOW + 1)
    assert.equal(priceIdOf({ service: before.service, action: next.action }), priceIdOf(after))
    assert.notEqual(priceIdOf(before), priceIdOf(after))
    assert.equal(after.action.upcoming, undefined)
  })

  test('return an action to the terms of a started job', () => {
    const base = createCatalog().findAction('companyfind', 'tam-build').action
    const now = priced([{ match: 'companyfind/*', terms: margin('50') }]).findAction(
      'companyfind',
      'tam-build',
    ).action
    assert.deepEqual(priceBlock(atTerms(now, null)), priceBlock(base))
    assert.deepEqual(priceBlock(atTerms(base, margin('50'))), priceBlock(now))
    assert.equal(atTerms(base, null), base)
  })
})

function assertMargin(before: Entry, after: Entry, input: Data, by: bigint): void {
  const [old, price] = [priceOf(before.action, input), priceOf(after.action, input)]
  const id = `${before.service.id}/${before.name}`
  assert.equal(price.kind, old.kind, id)
  if (old.kind === 'flat' && price.kind === 'flat')
    assert.equal(price.amount, withMargin(old.amount, by), id)
  if (old.kind === 'unit' && price.kind === 'unit') {
    assert.equal(price.rate, withMargin(old.rate, by), id)
    for (const part of ['base', 'minimum'] as const)
      assert.equal(price[part], old[part] === undefined ? undefined : withMargin(old[part], by), id)
  }
  if (old.kind === 'actual' && price.kind === 'actual')
    assert.equal(price.cap, withMargin(old.cap, by), id)
  if (old.kind === 'computed' && price.kind === 'computed')
    assert.equal(price.amount(input), withMargin(old.amount(input), by), id)
  if (old.kind === 'budget')
    assert.equal(worstCase(after.action, input), worstCase(before.action, input))
}
