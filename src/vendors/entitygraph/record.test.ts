import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

describe('entitygraph', () => {
  test('a query that SPARQL cannot read is the caller’s to change, one that takes too long is a timeout', async () => {
    assert.equal(await failureOf('entitygraph/sparql', { query: 'nonsense' }), 'upstream_rejected')
    const read = prepared('entitygraph/sparql', { query: 'ASK {}' }).service.vendor?.readFailure
    assert.equal(
      read?.({ status: 500, headers: {}, body: 'java.util.concurrent.TimeoutException' })?.code,
      'upstream_timeout',
    )
  })

  test('a query that asks yes or no is answered', async () => {
    const result = await run('entitygraph/sparql', { query: 'ASK { wd:Q42 wdt:P31 wd:Q5 }' })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
  })
})
