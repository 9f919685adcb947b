/**
 * Crawls and extractions of `render` and `render2`: one action launches them, another polls them.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { startJob } from '../../simulators/jobs.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { page, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

async function answered(id: string, sent: Data) {
  const result = await run(id, sent)
  assert.ok('outcome' in result && result.outcome.kind !== 'failed')
  return { kind: result.outcome.kind, data: result.outcome.data, charged: result.charged }
}

const LONG_AGO = () => 0

const finished = (urls: readonly string[], most = 10) => startJob({ urls, most }, LONG_AGO)

describe('a launch', () => {
  const launches = {
    'render2/crawl': '10',
    'render2/extract': '5',
    'render/crawl': '1',
    'render/extract': '1',
  } as const
  const inputOf = (id: string) =>
    id.endsWith('crawl') ? { url: page('fine') } : { urls: [page('fine')], prompt: 'the title' }

  for (const [id, price] of Object.entries(launches)) {
    test(`${id}: costs ${price} cents and returns an id without a vendor URL`, async () => {
      const { data, charged } = await answered(id, inputOf(id))
      assert.equal(charged, cents(price))
      assert.deepEqual(Object.keys(data), ['success', 'id'])
      const running = await answered(`${id}_status`, { id: data['id'] })
      assert.ok(['scraping', 'processing'].includes(String(running.data['status'])))
    })

    test(`${id}: is free if the vendor rejects the job`, () => {
      const { action, input } = prepared(id, inputOf(id))
      assert.equal(
        action.outcome({ status: 200, headers: {}, body: { success: false, error: 'no' } }, input)
          .kind,
        'failed',
      )
    })
  }

  test('extracts from up to ten pages, and requires a prompt or a schema', () => {
    const urls = Array.from({ length: 11 }, (_, index) => `https://example.com/${index}`)
    for (const id of ['render/extract', 'render2/extract']) {
      assert.equal(refusal(id, { urls, prompt: 'x' }).param, 'urls')
      assert.equal(refusal(id, { urls: urls.slice(1) }).code, 'invalid_params')
      prepared(id, { urls: urls.slice(1), schema: { type: 'object' } })
      assert.equal(refusal(id, { urls: ['nothing'], prompt: 'x' }).param, 'urls[0]')
    }
  })
})

describe('a poll', () => {
  test('returns a failed job without a charge', async () => {
    for (const id of ['render2/crawl_status', 'render2/extract_status', 'render/crawl_status']) {
      const { kind, data, charged } = await answered(id, { id: finished([page('miss')]) })
      assert.deepEqual([kind, data['status'], charged], ['empty', 'failed', 0n])
    }
  })

  test('reports an unknown id as not found, and rejects one that leaves its path', async () => {
    for (const id of [
      'render2/crawl_status',
      'render2/extract_status',
      'render/crawl_status',
      'render/extract_status',
    ]) {
      assert.equal(await failureOf(id, { id: 'unknown-1' }), 'upstream_not_found')
      for (const wrong of ['../account', 'a/b', 'a?b', ''])
        assert.equal(refusal(id, { id: wrong }).param, 'id')
    }
  })

  test('is retried once after a server error, unlike a launch', () => {
    for (const id of [
      'render2/crawl_status',
      'render2/extract_status',
      'render/crawl_status',
      'render/extract_status',
    ]) {
      const { action, input } = prepared(id, { id: 'abc' })
      assert.equal(action.request(input).retry?.times, 1)
    }
    for (const id of ['render2/crawl', 'render/crawl']) {
      const { action, input } = prepared(id, { url: page('fine') })
      assert.equal(action.request(input).retry, undefined)
    }
  })
})

describe('a search', () => {
  test('charges nothing without results, for render and render2', async () => {
    for (const id of ['render/search', 'render2/search']) {
      assert.equal((await answered(id, { query: 'x' })).charged, cents('1'))
      const { kind, charged } = await answered(id, { query: 'sim:miss' })
      assert.deepEqual([kind, charged], ['empty', 0n])
    }
  })
})
