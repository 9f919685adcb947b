import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { page, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, missOf, failureOf } = withSimulators()

describe('unblock/unblock', () => {
  test('a page that was read costs two cents and says what status it had', async () => {
    const result = await run('unblock/unblock', { url: page('fine'), format: 'html' })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.equal(result.charged, cents('2'))
    assert.equal(result.outcome.data['status_code'], 200)
    assert.match(String(result.outcome.data['html']), /<!doctype html>/)
  })

  test('a success of the vendor whose headers carry an error is a miss and free', async () => {
    const miss = await missOf('unblock/unblock', { url: page('miss') })
    assert.equal(miss.code, 'no_results')
    assert.equal(miss.details?.['blocked'], true)
  })

  test('the target’s own error page and a wall are misses and free', async () => {
    assert.equal(
      (await missOf('unblock/unblock', { url: page('page-404') })).details?.['page_status'],
      404,
    )
    assert.equal(
      (await missOf('unblock/unblock', { url: page('wall') })).details?.['blocked'],
      true,
    )
  })

  test('a refused token and a zone that does not exist are the operator’s business', async () => {
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

  test('the caller names no zone: it belongs to the operator’s account', () => {
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
