/** Public sources: a search without results is free, an unknown id is not found. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { withSimulators } from '../../catalog/testing/run-call.ts'

const { run, missOf, failureOf } = withSimulators()

test('charges nothing for a search without results, with any status of the source', async () => {
  const searches: Record<string, Data> = {
    'globalnews/news': { query: 'sim:miss' },
    'globalnews/timeline': { query: 'sim:miss' },
    'scholar/works': { search: 'sim:miss' },
    'scholar/authors': { search: 'sim:miss' },
    'patents/patents': { q: 'sim:miss' },
    'patents/assignees': { organization: 'sim:miss' },
    'courts/dockets': { q: 'sim:miss' },
    'courts/cases': { q: 'sim:miss' },
    'nonprofit/nonprofit_search': { q: 'sim:miss' },
    'fedrules/search': { term: 'sim:miss' },
    'webarchive/snapshots': { url: 'miss.sim.test' },
    'webarchive/available': { url: 'miss.sim.test' },
    'encyclopedia/search': { q: 'sim:miss' },
    'entitygraph/search': { q: 'sim:miss' },
    'entitygraph/sparql': { query: 'SELECT ?a WHERE { ?a ?b "sim:miss" }' },
  }
  for (const [id, sent] of Object.entries(searches)) {
    const result = await run(id, sent)
    assert.ok('outcome' in result && result.outcome.kind === 'empty', id)
    assert.equal(result.charged, 0n, id)
  }
})

test('reports an unknown id as 404 without a charge', async () => {
  assert.equal(await failureOf('nonprofit/nonprofit', { ein: '00-0000001' }), 'upstream_not_found')
  assert.equal(
    await failureOf('fedrules/document', { document_number: '0000-00000' }),
    'upstream_not_found',
  )
  assert.equal(
    await failureOf('webarchive/fetch', { url: 'https://nobody.example/' }),
    'upstream_not_found',
  )
  assert.equal(await failureOf('entitygraph/entity', { id: 'Q404' }), 'upstream_not_found')
  assert.equal(
    (await missOf('encyclopedia/page', { title: 'sim:miss' })).code,
    'upstream_not_found',
  )
})
