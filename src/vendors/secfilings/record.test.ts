import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, refusal, wireOf, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf, dataOf } = withSimulators()

describe('secfilings', () => {
  test("pads a filer's key for the data host and trims it for the archive", () => {
    for (const cik of ['320193', '0000320193', 'CIK0000320193']) {
      assert.equal(wireOf('secfilings/filings', { cik }).path, '/submissions/CIK0000320193.json')
      const document = wireOf('secfilings/document', {
        cik,
        accession: '0000320193-23-000106',
        filename: 'a.htm',
      })
      assert.equal(document.path, '/Archives/edgar/data/320193/000032019323000106/a.htm')
    }
    assert.equal(refusal('secfilings/filings', { cik: 'Apple' }).param, 'cik')
  })

  test('accepts only root form types for fulltext', () => {
    assert.equal(refusal('secfilings/fulltext', { q: 'x', forms: '10-K,8-K/A' }).param, 'forms')
    assert.equal(
      wireOf('secfilings/fulltext', { q: 'x', forms: '10-K,8-K' }).query?.['forms'],
      '10-K,8-K',
    )
  })

  test('returns ten fulltext hits per page', async () => {
    const { hits } = (await dataOf('secfilings/fulltext', { q: 'going concern' })) as {
      hits: { total: { value: number }; hits: unknown[] }
    }
    assert.deepEqual([hits.hits.length, hits.total.value], [10, 12])
  })

  test('reports an index of a weekend or holiday as a free 404, and an invalid day as 400', async () => {
    assert.match(
      refusal('secfilings/index', { date: '2026-11-21' }).message,
      /weekend, so there are no filings/,
    )
    assert.equal(refusal('secfilings/index', { date: '2026-11-21' }).code, 'upstream_not_found')
    assert.equal(await failureOf('secfilings/index', { date: '2026-12-25' }), 'upstream_not_found')
    assert.equal(refusal('secfilings/index', { date: '2026-11-31' }).code, 'invalid_params')
    assert.equal((await dataOf('secfilings/index', { date: '2026-11-20' }))['filing_count'], 1)
  })

  test('derives the quarter of an index from its month', () => {
    assert.equal(
      wireOf('secfilings/index', { date: '2026-04-01' }).path,
      '/Archives/edgar/daily-index/2026/QTR2/master.20260401.idx',
    )
    assert.equal(
      wireOf('secfilings/index', { date: '2026-12-31' }).path,
      '/Archives/edgar/daily-index/2026/QTR4/master.20261231.idx',
    )
  })

  test('finds a company by ticker, key or words of its name', async () => {
    for (const q of ['aapl', '320193', 'apple inc']) {
      assert.deepEqual((await dataOf('secfilings/entities', { q }))['entities'], [
        { cik: '0000320193', ticker: 'AAPL', name: 'Apple Inc.' },
      ])
    }
    assert.deepEqual((await dataOf('secfilings/entities', { q: 'some fund' }))['entities'], [
      { cik: '0001222222', ticker: null, name: 'Simulated Fund (CIK 0001222222)' },
    ])
    const missed = await run('secfilings/entities', { q: 'no such company' })
    assert.ok('outcome' in missed && missed.outcome.kind === 'empty' && missed.charged === 0n)
  })

  test('reports a concept without values as a free 404', async () => {
    assert.equal(
      await failureOf('secfilings/concept', { cik: '1', concept: 'NeverReported' }),
      'upstream_not_found',
    )
    assert.equal(
      wireOf('secfilings/concept', { cik: '1', concept: 'dei:EntityCommonStockSharesOutstanding' })
        .path,
      '/api/xbrl/companyconcept/CIK0000000001/dei/EntityCommonStockSharesOutstanding.json',
    )
  })

  test('returns a binary document as base64, and no path outside the filing', async () => {
    const filing = { cik: '1', accession: '0000320193-23-000106' }
    assert.equal(
      (await dataOf('secfilings/document', { ...filing, filename: 'a.htm' }))['encoding'],
      'text',
    )
    assert.equal(
      (await dataOf('secfilings/document', { ...filing, filename: 'a.pdf' }))['encoding'],
      'base64',
    )
    for (const filename of ['../x.htm', 'a/../../x', '/x', 'a?b'])
      assert.equal(refusal('secfilings/document', { ...filing, filename }).param, 'filename')
  })

  test('distinguishes too many requests, a missing file and a missing user agent', () => {
    const read = prepared('secfilings/filings', { cik: '1' }).service.vendor?.readFailure
    const codeOf = (body: string) => read?.({ status: 403, headers: {}, body })?.code
    assert.equal(codeOf('<html>Request Rate Threshold Exceeded</html>'), 'upstream_busy')
    assert.equal(codeOf('<Error><Code>AccessDenied</Code></Error>'), 'upstream_not_found')
    assert.equal(codeOf('<html>Undeclared Automated Tool</html>'), 'upstream_not_configured')
  })
})
