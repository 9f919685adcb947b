import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { params } from '../vocabulary/define.ts'
import { createCatalog } from '../index.ts'
import { tempoMerchant } from '../vocabulary/merchant.ts'
import { worstCase } from '../prices/price.ts'
import { billingBlock, billingSentences } from './billing-block.ts'
import { catalogIndex } from './catalog-index.ts'
import { curlExample } from './curl-example.ts'
import { descriptor, endpointDescriptor } from './descriptor.ts'
import { fixturePublished, fixtureServices } from './testing/small-catalog.ts'
import { llmsFullTxt } from './llms-txt.ts'
import { listFields, listParams } from './param-lines.ts'
import { centsNumber, listedMost, priceBlock, priceText } from './price-block.ts'
import { answer, maybe, record, records, text } from '../vocabulary/returns.ts'
import type { JsonSchema } from './json-schema.ts'

const [library, ledgers, core] = fixtureServices
assert.ok(library && ledgers && core)
const { search, pages, digitise } = library.actions
const { fetch } = ledgers.actions
const { discover } = core.actions
assert.ok(search && pages && digitise && fetch && discover)

test('publishes least price, unit rate and minimum as three amounts', () => {
  const {
    price_cents,
    price_cents_text,
    price_micros,
    unit,
    unit_price_cents,
    minimum_cents,
    max_price_cents,
  } = priceBlock(pages)
  assert.deepEqual(
    {
      price_cents,
      price_cents_text,
      price_micros,
      unit,
      unit_price_cents,
      minimum_cents,
      max_price_cents,
    },
    {
      price_cents: 1,
      price_cents_text: '1',
      price_micros: 10_000,
      unit: 'page',
      unit_price_cents: 0.1,
      minimum_cents: 1,
      max_price_cents: undefined,
    },
  )
})

test('has a sentence for each kind of price', () => {
  assert.deepEqual([search, pages, digitise, fetch, discover].map(priceText), [
    '1¢ per call',
    '0.1¢ per page, at least 1¢, rounded up to whole cents',
    'what the vendor charges, at most $2.50',
    '1¢ to 38¢ per call, by endpoint',
    'free',
  ])
})

test('publishes when a call is charged and the price of a poll', () => {
  assert.deepEqual(billingBlock(search), {
    charge_when: 'result',
    on_miss: 'free',
    on_failure: 'free',
    on_partial: 'full_price',
    unit: 'call',
    rounding: 'none',
    poll_price: 0,
  })
  assert.deepEqual(billingBlock(pages), {
    charge_when: 'result',
    on_miss: 'free',
    on_failure: 'free',
    on_partial: 'delivered_units',
    unit: 'page',
    rounding: 'whole_cent',
    poll_price: 0,
  })
  assert.equal(billingBlock(digitise).poll_price, 1)
  assert.equal(billingBlock(discover).charge_when, 'never')
})

test('states in words that a miss is charged', () => {
  const charged = {
    ...search,
    billing: { ...search.billing, chargeWhen: 'success', onMiss: 'charged' },
  } as const
  assert.match(billingSentences(charged).join(' '), /even without a result/)
  assert.doesNotMatch(billingSentences(search).join(' '), /even without a result/)
})

test("publishes when a vendor's job is given up and that its hold lasts until it ends", () => {
  assert.equal(descriptor(fixturePublished, library, 'digitise').timeout_ms, 600_000)
  assert.match(
    billingSentences(digitise).join(' '),
    /releases the uncharged part when the job ends\./,
  )
  assert.match(billingSentences(search).join(' '), /releases the uncharged part with the answer\./)
})

test('contains schema, required parameters, example, price, lanes, timeout and trust', () => {
  const described = descriptor(fixturePublished, library, 'pages')
  assert.equal(described.endpoint, 'https://gate.example/api/run/library/pages')
  assert.deepEqual(described.params, JSON.parse(JSON.stringify(pages.input)))
  assert.deepEqual(described.required_one_of, [['ids'], ['urls']])
  assert.equal(described.price.example_cents, 1)
  assert.deepEqual(
    [described.live, described.lanes, described.timeout_ms, described.content_trust],
    [null, ['vendor'], 10_000, 'untrusted'],
  )
  assert.deepEqual(
    [descriptor(fixturePublished, library, 'search').content_trust, described.payment],
    [null, null],
  )
  assert.ok(search.kind === 'call')
  const sold = {
    ...search,
    merchant: { ...search, at: tempoMerchant('https://shop.example'), sells: () => true },
  }
  const { payment } = descriptor(
    { ...fixturePublished, services: [] },
    { ...library, actions: { search: sold } },
    'search',
  )
  assert.deepEqual(
    [payment?.merchant, payment?.method, payment?.cap_cents],
    ['shop.example', 'tempo.charge', centsNumber(listedMost(search))],
  )
})

