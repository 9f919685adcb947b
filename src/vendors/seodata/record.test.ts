import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { EndpointAction } from '../../catalog/vocabulary/define.ts'
import { createCatalog } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run } = withSimulators()

const catalog = createCatalog()

function passthrough(id: string): EndpointAction {
  const [service = '', name = ''] = id.split('/')
  const { action } = catalog.findAction(service, name)
  assert.ok(action.kind === 'endpoint')
  return action
}

function wireOf(id: string, sent: Data) {
  const { action, input } = prepared(id, sent)
  const { method, path, query, json } = action.request(input)
  return { method, path, query, json }
}

describe('seodata', () => {
  test('charges a query 1, 2 or 3¢ by its group, and nothing without rows', async () => {
    for (const [endpoint, price] of [
      ['domain_stats_api/v2/getLatestDomainStats', '1'],
      ['cloud_ad_history_api/v2/domain/getDomainAdHistory', '3'],
    ] as const) {
      const hit = await run('seodata/query', {
        endpoint: `/apis/${endpoint}`,
        domain: 'example.com',
      })
      assert.ok('outcome' in hit && hit.outcome.kind === 'done')
      assert.equal(hit.charged, cents(price))
    }
    const miss = await run('seodata/query', {
      endpoint: '/apis/keyword_api/v2/related/getRelatedKeywords',
      query: 'nobody',
    })
    assert.ok('outcome' in miss && miss.outcome.kind === 'empty')
    assert.equal(miss.charged, 0n)
  })

  test('returns up to 100 rows per page, and splits ranges into two dotted parameters', () => {
    const endpoint = '/apis/keyword_api/v2/related/getRelatedKeywords'
    assert.equal(
      refusal('seodata/query', { endpoint, query: 'x', pageSize: 101 }).param,
      'pageSize',
    )
    assert.equal(
      refusal('seodata/query', { endpoint, query: 'x', countryCode: 'XX' }).param,
      'countryCode',
    )
    const { query } = wireOf('seodata/query', { endpoint, query: 'x', 'searchVolume.min': 10 })
    assert.deepEqual(query, { query: 'x', 'searchVolume.min': 10 })
  })

  test('charges an answer without a count only if it has rows or totals', () => {
    const { action, input } = prepared('seodata/query', {
      endpoint: '/apis/competitors_api/v2/combined/getCombinedTopCompetitors',
      domain: 'example.com',
    })
    const kindOf = (body: Data) => action.outcome({ status: 200, headers: {}, body }, input).kind
    assert.equal(
      kindOf({
        combinedCompetitors: [],
        ppcCompetitors: [{ domain: 'example.org' }],
        seoCompetitors: [],
      }),
      'done',
    )
    assert.equal(
      kindOf({ domain: 'example.com', totalOrganicResults: 15_132, monthlyOrganicClicks: 0 }),
      'done',
    )
    assert.equal(
      kindOf({ combinedCompetitors: [], ppcCompetitors: [], seoCompetitors: [] }),
      'empty',
    )
    assert.equal(
      kindOf({ domain: 'nobody.example', totalOrganicResults: 0, monthlyOrganicClicks: 0 }),
      'empty',
    )
    assert.equal(kindOf({ message: 'an answer in an unexpected form' }), 'empty')
  })

  test('offers every path through a merchant, capped at its own price', () => {
    const { action, input } = prepared('seodata/query', {
      endpoint: '/apis/serp_api/v2/ppc/getPaidSerps',
      query: 'example.com',
    })
    const { path, query } = action.merchant?.request(input) ?? {}
    assert.deepEqual(
      [action.merchant?.at.baseUrl, path, query],
      [
        'https://spyfu.mpp.tempo.xyz',
        '/apis/serp_api/v2/ppc/getPaidSerps',
        { query: 'example.com' },
      ],
    )
    assert.equal(worstCase(action, input), cents('2'))
  })

  test('has a valid example for every path', () => {
    for (const { endpoint, example } of passthrough('seodata/query').endpoints) {
      assert.ok(
        Object.values(example ?? {}).every((value) => value !== undefined),
        endpoint,
      )
      prepared('seodata/query', { endpoint, ...example })
    }
  })

  test('describes the format of parameters with several values', () => {
    const { fix } = refusal('seodata/query', {
      endpoint: '/apis/domain_stats_api/v2/getBulkDomainStats',
      showOnlyLatest: true,
    })
    assert.match(fix, /"domains".*commas/)
  })
})
