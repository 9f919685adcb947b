/** The open data hub: each path has a source, a price and rules. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'
import { service as datahub } from './record.ts'

const { runOpen } = withSimulators()
const ID = 'datahub/fetch'

const paths = Object.values(datahub.actions).flatMap((action) =>
  action.kind === 'endpoint' ? action.endpoints : [],
)

async function dataOf(sent: Data, id = ID): Promise<Data> {
  const result = await runOpen(id, sent)
  assert.ok('outcome' in result && result.outcome.kind === 'done', String(sent['endpoint']))
  return result.outcome.data
}

function wireOf(sent: Data, id = ID) {
  const { action, input } = prepared(id, sent)
  assert.ok(action.kind === 'endpoint')
  const source = action.entryFor(input)?.openSource
  assert.ok(source !== undefined)
  source.check?.(input)
  return source.request(input)
}

test('has a keyless source for every path, at 1 to 21¢', () => {
  assert.ok(paths.length >= 35)
  for (const { endpoint, openSource, price, example } of paths) {
    assert.ok(openSource !== undefined && example !== undefined, endpoint)
    assert.ok(price !== undefined && price >= cents('1') && price <= cents('21'), endpoint)
  }
})

test('rejects an unknown path and a missing parameter before a hold', () => {
  assert.equal(refusal(ID, { endpoint: '/no/such/path' }).param, 'endpoint')
  assert.equal(refusal(ID, { endpoint: '/papers/arxiv' }).param, 'q')
  assert.equal(refusal(ID, { endpoint: '/papers/arxiv', q: 'x', colour: 'red' }).param, 'colour')
  assert.equal(refusal(ID, { endpoint: '/trades/insider' }).code, 'invalid_params')
  assert.equal(
    refusal('datahub/submit', { endpoint: '/vulns/package', name: 'lodash' }).code,
    'invalid_params',
  )
})

test('charges the heaviest paths most', () => {
  const priceOf = (sent: Data) => {
    const { action, input } = prepared(ID, sent)
    return worstCase(action, input)
  }
  assert.equal(priceOf({ endpoint: '/fx/latest' }), cents('1'))
  assert.equal(priceOf({ endpoint: '/papers/arxiv', q: 'x' }), cents('2'))
  assert.equal(priceOf({ endpoint: '/trades/insider', ticker: 'AAPL' }), cents('5'))
  assert.equal(priceOf({ endpoint: '/trades/institutional', cik: '1' }), cents('21'))
})

test('charges nothing for a miss', async () => {
  const misses: Data[] = [
    { endpoint: '/papers/arxiv', q: 'sim:miss' },
    { endpoint: '/papers/pubmed', q: 'sim:miss' },
    { endpoint: '/papers/crossref', q: 'sim:miss' },
    { endpoint: '/papers/semanticscholar', q: 'sim:miss' },
    { endpoint: '/recalls/food', q: 'sim:miss' },
    { endpoint: '/recalls/vehicle', make: 'sim:miss', model: 'x', year: 2020 },
    { endpoint: '/adverse-events/drug', drug: 'sim:miss' },
    { endpoint: '/cve/search', keyword: 'sim:miss' },
    { endpoint: '/cve/kev', q: 'nothing of this name' },
    { endpoint: '/defi/protocols', q: 'nothing of this name' },
    { endpoint: '/defi/prices', coins: 'nobody' },
    { endpoint: '/crypto/price', ids: 'nobody' },
    { endpoint: '/macro/worldbank', country: 'nobody', indicator: 'x' },
    { endpoint: '/trades/insider', ticker: 'AAPL', skip: 5 },
    { endpoint: '/trades/institutional', ticker: 'AAPL', skip: 5 },
  ]
  for (const sent of misses) {
    const result = await runOpen(ID, sent)
    assert.ok('outcome' in result && result.outcome.kind === 'empty', String(sent['endpoint']))
    assert.equal(result.charged, 0n)
  }
})

describe('trades', () => {
  test("read an insider's latest trade from the form itself", async () => {
    const { issuer, owners, transactions } = (await dataOf({
      endpoint: '/trades/insider',
      ticker: 'aapl',
    })) as { issuer: string; owners: unknown; transactions: unknown[] }
    assert.equal(issuer, 'Simulated Issuer')
    assert.deepEqual(owners, [{ name: 'Simulated Officer', cik: '0001', title: 'CFO' }])
    assert.deepEqual(transactions[0], {
      security: 'Common Stock',
      date: '2025-10-13',
      code: 'S',
      shares: '100',
      price: '12.5',
      acquired_disposed: 'D',
      shares_after: '900',
    })
  })

  test('list holdings by size, with any prefix of the elements', async () => {
    const { total, holdings } = (await dataOf({
      endpoint: '/trades/institutional',
      cik: '1111111',
      limit: 1,
    })) as { total: number; holdings: Data[] }
    assert.deepEqual(
      [total, holdings.length, holdings[0]?.['issuer'], holdings[0]?.['value']],
      [2, 1, 'SIMULATED LARGE', 2000],
    )
  })

  test('report a filer that the SEC does not list as 404', async () => {
    await assert.rejects(
      runOpen(ID, { endpoint: '/trades/insider', ticker: 'NONE' }),
      (error) => error instanceof AppError && error.code === 'upstream_not_found',
    )
  })
})

test("applies an action's rules to a path that does the same", () => {
  assert.throws(
    () => wireOf({ endpoint: '/filings/search', q: 'x', forms: '10-K/A' }),
    (error) => error instanceof AppError && error.param === 'forms',
  )
  const document = {
    endpoint: '/filings/document',
    cik: '320193',
    accession: '0000320193-23-000106',
    filename: 'report.htm',
  }
  assert.equal(
    refusal(ID, { ...document, filename: '../../../../files/company_tickers.json' }).param,
    'filename',
  )
  assert.equal(refusal(ID, { ...document, cik: 'abc/..' }).param, 'cik')
  assert.equal(refusal(ID, { endpoint: '/filings/company', cik: '../../x' }).param, 'cik')
  assert.equal(refusal(ID, { endpoint: '/filings/search', q: '' }).param, 'q')
  assert.equal(refusal(ID, { endpoint: '/rules/search', date_gte: 'yesterday' }).param, 'date_gte')
  assert.equal(refusal(ID, { endpoint: '/recalls/cpsc', q: 'stroller', limit: -5 }).param, 'limit')
  assert.equal(
    refusal(ID, { endpoint: '/papers/openalex', search: 'x', per_page: 51 }).param,
    'per_page',
  )
  assert.equal(prepared(ID, { endpoint: '/recalls/cpsc', q: 'stroller' }).input['limit'], 25)
})

test('filters and pages lists that a source returns completely', async () => {
  const { total, results } = (await dataOf({ endpoint: '/defi/yields', chain: 'base' })) as {
    total: number
    results: Data[]
  }
  assert.deepEqual([total, results[0]?.['chain']], [1, 'Base'])
  assert.equal(
    ((await dataOf({ endpoint: '/defi/protocols', limit: 1 })) as { results: unknown[] }).results
      .length,
    1,
  )
})

test("converts days to times, and keeps a caller's field in its place", () => {
  assert.equal(
    wireOf({
      endpoint: '/cve/search',
      keyword: 'x',
      published_from: '2026-01-01',
      published_to: '2026-02-01',
    }).query?.['pubStartDate'],
    '2026-01-01T00:00:00.000',
  )
  assert.equal(
    wireOf({ endpoint: '/defi/protocol', slug: '../v2/chains' }).path,
    '/protocol/..%2Fv2%2Fchains',
  )
  assert.equal(
    wireOf({ endpoint: '/macro/worldbank', country: 'a/b', indicator: 'c?d' }).path,
    '/country/a%2Fb/indicator/c%3Fd',
  )
})

test('treats an arXiv error entry as a failure without a charge', () => {
  const { action, input } = prepared(ID, { endpoint: '/papers/arxiv', q: 'x', start: -1 })
  const source = action.kind === 'endpoint' ? action.entryFor(input)?.openSource : undefined
  const body =
    '<?xml version="1.0"?><feed><entry><id>http://arxiv.org/api/errors#start</id><title>Error</title><summary>start must be non-negative</summary></entry></feed>'
  const outcome = source?.outcome({ status: 200, headers: {}, body }, input)
  assert.ok(outcome?.kind === 'failed' && outcome.code === 'upstream_rejected')
  assert.match(JSON.stringify(outcome.details), /non-negative/)
})

test('requires both ends of a publication range, at most 120 days apart', () => {
  const search = { endpoint: '/cve/search', keyword: 'x' }
  for (const [times, param] of [
    [{ published_from: '2026-01-01' }, 'published_to'],
    [{ published_to: '2026-01-01' }, 'published_from'],
    [{ published_from: '2026-01-01', published_to: '2026-06-01' }, 'published_to'],
    [{ published_from: 'x', published_to: 'y' }, 'published_to'],
  ] as const) {
    assert.throws(
      () => wireOf({ ...search, ...times }),
      (error) =>
        error instanceof AppError && error.code === 'invalid_params' && error.param === param,
      param,
    )
  }
})

test('finds preprints by words and by quoted phrases', () => {
  const queryFor = (sent: Data) =>
    wireOf({ endpoint: '/papers/arxiv', ...sent }).query?.['search_query']
  assert.equal(
    queryFor({ q: 'group commit "write-ahead logging"' }),
    'all:"group" AND all:"commit" AND all:"write-ahead logging"',
  )
  assert.equal(
    queryFor({ q: 'ledger" OR all:x', category: 'cs.DB' }),
    'all:"ledger" AND all:"OR" AND all:"all:x" AND cat:cs.DB',
  )
  for (const q of ['"', ' " " ', '""'])
    assert.throws(
      () => queryFor({ q, category: 'cs.DB' }),
      (error) => error instanceof AppError && error.param === 'q',
      q,
    )
})

test('sends the ecosystem and version of a package', () => {
  assert.deepEqual(
    wireOf(
      { endpoint: '/vulns/package', name: 'lodash', ecosystem: 'npm', version: '4.17.15' },
      'datahub/submit',
    ).json,
    { package: { name: 'lodash', ecosystem: 'npm' }, version: '4.17.15' },
  )
})
