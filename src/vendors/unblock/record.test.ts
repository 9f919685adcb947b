import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { page, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, missOf, failureOf } = withSimulators()

describe('unblock/unblock', () => {
  test('charges two cents for a page and returns its status', async () => {
    const result = await run('unblock/unblock', { url: page('fine'), format: 'html' })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.equal(result.charged, cents('2'))
    assert.equal(result.outcome.data['status_code'], 200)
    assert.match(String(result.outcome.data['html']), /<!doctype html>/)
  })

  test('treats a success with an error header as a free miss', async () => {
    const miss = await missOf('unblock/unblock', { url: page('miss') })
    assert.equal(miss.code, 'no_results')
    assert.equal(miss.details?.['blocked'], true)
  })

  test("treats the page's own error status and a wall as free misses", async () => {
    assert.equal(
      (await missOf('unblock/unblock', { url: page('page-404') })).details?.['page_status'],
      404,
    )
    assert.equal(
      (await missOf('unblock/unblock', { url: page('wall') })).details?.['blocked'],
      true,
    )
  })

  test("treats a rejected token and an unknown zone as the operator's problem", async () => {
    assert.equal(
      await failureOf('unblock/unblock', { url: page('status-401') }),
      'upstream_not_configured',
    )
    const { service } = prepared('unblock/unblock', { url: page('fine') })
    assert.equal(
      service.vendor?.readFailure?.({
        status: 400,
        headers: {},
        body: 'zone web_unlocker1 not found',
      })?.code,
      'upstream_not_configured',
    )
  })

  test("accepts no zone from callers, because it belongs to the operator's account", () => {
    assert.equal(refusal('unblock/unblock', { url: page('fine'), zone: 'other' }).param, 'zone')
    const { action, service, input } = prepared('unblock/unblock', {
      url: page('fine'),
      country: 'DE',
    })
    assert.deepEqual(Object.keys(service.vendor?.accountFields ?? {}), ['zone'])
    assert.deepEqual(action.request(input).json, {
      url: page('fine'),
      format: 'json',
      method: 'GET',
      country: 'de',
      data_format: 'markdown',
    })
  })
})
