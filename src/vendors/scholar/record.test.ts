import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, refusal, wireOf, withSimulators } from '../../catalog/testing/run-call.ts'

const { failureOf, dataOf } = withSimulators()

describe('scholar', () => {
  test('returns up to fifty results per page', () => {
    assert.equal(refusal('scholar/works', { search: 'x', per_page: 51 }).param, 'per_page')
    assert.equal(refusal('scholar/authors', { search: 'x', per_page: 51 }).param, 'per_page')
  })

  test('restores the word order of an abstract', async () => {
    const { results } = (await dataOf('scholar/works', { search: 'x' })) as {
      results: { abstract: string }[]
    }
    assert.equal(results[0]?.abstract, 'Simulated abstract of a work')
    assert.equal(
      (await dataOf('scholar/work', { id: 'W1' }))['abstract'],
      'Simulated abstract of a work',
    )
  })

  test('accepts an OpenAlex id, DOI or URL, and reports an unknown work as 404', async () => {
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

  test("reports an unknown filter as the caller's mistake, despite the status of a wrong key", async () => {
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
