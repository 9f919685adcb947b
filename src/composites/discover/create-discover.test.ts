import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { fixtureLaneOf, fixtureServices } from '../../catalog/published/testing/small-catalog.ts'
import { endpointKeywords } from '../../catalog/endpoints/endpoint-keywords.ts'
import { services } from '../../vendors/index.ts'
import { createDiscover, type Discover } from './create-discover.ts'
import { createDocuments } from './documents.ts'
import { wideCatalog } from './testing/wide-catalog.ts'
import { catalogQueries, wideQueries, type Judged } from './testing/judged-queries.ts'
import { discoverHandler } from './handler.ts'
import { buildIndex } from './search-index.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

const allLive = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
const wide = createDiscover({ services: wideCatalog(), laneOf: allLive })
const crowded = createDiscover({ services: wideCatalog(3_000), laneOf: allLive })

/** The share of queries with an expected hit among the first `depth`. */
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

/** The confidence of the first hit. */
function surest(discover: Discover, query: string): string | undefined {
  return discover.search(query).hits[0]?.confidence
}

const present = createDiscover({ services, laneOf: allLive })

for (const [name, discover, queries] of [
  ['the catalog', present, catalogQueries],
  ['a broad catalog', wide, wideQueries],
  ['a catalog with 3000 other endpoints', crowded, wideQueries],
] as const) {
  test(`finds the expected actions of judged queries in ${name}`, () => {
    assert.ok(recall(discover, queries, 1) >= 0.87, `recall@1 ${recall(discover, queries, 1)}`)
    assert.ok(recall(discover, queries, 3) >= 0.94, `recall@3 ${recall(discover, queries, 3)}`)
  })

  test(`returns no sure hit for queries without a match in ${name}`, () => {
    const unmatched = queries.filter(([, expected]) => expected === null)
    const sure = unmatched.filter(([query]) => surest(discover, query) === 'high')
    assert.ok(sure.length <= unmatched.length * 0.2, sure.map(([query]) => query).join(', '))
  })
}

test('finds the task despite the names and subjects of a query', () => {
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

test('ranks an action that starts something above its follow-ups, unless requested', () => {
  for (const [query, expected] of [
    ['open a browser', /^browser\/create_session$/],
    ['extend a browser session', /^browser\/extend_session$/],
    ['stop a sandbox', /^sandbox\/sandbox-terminate$/],
    ['result of a captcha', /^captcha\/result$/],
  ] as const)
    assert.match(names(present, query)[0] ?? '', expected, query)
})

test('finds the task despite dates', () => {
  for (const query of [
    'is 1 May a working day in Germany',
    'is Friday a bank holiday',
    'business days in December',
  ])
    assert.equal(names(present, query)[0], '/x402/business-day-check', query)
})

test('finds actions for phrases that share no word with the catalog', () => {
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

test('finds an endpoint by the keywords of callers', () => {
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

test('has keywords only for endpoints of the catalog', () => {
  const paths = new Set(createDocuments(services, allLive).map(({ hit }) => hit.endpoint))
  assert.deepEqual(
    [...endpointKeywords.keys()].filter((path) => !paths.has(path)),
    [],
  )
})

test('returns the price and parameters of a hit', () => {
  const discover = createDiscover({ services: fixtureServices, laneOf: fixtureLaneOf })
  const [hit] = discover.search('find a novel by its author').hits
  assert.ok(hit)
  const { probability, confidence, ...rest } = hit
  assert.ok(probability > 0 && probability <= 1)
  assert.match(confidence, /^(?:high|low)$/)
  assert.deepEqual(rest, {
    service: 'library',
    action: 'search',
    endpoint: null,
    title: 'Find books by title & author',
    price_cents: 1,
    required_params: ['query'],
    summary: 'Find books by title & author.',
    live: true,
  })
})

test('returns each endpoint of a passthrough with its own price and parameters', () => {
  const discover = createDiscover({ services: fixtureServices, laneOf: fixtureLaneOf })
  const { hits, next } = discover.search('crew of a ship')
  assert.deepEqual(
    [hits[0]?.endpoint, hits[0]?.price_cents, hits[0]?.required_params],
    ['/ships/crew', 38, ['endpoint', 'ship']],
  )
  assert.match(next, /"endpoint": "\/ships\/crew".*not configured/)
})

test('returns alternative parameters with a hit', () => {
  const discover = createDiscover({ services: fixtureServices, laneOf: fixtureLaneOf })
  assert.deepEqual(discover.search('read pages').hits[0]?.required_one_of, [['ids'], ['urls']])
})

test('ranks the live one of two equal actions first', () => {
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

test('returns at most the requested number of hits, best first', () => {
  const scores = present.search('find a company').hits.map(({ probability }) => probability)
  assert.equal(scores.length, 10)
  assert.equal(present.search('find a company', 3).hits.length, 3)
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
})

test('returns no sure hit for nonsense of any size', () => {
  for (const query of ['', ' ', '💥', '__proto__ constructor', 'zxqj '.repeat(50_000)])
    assert.notEqual(surest(crowded, query), 'high', query.slice(0, 40))
  assert.deepEqual(present.search('').hits, [])
})

test('bounds the work of a query by the catalog', () => {
  const documents = createDocuments(wideCatalog(3_000), allLive)
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

test('answers with query, hits and next, and succeeds without a sure hit', async () => {
  const tools = {} as CallTools
  const outcome = await discoverHandler(present)({ query: 'read a web page', limit: 10 }, tools)
  assert.ok(outcome.kind === 'done')
  assertFits('core/discover', outcome.data)
  const guesses = await discoverHandler(present)({ query: 'order a pizza', limit: 10 }, tools)
  assert.ok(guesses.kind === 'done')
  assert.match(String(guesses.data['next']), /^(?:No action clearly fits|Nothing in the catalog)/)
})

test('yields to the event loop during the build, and a search meanwhile waits for the same build', async () => {
  let steps = 0
  let turns = 0
  let early: Promise<string[]> | undefined
  const discover = createDiscover({
    services,
    laneOf: allLive,
    turns: {
      now: () => (steps += 1),
      next: async () => {
        turns += 1
        if (turns === 50) early = discover.prepare().then(() => names(discover, 'read a web page'))
      },
    },
  })
  await discover.prepare()
  const [documents, whole] = [discover.size, turns]
  assert.ok(whole > documents, `${whole} turns for ${documents} documents`)
  assert.deepEqual(await early, names(present, 'read a web page'))
  assert.equal(turns, whole)
})
