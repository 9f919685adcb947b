/** News, scholarly works and patents: what is peculiar to each. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Data } from '../catalog/vocabulary/outcome.ts'
import { prepared, refusal, wireOf, withSimulators } from '../catalog/testing/run-call.ts'

const { run, missOf, failureOf, dataOf } = withSimulators()

test('a search that finds nothing is an answer and free, whatever status the source gives it', async () => {
  const searches: Record<string, Data> = {
    'globalnews/news': { query: 'sim:miss' },
    'globalnews/timeline': { query: 'sim:miss' },
    'scholar/works': { search: 'sim:miss' },
    'scholar/authors': { search: 'sim:miss' },
    'patents/patents': { q: 'sim:miss' },
    'patents/assignees': { organization: 'sim:miss' },
  }
  for (const [id, sent] of Object.entries(searches)) {
    const result = await run(id, sent)
    assert.ok('outcome' in result && result.outcome.kind === 'empty', id)
    assert.equal(result.charged, 0n, id)
  }
})

describe('globalnews', () => {
  test('a mistake that the source tells with status 200 is the caller’s to change, and free', async () => {
    const miss = await missOf('globalnews/news', { query: 'ab' })
    assert.equal(miss.code, 'upstream_rejected')
    assert.match(JSON.stringify(miss.details), /too short/)
  })

  test('a page in place of the answer is the source’s trouble', () => {
    const { action, input } = prepared('globalnews/news', { query: 'ledgers' })
    const outcome = action.outcome(
      { status: 200, headers: {}, body: '<html>We are being repaired.</html>' },
      input,
    )
    assert.ok(outcome.kind === 'failed' && outcome.code === 'upstream_error')
  })

  test('a timespan and datetimes exclude each other', () => {
    assert.equal(
      refusal('globalnews/news', { query: 'x y', timespan: '1d', startdatetime: '20260101000000' })
        .param,
      'timespan',
    )
    prepared('globalnews/timeline', {
      query: 'x y',
      startdatetime: '20260101000000',
      enddatetime: '20260201000000',
    })
  })

  test('at most 250 articles, 75 unless told; two kinds of timeline', () => {
    assert.equal(refusal('globalnews/news', { query: 'x', maxrecords: 251 }).param, 'maxrecords')
    assert.equal(wireOf('globalnews/news', { query: 'x' }).query?.['maxrecords'], 75)
    assert.equal(refusal('globalnews/timeline', { query: 'x', mode: 'artlist' }).param, 'mode')
  })
})

describe('scholar', () => {
  test('at most fifty results per page', () => {
    assert.equal(refusal('scholar/works', { search: 'x', per_page: 51 }).param, 'per_page')
    assert.equal(refusal('scholar/authors', { search: 'x', per_page: 51 }).param, 'per_page')
  })

  test('the words of an abstract are put back in order', async () => {
    const { results } = (await dataOf('scholar/works', { search: 'x' })) as {
      results: { abstract: string }[]
    }
    assert.equal(results[0]?.abstract, 'Simulated abstract of a work')
    assert.equal(
      (await dataOf('scholar/work', { id: 'W1' }))['abstract'],
      'Simulated abstract of a work',
    )
  })

  test('a work is named by OpenAlex id, DOI or address, and an unknown one is a 404', async () => {
    const path = (id: string) => wireOf('scholar/work', { id }).path
    assert.equal(path('https://openalex.org/W12'), '/works/W12')
    for (const id of [
      '10.7717/peerj.4375',
      'doi:10.7717/peerj.4375',
      'https://doi.org/10.7717/peerj.4375',
    ])
      assert.equal(path(id), '/works/doi:10.7717/peerj.4375')
    assert.equal(path('pmid:123'), '/works/pmid:123')
    assert.equal(await failureOf('scholar/work', { id: 'W404' }), 'upstream_not_found')
  })

  test('a filter that the source does not know is told as the caller’s mistake, though it is refused as a wrong key is', async () => {
    assert.equal(await failureOf('scholar/works', { filter: 'nonsense:1' }), 'upstream_rejected')
    const { vendor } = prepared('scholar/works', { filter: 'nonsense:1' }).service
    assert.deepEqual(
      vendor?.readFailure?.({
        status: 403,
        headers: {},
        body: { error: 'Invalid API key', message: 'No such key.' },
      }),
      { code: 'upstream_not_configured', message: 'No such key.' },
    )
  })
})

describe('patents', () => {
  test('at most a hundred patents', () => {
    assert.equal(refusal('patents/patents', { q: 'x', limit: 101 }).param, 'limit')
    assert.equal(refusal('patents/assignees', { organization: 'x', limit: 101 }).param, 'limit')
  })

  test('an open end of the time of grant is closed', () => {
    assert.equal(
      wireOf('patents/patents', { q: 'x', date_gte: '2020-01-01' }).query?.['rangeFilters'],
      'applicationMetaData.grantDate 2020-01-01:2100-12-31',
    )
    assert.equal(
      wireOf('patents/patents', { q: 'x', date_lte: '2020-01-01' }).query?.['rangeFilters'],
      'applicationMetaData.grantDate 1976-01-01:2020-01-01',
    )
  })

  test('owners are counted by name, and a quotation mark cannot leave the phrase', async () => {
    const { assignees } = (await dataOf('patents/assignees', {
      organization: 'Example Robotics',
    })) as { assignees: unknown[] }
    assert.deepEqual(assignees, [
      { organization: 'EXAMPLE ROBOTICS HOLDINGS LLC', patents: 1 },
      { organization: 'Example Robotics Inc.', patents: 1 },
    ])
    assert.equal(
      wireOf('patents/assignees', { organization: 'a" OR b:"c' }).query?.['q'],
      'assignmentBag.assigneeBag.assigneeNameText:"a  OR b: c" OR applicationMetaData.applicantBag.applicantNameText:"a  OR b: c"',
    )
  })
})
