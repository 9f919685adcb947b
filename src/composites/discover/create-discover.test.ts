import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { fixtureLaneOf, fixtureServices } from '../../catalog/published/testing/small-catalog.ts'
import { endpointKeywords } from '../../catalog/endpoints/endpoint-keywords.ts'
import { services } from '../../vendors/index.ts'
import { createDiscover, type Discover } from './create-discover.ts'
import { documentsOf } from './documents.ts'
import { wideCatalog } from './testing/wide-catalog.ts'
import { catalogQueries, wideQueries, type Judged } from './testing/judged-queries.ts'
import { discoverHandler } from './handler.ts'
import { buildIndex } from './search-index.ts'

const allLive = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
const wide = createDiscover({ services: wideCatalog(), laneOf: allLive })
const crowded = createDiscover({ services: wideCatalog(3_000), laneOf: allLive })

/** The share of queries whose first `depth` hits hold an expected one. */
function recall(discover: Discover, queries: readonly Judged[], depth: number): number {
  const judged = queries.filter(([, expected]) => expected !== null)
  const found = judged.filter(([query, expected]) =>
    names(discover, query)
      .slice(0, depth)
      .some((name) => expected?.includes(name)),
  )
  return found.length / judged.length
}

function names(discover: Discover, query: string): string[] {
  return discover
    .search(query)
    .hits.map(({ service, action, endpoint }) => endpoint ?? `${service}/${action}`)
}

const present = createDiscover({ services, laneOf: allLive })

for (const [name, discover, queries] of [
  ['the catalog', present, catalogQueries],
  ['a broad catalog', wide, wideQueries],
  ['a catalog with 3000 other endpoints', crowded, wideQueries],
] as const) {
  test(`judged queries over ${name} find what answers them`, () => {
    assert.ok(recall(discover, queries, 1) >= 0.92, `recall@1 ${recall(discover, queries, 1)}`)
    assert.ok(recall(discover, queries, 3) >= 0.97, `recall@3 ${recall(discover, queries, 3)}`)
  })

  test(`a query that nothing in ${name} answers gets no hits`, () => {
    for (const [query, expected] of queries)
      if (expected === null)
        assert.deepEqual(
          names(discover, query),
          [],
          `${query} (an action that truly answers it goes into testing/judged-queries.ts)`,
        )
  })
}

test('whom and what a query is about does not hide what is to be done', () => {
  for (const [query, expected] of [
    ['new arxiv preprints on diffusion models', '/papers/arxiv'],
    ['patents by Dyson on vacuum motors', 'patents/patents'],
    ['horsepower and fuel economy of a 2020 Mazda 3', 'vehicles/search'],
    ['did any director of Coinbase sell shares', '/trades/insider'],
    ['has Boeing been sued lately', '/x402/us-court-search'],
    ['how much is this house worth: 123 Main St, Austin, TX 78701', 'proprecords/value-estimate'],
    ['what did wikipedia say about Ada Lovelace', 'encyclopedia/page'],
    ['who works as head of procurement at Siemens', 'contactfind/people-search'],
    ['VAT number check for a French company', '/x402/vat-validate'],
  ] as const)
    assert.ok(
      names(present, query).slice(0, 3).includes(expected),
      `${query}: ${names(present, query).join(', ')}`,
    )
})

test('what begins something comes before what goes on with it, unless that is asked for', () => {
  for (const [query, expected] of [
    ['run code', /\/(?:create_session|sandbox-create)$/],
    ['open a browser', /^browser\/create_session$/],
    ['extend a browser session', /^browser\/extend_session$/],
    ['stop a sandbox', /^sandbox\/sandbox-terminate$/],
    ['result of a captcha', /^captcha\/result$/],
  ] as const)
    assert.match(names(present, query)[0] ?? '', expected, query)
})

test('when something is asked for does not hide what is asked for', () => {
  for (const query of [
    'is 1 May a working day in Germany',
    'is Friday a bank holiday',
    'business days in December',
  ])
    assert.equal(names(present, query)[0], '/x402/business-day-check', query)
})

test('what is asked in other words than those of the catalog is found by those of the catalog', () => {
  for (const [query, expected] of [
    ['how did nytimes.com look in 2005', 'webarchive/snapshots'],
    ['compose a song about summer', 'media/generate'],
    ['how does the page look from Japan', 'geoegress/scrape'],
    ['what do people search for about electric cars', '/related-queries'],
    ['take a picture of a website', 'render/scrape'],
    ['google the best bakery', 'indep/search'],
    ["what's new in battery research this week", 'globalnews/news'],
    ['company registration details of a UK limited company', '/x402/uk-company-data'],
  ] as const)
    assert.ok(
      names(present, query).slice(0, 3).includes(expected),
      `${query}: ${names(present, query).join(', ')}`,
    )
})

