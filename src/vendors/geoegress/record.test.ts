import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { billable, worstCase } from '../../catalog/prices/price.ts'
import { page, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, missOf, failureOf } = withSimulators()

describe('geoegress/scrape', () => {
  test('holds 25 cents and never charges more', () => {
    const { action, input } = prepared('geoegress/scrape', { url: page('fine') })
    assert.equal(worstCase(action, input), cents('25'))
    assert.equal(
      billable(action, input, { kind: 'done', data: {}, actual: cents('90') }),
      cents('25'),
    )
  })

  test("charges one cent per page under the operator's own key, which reports no cost", async () => {
    const result = await run('geoegress/scrape', {
      url: page('fine'),
      geo_location: 'Germany',
      render: 'html',
    })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.equal(result.charged, cents('1'))
  })

  test('sends a country code as a name and a place unchanged, and rejects unknown codes', () => {
    for (const [sent, name] of [
      ['de', 'Germany'],
      ['US', 'United States'],
      ['California,United States', 'California,United States'],
    ]) {
      const { action, input } = prepared('geoegress/scrape', {
        url: page('fine'),
        geo_location: sent,
      })
      assert.equal((action.request(input).json as Data)['geo_location'], name)
    }
    assert.equal(
      refusal('geoegress/scrape', { url: page('fine'), geo_location: 'qq' }).param,
      'geo_location',
    )
    assert.equal(refusal('geoegress/scrape', { url: page('fine'), render: 'png' }).param, 'render')
  })

  test("treats a failed job, the page's error status and a wall as free misses", async () => {
    assert.equal((await missOf('geoegress/scrape', { url: page('miss') })).code, 'no_results')
    assert.equal(
      (await missOf('geoegress/scrape', { url: page('page-404') })).details?.['page_status'],
      404,
    )
    assert.equal(
      (await missOf('geoegress/scrape', { url: page('wall') })).details?.['blocked'],
      true,
    )
    assert.equal(
      await failureOf('geoegress/scrape', { url: page('status-524') }),
      'upstream_timeout',
    )
  })
})
