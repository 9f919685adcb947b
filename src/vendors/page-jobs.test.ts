/** Crawls and extractions of `render` and `render2`: launched by one action, asked about by another. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../lib/money.ts'
import { startJob } from '../simulators/jobs.ts'
import type { Data } from '../catalog/vocabulary/outcome.ts'
import { page, prepared, refusal, withSimulators } from '../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

async function answered(id: string, sent: Data) {
  const result = await run(id, sent)
  assert.ok('outcome' in result && result.outcome.kind !== 'failed')
  return { kind: result.outcome.kind, data: result.outcome.data, charged: result.charged }
}

const LONG_AGO = () => 0
const finished = (urls: readonly string[], most = 10) => startJob({ urls, most }, LONG_AGO)

describe('launching', () => {
  const launches = {
    'render2/crawl': '10',
    'render2/extract': '5',
    'render/crawl': '1',
    'render/extract': '1',
  } as const
  const inputOf = (id: string) =>
    id.endsWith('crawl') ? { url: page('fine') } : { urls: [page('fine')], prompt: 'the title' }

  for (const [id, price] of Object.entries(launches)) {
    test(`${id}: ${price} cents at launch, for an id and no address of the vendor`, async () => {
      const { data, charged } = await answered(id, inputOf(id))
      assert.equal(charged, cents(price))
      assert.deepEqual(Object.keys(data), ['success', 'id'])
      const running = await answered(`${id}_status`, { id: data['id'] })
      assert.ok(['scraping', 'processing'].includes(String(running.data['status'])))
    })

    test(`${id}: a job that the vendor does not take is free`, () => {
      const { action, input } = prepared(id, inputOf(id))
      assert.equal(
        action.outcome({ status: 200, headers: {}, body: { success: false, error: 'no' } }, input)
          .kind,
        'failed',
      )
    })
  }

  test('render2/crawl reads at most 100 pages, and 100 unless told otherwise', () => {
    assert.equal(refusal('render2/crawl', { url: page('fine'), maxPages: 101 }).param, 'maxPages')
    const { action, input } = prepared('render2/crawl', { url: page('fine') })
    assert.equal((action.request(input).json as Data)['maxPages'], 100)
  })

  test('render/crawl always sends a limit, and the depth under the vendor’s name', () => {
    const { action, input } = prepared('render/crawl', { url: page('fine'), maxDepth: 3 })
    const { limit, maxDiscoveryDepth } = action.request(input).json as Data
    assert.deepEqual([limit, maxDiscoveryDepth], [10, 3])
    assert.equal(refusal('render/crawl', { url: page('fine'), limit: 101 }).param, 'limit')
  })

  test('an extraction takes at most ten pages, and wants a prompt or a schema', () => {
    const urls = Array.from({ length: 11 }, (_, index) => `https://example.com/${index}`)
    for (const id of ['render/extract', 'render2/extract']) {
      assert.equal(refusal(id, { urls, prompt: 'x' }).param, 'urls')
      assert.equal(refusal(id, { urls: urls.slice(1) }).code, 'invalid_params')
      prepared(id, { urls: urls.slice(1), schema: { type: 'object' } })
      assert.equal(refusal(id, { urls: ['nothing'], prompt: 'x' }).param, 'urls[0]')
    }
  })

  test('render2/extract asks to be answered at once', () => {
    const { action, input } = prepared('render2/extract', { urls: [page('fine')], prompt: 'x' })
    assert.equal(action.request(input).headers?.['prefer'], 'respond-async')
    assert.deepEqual(action.request(input).json, { urls: [page('fine')], prompt: 'x' })
  })

  test('render2/extract takes basis beside a prompt, a schema, or both', async () => {
    const sent = (more: Data) => {
      const { action, input } = prepared('render2/extract', {
        urls: [page('fine')],
        basis: true,
        ...more,
      })
      return action.request(input).json as Data
    }
    const schema = { type: 'object', properties: { price: { type: 'string' } } }
    assert.deepEqual(
      [
        sent({ schema })['schema'],
        sent({ schema, prompt: 'x' })['prompt'],
        sent({ schema })['basis'],
      ],
      [schema, 'x', true],
    )
    assert.deepEqual(sent({ prompt: 'The price.' })['schema'], {
      type: 'object',
      properties: { result: { type: 'string', description: 'The price.' } },
      required: ['result'],
    })
    await answered('render2/extract', { urls: [page('fine')], prompt: 'The price.', basis: true })
    const id = startJob({ urls: [page('fine')], fields: ['result'] }, LONG_AGO)
    const { data } = await answered('render2/extract_status', { id })
    const [result] = data['results'] as {
      data: Data
      basis: { field: string; citations: unknown[] }[]
    }[]
    assert.deepEqual(
      [
        Object.keys(result?.data ?? {}),
        result?.basis[0]?.field,
        result?.basis[0]?.citations.length,
      ],
      [['result'], 'result', 1],
    )
  })
})

describe('asking', () => {
  test('each poll of render2 costs one cent, while the job runs and when it is completed', async () => {
    for (const id of ['render2/crawl_status', 'render2/extract_status']) {
      assert.equal(
        (await answered(id, { id: startJob({ urls: [page('fine')] }, Date.now) })).charged,
        cents('1'),
      )
      const { data, charged } = await answered(id, { id: finished([page('fine')]) })
      assert.equal(data['status'], 'completed')
      assert.equal(charged, cents('1'))
    }
  })

  test('polls of render are free', async () => {
    for (const id of ['render/crawl_status', 'render/extract_status']) {
      const { data, charged } = await answered(id, { id: finished([page('fine')]) })
      assert.deepEqual([data['status'], charged], ['completed', 0n])
    }
  })

  test('a job that failed is shown and free', async () => {
    for (const id of ['render2/crawl_status', 'render2/extract_status', 'render/crawl_status']) {
      const { kind, data, charged } = await answered(id, { id: finished([page('miss')]) })
      assert.deepEqual([kind, data['status'], charged], ['empty', 'failed', 0n])
    }
  })

  test('an id that the vendor does not know is not found, and one that would leave its path is refused', async () => {
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

  test('a poll, which changes nothing, may be asked once more after a server error, and a launch may not', () => {
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

  test('a large crawl of render comes in parts, without an address of the vendor', async () => {
    const id = finished([page('fine')], 8)
    const first = await answered('render/crawl_status', { id })
    assert.equal((first.data['data'] as unknown[]).length, 5)
    assert.doesNotMatch(JSON.stringify(first.data), /firecrawl/)
    const second = await answered('render/crawl_status', { id, skip: first.data['next_skip'] })
    assert.equal((second.data['data'] as unknown[]).length, 3)
    assert.equal(second.data['next_skip'], undefined)
  })
})

describe('searching', () => {
  test('no results is an answer and free, with render and with render2', async () => {
    for (const id of ['render/search', 'render2/search']) {
      assert.equal((await answered(id, { query: 'x' })).charged, cents('1'))
      const { kind, charged } = await answered(id, { query: 'sim:miss' })
      assert.deepEqual([kind, charged], ['empty', 0n])
    }
  })

  test('render2 gives the rows the same place, whichever edition answers', () => {
    const { action, input } = prepared('render2/search', { query: 'x' })
    const rows = [{ url: 'https://example.com/' }]
    for (const data of [rows, { results: rows }]) {
      const outcome = action.outcome(
        { status: 200, headers: {}, body: { success: true, data } },
        input,
      )
      assert.deepEqual(outcome, { kind: 'done', data: { success: true, data: rows } })
    }
  })

  test('render2 takes hour to year, web, news and images, and at most 20 results of each', async () => {
    for (const tbs of ['qdr:h', 'qdr:d', 'qdr:w', 'qdr:m', 'qdr:y'])
      prepared('render2/search', { query: 'x', tbs })
    assert.equal(refusal('render2/search', { query: 'x', tbs: 'qdr:x' }).param, 'tbs')
    assert.equal(refusal('render2/search', { query: 'x', limit: 21 }).param, 'limit')
    const { data } = await answered('render2/search', { query: 'x', sources: ['web', 'images'] })
    assert.deepEqual(Object.keys(data['data'] as Data), ['web', 'images'])
  })

  test('a site without pages to list is an answer and free', async () => {
    const { kind, charged } = await answered('render2/map', { url: page('miss') })
    assert.deepEqual([kind, charged], ['empty', 0n])
  })
})
