import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

describe('entitygraph', () => {
  test('rejects an invalid SPARQL query, and reports a slow one as a timeout', async () => {
    assert.equal(await failureOf('entitygraph/sparql', { query: 'nonsense' }), 'upstream_rejected')
    const read = prepared('entitygraph/sparql', { query: 'ASK {}' }).service.vendor?.readFailure
    assert.equal(
      read?.({ status: 500, headers: {}, body: 'java.util.concurrent.TimeoutException' })?.code,
      'upstream_timeout',
    )
  })

  test('answers a yes-or-no query', async () => {
    const result = await run('entitygraph/sparql', { query: 'ASK { wd:Q42 wdt:P31 wd:Q5 }' })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
  })
})