test('an endpoint is found by the words that callers have for it, where its summary has others', () => {
  for (const [query, expected] of [
    ['is this man on the OFAC list', '/x402/sanctions-check'],
    ['which nameservers does a domain have', '/x402/dns-lookup'],
    ['honeypot check of a memecoin', '/x402/token-security-check'],
    ['who owns a domain name', '/x402/whois-lookup'],
    [
      'how many people visit a website each month',
      '/apis/domain_stats_api/v2/getLatestDomainStats',
    ],
    ['track a ups package', '/x402/shipping-track'],
  ] as const)
    assert.ok(
      names(present, query).slice(0, 3).includes(expected),
      `${query}: ${names(present, query).join(', ')}`,
    )
})

test('words are kept for endpoints of the catalog alone', () => {
  const paths = new Set(documentsOf(services, allLive).map(({ hit }) => hit.endpoint))
  assert.deepEqual(
    [...endpointKeywords.keys()].filter((path) => !paths.has(path)),
    [],
  )
})

test('a hit carries what the call needs', () => {
  const discover = createDiscover({ services: fixtureServices, laneOf: fixtureLaneOf })
  const [hit] = discover.search('find a novel by its author').hits
  assert.ok(hit)
  const { score, ...rest } = hit
  assert.ok(score > 0 && score <= 1)
  assert.deepEqual(rest, {
    service: 'library',
    action: 'search',
    endpoint: null,
    price_cents: 1,
    required_params: ['query'],
    summary: 'Find books by title & author.',
    live: true,
  })
})

test('each endpoint of a passthrough is a hit of its own, with its own price and parameters', () => {
  const discover = createDiscover({ services: fixtureServices, laneOf: fixtureLaneOf })
  const { hits, next } = discover.search('crew of a ship')
  assert.deepEqual(
    [hits[0]?.endpoint, hits[0]?.price_cents, hits[0]?.required_params],
    ['/ships/crew', 38, ['endpoint', 'ship']],
  )
  assert.match(next, /"endpoint": "\/ships\/crew".*not set up/)
})

test('alternatives among parameters are told with the hit', () => {
  const discover = createDiscover({ services: fixtureServices, laneOf: fixtureLaneOf })
  assert.deepEqual(discover.search('read pages').hits[0]?.required_one_of, [['ids'], ['urls']])
})

test('of two equal actions the live one comes first', () => {
  const [library] = fixtureServices
  assert.ok(library)
  const twins = [
    { ...library, id: 'first' },
    { ...library, id: 'second' },
  ]
  const discover = createDiscover({
    services: twins,
    laneOf: (service) => ({ live: service === 'second' ? 'vendor' : null, lanes: ['vendor'] }),
  })
  assert.equal(discover.search('books').hits[0]?.service, 'second')
})

test('at most ten hits come back, best first', () => {
  const scores = crowded.search('video').hits.map(({ score }) => score)
  assert.equal(scores.length, 10)
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
})

test('invalidSetting of any size is answered, with nothing', () => {
  for (const query of [
    '',
    ' ',
    '💥',
    '__proto__ constructor',
    'zxqj '.repeat(50_000),
    '日本語の検索',
  ])
    assert.deepEqual(crowded.search(query).hits, [])
})

test('the work of a query is bounded by the catalog, not by the query', () => {
  const documents = documentsOf(wideCatalog(3_000), allLive)
  const index = buildIndex(documents)
  assert.ok(index.size > 3_000)
  for (const query of [
    'video comment list',
    'get user profile data of a platform',
    'vidoe commment lst usre',
    'read page url site link html '.repeat(2_000),
  ]) {
    const { postingsRead, termsCompared } = index.rank(query, 0.1)
    assert.ok(
      postingsRead <= 10 * documents.length,
      `${query.slice(0, 40)}: ${postingsRead} postings`,
    )
    assert.ok(termsCompared <= 24 * 200, `${query.slice(0, 40)}: ${termsCompared} comparisons`)
  }
})

test('the action answers with query, hits and advice, and with no hits as a success', async () => {
  const tools = {} as CallTools
  const outcome = await discoverHandler(present)({ query: 'read a web page' }, tools)
  assert.ok(outcome.kind === 'done')
  assert.deepEqual(Object.keys(outcome.data), ['query', 'hits', 'next'])
  const nothing = await discoverHandler(present)({ query: 'order a pizza' }, tools)
  assert.ok(nothing.kind === 'done')
  assert.deepEqual(nothing.data['hits'], [])
})
