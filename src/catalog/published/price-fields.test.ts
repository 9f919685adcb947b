/**
 * Each price field means the same wherever it is published, and the least price equals the charge
 * of the least useful call.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents, type Micros } from '../../lib/money.ts'
import { isLaunched, meterOf, type Action } from '../vocabulary/define.ts'
import { createCatalog } from '../index.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { leastEndpointCharge, leastPrice, priceOf, worstCase } from '../prices/price.ts'
import { priceOfModel } from '../prices/media-price.ts'
import { modelOf } from '../../vendors/media/models.ts'
import { withSimulators } from '../testing/run-call.ts'
import { createValidator } from '../validate/validate.ts'
import { catalogIndex, type Published } from './catalog-index.ts'
import { descriptor, endpointDescriptor } from './descriptor.ts'
import { mediaCatalog } from './media-catalog.ts'
import { openapi } from './openapi.ts'
import { priceBlock, type PriceBlock } from './price-block.ts'

const catalog = createCatalog()
const { validate } = createValidator()
const published: Published = {
  services: catalog.services,
  laneOf: () => ({ live: 'vendor', lanes: ['vendor'] }),
  publicUrl: 'https://gate.example',
}
const lines = new Map<
  string,
  ReturnType<typeof catalogIndex>['services'][number]['actions'][number]
>(
  catalogIndex(published).services.flatMap(({ service, actions }) =>
    actions.map((line) => [`${service}/${line.action}`, line] as const),
  ),
)
const { paths } = openapi(published, { paths: {}, schemas: {}, tags: [], securitySchemes: {} })
const { chargeOf } = withSimulators()

/** The price fields that all forms share. */
function figures({
  kind,
  price_cents,
  price_cents_text,
  price_micros,
  unit,
  unit_price_cents,
  minimum_cents,
  base_cents,
  least_budget_cents,
  max_price_cents,
  text,
}: PriceBlock) {
  return {
    kind,
    price_cents,
    price_cents_text,
    price_micros,
    unit,
    unit_price_cents,
    minimum_cents,
    base_cents,
    least_budget_cents,
    max_price_cents,
    text,
  }
}

describe('the price of an action', () => {
  for (const { service, name, action } of catalog.allActions()) {
    const id = `${service.id}/${name}` as const
    test(`${id} is the same in index, descriptor and OpenAPI`, () => {
      const line = lines.get(id)
      const described = figures(descriptor(published, service, name).price)
      assert.ok(line !== undefined)
      assert.equal(line.price_cents, described.price_cents, 'the index agrees with the price block')
      assert.deepEqual(figures(line.price), described)
      const operation = (paths as Record<string, { post?: { 'x-price'?: PriceBlock } }>)[
        `/api/run/${id}`
      ]?.post
      assert.deepEqual(
        figures(operation?.['x-price'] ?? assert.fail('OpenAPI has a price')),
        described,
      )
      assert.equal(described.price_micros, Math.round(described.price_cents * 10_000))
      assert.equal(
        described.unit_price_cents !== undefined,
        action.price.kind === 'unit',
        'a unit has a rate, and nothing else has',
      )
      if (described.max_price_cents !== undefined)
        assert.ok(
          described.price_cents <= described.max_price_cents,
          'the least price is at most the highest',
        )
    })
  }

  test('is the same for a path in the list of paths and in its own descriptor', () => {
    for (const { service, name, action } of catalog.allActions()) {
      if (action.kind !== 'endpoint') continue
      const { endpoints = [] } = descriptor(published, service, name)
      for (const { endpoint, price_cents, max_price_cents } of endpoints.filter(
        (_, index) => index % 25 === 0,
      )) {
        const alone = endpointDescriptor(published, service, name, endpoint)?.price
        assert.deepEqual(
          [alone?.price_cents, alone?.max_price_cents],
          [price_cents, max_price_cents],
          endpoint,
        )
      }
    }
  })

  test('has a least, a most and a rate per unit for a media model', () => {
    for (const { model, price_cents, max_price_cents, call_cents, prices } of mediaCatalog(
      published,
    ).models) {
      assert.ok(
        price_cents >= call_cents.least &&
          price_cents <= max_price_cents &&
          max_price_cents === call_cents.most,
        model,
      )
      assert.ok(
        prices.every(({ unit_price_cents }) => unit_price_cents > 0),
        model,
      )
    }
  })
})

