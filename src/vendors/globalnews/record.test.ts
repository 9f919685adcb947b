import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, refusal, wireOf, withSimulators } from '../../catalog/testing/run-call.ts'

const { missOf } = withSimulators()

describe('globalnews', () => {
  test("reports an error with status 200 as the caller's mistake, without a charge", async () => {
    const miss = await missOf('globalnews/news', { query: 'ab' })
    assert.equal(miss.code, 'upstream_rejected')
    assert.match(JSON.stringify(miss.details), /too short/)
  })

  test('treats a web page instead of data as an upstream failure', () => {
    const { action, input } = prepared('globalnews/news', { query: 'ledgers' })
    const outcome = action.outcome(
      { status: 200, headers: {}, body: '<html>We are being repaired.</html>' },
      input,
    )
    assert.ok(outcome.kind === 'failed' && outcome.code === 'upstream_error')
  })

  test('rejects a timespan combined with datetimes', () => {
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

  test('returns up to 250 articles, 75 by default, and two kinds of timeline', () => {
    assert.equal(refusal('globalnews/news', { query: 'x', maxrecords: 251 }).param, 'maxrecords')
    assert.equal(wireOf('globalnews/news', { query: 'x' }).query?.['maxrecords'], 75)
    assert.equal(refusal('globalnews/timeline', { query: 'x', mode: 'artlist' }).param, 'mode')
  })
})
