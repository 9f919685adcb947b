import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run } = withSimulators()

function wireOf(id: string, sent: Data) {
  const { action, input } = prepared(id, sent)
  const { method, path, query, json } = action.request(input)
  return { method, path, query, json }
}

describe('trends', () => {
  const KINDS = {
    '/trend': 'TIMESERIES',
    '/interest-by-region': 'GEO_MAP_0',
    '/related-queries': 'RELATED_QUERIES',
    '/related-topics': 'RELATED_TOPICS',
  }

  test('requests the data type of each endpoint, at the price of a search, below the cap of 5¢', async () => {
    for (const [endpoint, type] of Object.entries(KINDS)) {
      assert.equal(wireOf('trends/fetch', { endpoint, keyword: 'tea' }).query?.['data_type'], type)
      const result = await run('trends/fetch', { endpoint, keyword: 'tea' })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.equal(result.charged, cents('1.5'))
      const { action, input } = prepared('trends/fetch', { endpoint, keyword: 'tea' })
      assert.equal(worstCase(action, input), cents('5'))
    }
  })

  test('charges nothing without data on a term, also for empty lists', async () => {
    const miss = await run('trends/fetch', { endpoint: '/trend', keyword: 'nobody' })
    assert.ok('outcome' in miss && miss.outcome.kind === 'empty')
    assert.equal(miss.charged, 0n)
    const { action, input } = prepared('trends/fetch', {
      endpoint: '/related-topics',
      keyword: 'tea',
    })
    assert.equal(
      action.outcome(
        { status: 200, headers: {}, body: { related_topics: { rising: [], top: [] } } },
        input,
      ).kind,
      'empty',
    )
    assert.equal(
      action.outcome({ status: 200, headers: {}, body: { error: 'Something broke.' } }, input).kind,
      'failed',
    )
  })

  test('compares up to five terms, and relates only one', () => {
    assert.equal(
      wireOf('trends/fetch', { endpoint: '/interest-by-region', keyword: 'tea,coffee' }).query?.[
        'data_type'
      ],
      'GEO_MAP',
    )
    assert.equal(
      refusal('trends/fetch', { endpoint: '/trend', keyword: 'a,b,c,d,e,f' }).param,
      'keyword',
    )
    assert.equal(
      refusal('trends/fetch', { endpoint: '/related-queries', keyword: 'tea,coffee' }).param,
      'keyword',
    )
    assert.equal(refusal('trends/fetch', { endpoint: '/trend' }).param, 'keyword')
  })
})