describe('the listed price', () => {
  const blockOf = (id: string): PriceBlock => {
    const [service = '', name = ''] = id.split('/')
    return priceBlock(catalog.findAction(service, name).action)
  }

  test('is about 3¢ at least for a sandbox, and at most that of its most expensive GPU', () => {
    const { kind, price_cents, max_price_cents, text } = blockOf('sandbox/sandbox-create')
    assert.deepEqual(
      [kind, price_cents, max_price_cents, text],
      ['computed', 3, 250, '3¢ to $2.50 per call, depending on the input'],
    )
  })

  test('starts at the cheapest complete image for media, and at one page for embeddings', () => {
    assert.equal(blockOf('media/generate').price_cents, 0.63)
    assert.deepEqual(
      [
        blockOf('llmnative-b/embeddings').price_cents,
        blockOf('llmnative-b/embeddings').max_price_cents,
      ],
      [0.01, 100],
    )
  })

  test('shows rate, minimum and base next to the least price for a price per unit', () => {
    const figure = (id: string) => [
      blockOf(id).price_cents,
      blockOf(id).unit_price_cents,
      blockOf(id).minimum_cents,
      blockOf(id).base_cents,
    ]
    assert.deepEqual(figure('semantic/contents'), [1, 0.1, 1, undefined])
    assert.deepEqual(figure('platform/x-followers'), [1, 0.015, 1, undefined])
    assert.deepEqual(figure('propdata/property-comps'), [20, 15, undefined, 5])
    assert.deepEqual(
      figure('propdata/property-search'),
      [2, 15, undefined, 5],
      'a survey brings no record',
    )
    assert.deepEqual(figure('browser/create_session'), [0.2, 0.2, undefined, undefined])
  })
})

/** The least useful call of an action, if it is not the example with a count of one. */
const LEAST_CALLS: Readonly<Record<string, Data>> = {
  'propdata/property-search': { state: 'TX', count: true },
  'llmnative-b/embeddings': {
    model: 'text-embedding-3-small',
    input: 'ledger '.repeat(5_000).trim(),
  },
  'llmnative-b/image-generate': {
    prompt: 'A boat.',
    model: 'gpt-image-2',
    size: '1024x1536',
    quality: 'low',
  },
  'media/generate': { model: 'flux-schnell', prompt: 'A paper boat.', aspect_ratio: '1:1' },
}

/** Actions whose vendor or lane decides the charge: an answer may cost more than the least. */
const BY_WHAT_CAME = new Set([
  'altdata/company-enrich',
  'altdata/news',
  'altdata/employee-reviews',
  'altdata/product-reviews',
  'compliance/check',
  'llmnative-b/image-generate',
])

/** The example with a count of one. */
function leastInput(id: string, action: Action): Data {
  const known = LEAST_CALLS[id]
  if (known !== undefined) return validate(action.input, known)
  const input = validate(action.input, action.example)
  const price = priceOf(action, input)
  if (price.kind !== 'unit') return input
  if (price.counted.by === 'number')
    return {
      ...input,
      [price.counted.field]: price.counted.least?.({ ...input, [price.counted.field]: 1 }) ?? 1,
    }
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length > 1 ? value.slice(0, 1) : value,
    ]),
  )
}

describe('the least price', () => {
  const called = catalog
    .allActions()
    .filter(
      ({ service, action }) =>
        service.vendor !== undefined &&
        action.kind !== 'local' &&
        !isLaunched(action, LEAST_CALLS[`${service.id}/${action.kind}`] ?? action.example),
    )
  for (const { service, name, action } of called) {
    const id = `${service.id}/${name}`
    test(`of ${id} is the charge of its least useful call`, async () => {
      const input = leastInput(id, action)
      const charged = await chargeOf(id, input)
      const entry = action.kind === 'endpoint' ? action.entryFor(input) : undefined
      const least: Micros =
        entry === undefined
          ? cents(priceBlock(action).price_cents_text)
          : leastEndpointCharge(action, entry)
      assert.ok(charged >= least, `${charged} is not below ${least}`)
      if (!BY_WHAT_CAME.has(id)) assert.equal(charged, least)
    })
  }

  test('is never above the least hold of an action that opens, launches or makes steps', () => {
    const others = catalog.allActions().filter((entry) => !called.includes(entry))
    for (const { service, name, action } of others) {
      const input = leastInput(`${service.id}/${name}`, action)
      const least = cents(priceBlock(action).price_cents_text)
      if (meterOf(action) !== undefined)
        assert.equal(least, leastPrice(action, input), `${service.id}/${name}`)
      else assert.ok(least <= worstCase(action, input), `${service.id}/${name}`)
    }
  })

  test('of media is that of the cheapest image of one megapixel', () => {
    const input = validate(
      catalog.findAction('media', 'generate').action.input,
      LEAST_CALLS['media/generate'] ?? {},
    )
    assert.equal(worstCase({ price: priceOfModel(modelOf(input), input) }, input), cents('0.63'))
  })
})