test('does not publish a field with a default as required', () => {
  const input = params({ query: Type.String(), format: Type.String({ default: 'markdown' }) })
  const described = descriptor(
    { ...fixturePublished, services: [] },
    { ...library, actions: { search: { ...search, input } } },
    'search',
  )
  assert.deepEqual(described.required_params, ['query'])
  assert.deepEqual(described.params.required, ['query'])
})

test('describes one endpoint of a passthrough with its own price and schema', () => {
  const described = endpointDescriptor(fixturePublished, ledgers, 'fetch', '/ships/crew')
  assert.equal(described?.price.price_cents, 38)
  assert.deepEqual(described?.required_params, ['endpoint', 'ship'])
  assert.deepEqual(Object.keys(described?.params.properties ?? {}), ['endpoint', 'ship', 'year'])
  assert.deepEqual(described?.example, { endpoint: '/ships/crew', ship: '<ship>' })
  assert.match(described?.curl ?? '', /\/ships\/crew/)
  assert.equal(endpointDescriptor(fixturePublished, ledgers, 'fetch', '/nothing'), undefined)
  assert.equal(endpointDescriptor(fixturePublished, library, 'search', '/ships/crew'), undefined)
})

test('lists every action once with price and lane', () => {
  const index = catalogIndex(fixturePublished)
  assert.equal(index.action_count, 5)
  const line = index.services[0]?.actions[0]
  assert.deepEqual([line?.action, line?.price_cents, line?.live], ['search', 1, 'vendor'])
})

test('publishes no vendor URL', () => {
  const vendor = {
    baseUrl: 'https://api.vendor.example',
    auth: { in: 'header', name: 'x-key', credential: 'KEY' },
    docsUrl: 'https://docs.vendor.example',
  } as const
  const published = { ...fixturePublished, services: [{ ...library, vendor }] }
  const everything = JSON.stringify([
    catalogIndex(published),
    descriptor(published, { ...library, vendor }, 'search'),
    llmsFullTxt(published),
  ])
  assert.doesNotMatch(everything, /vendor\.example|x-key/)
})

test('keeps a quote in an example from ending the curl command', () => {
  assert.ok(
    curlExample('https://gate.example/x', { query: "O'Brien" }).endsWith(
      String.raw`-d '{"query":"O'\''Brien"}'`,
    ),
  )
})

test('shows type, limits and default of each parameter', () => {
  assert.deepEqual(listParams(search), [
    {
      name: 'query',
      type: 'string',
      required: 'yes',
      description: 'Words of the title or the name of the author.',
      limits: '',
    },
    {
      name: 'limit',
      type: 'integer',
      required: 'no',
      description: 'Most books to return.',
      limits: '1 to 25. Default 10.',
    },
  ])
  assert.deepEqual(
    listParams(pages).map(({ type, required, limits }) => [type, required, limits]),
    [
      ['list of strings', 'one of', '1 to 20 items.'],
      ['list of strings', 'one of', '1 to 20 items.'],
    ],
  )
})

for (const { service, name, action } of createCatalog().allActions()) {
  test(`${service.id}/${name}: holds the published price`, () => {
    const own = { ...fixturePublished, services: [service] }
    // The most that a path costs is published with the path.
    const { price } =
      action.kind === 'endpoint'
        ? (endpointDescriptor(own, service, name, String(action.example['endpoint'])) ??
          assert.fail('its path is listed'))
        : descriptor(own, service, name)
    const held = worstCase(action, action.example)
    const described = cents(
      String('example_cents' in price ? price.example_cents : price.max_price_cents),
    )
    assert.equal(described, held)
  })
}

test('names sizes in MiB and GiB, except the memory of vendor machines', () => {
  const { services, allActions } = createCatalog()
  const published = { ...fixturePublished, services }
  for (const { service, name } of allActions())
    assert.doesNotMatch(
      JSON.stringify(descriptor(published, service, name)),
      /\d (?:MB|GB|KB)\b(?! of memory)/,
      `${service.id}/${name}`,
    )
})

test('publishes the shape of an answer in the descriptor, or null', () => {
  const { returns } = descriptor(fixturePublished, library, 'search')
  assert.deepEqual(returns?.properties?.['books']?.items?.required, ['title'])
  assert.equal(descriptor(fixturePublished, library, 'pages').returns, null)
})

test('lists the fields of objects in lists, also of optional ones', () => {
  const name = text('The name.')
  const schema = answer({
    rows: records('The rows.', { name }),
    more: maybe(records('More rows.', { name })),
    one: maybe(record('A row.', { name })),
  })
  assert.deepEqual(
    listFields(schema as JsonSchema).map(({ name: field }) => field),
    ['rows', 'rows[].name', 'more', 'more[].name', 'one', 'one.name'],
  )
})
