import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { startJob } from '../../simulators/jobs.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { page, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run } = withSimulators()

async function answered(id: string, sent: Data) {
  const result = await run(id, sent)
  assert.ok('outcome' in result && result.outcome.kind !== 'failed')
  return { kind: result.outcome.kind, data: result.outcome.data, charged: result.charged }
}

const LONG_AGO = () => 0

const finished = (urls: readonly string[], most = 10) => startJob({ urls, most }, LONG_AGO)

test('render2 requests JSON for a schema, and rejects JSON without one', () => {
  const { action, input } = prepared('render2/scrape', {
    url: page('fine'),
    jsonSchema: { type: 'object' },
  })
  assert.deepEqual((action.request(input).json as Data)['formats'], ['markdown', 'json'])
  assert.equal(
    refusal('render2/scrape', { url: page('fine'), formats: ['json'] }).param,
    'jsonSchema',
  )
  assert.equal(
    refusal('render2/scrape', { url: page('fine'), formats: ['screenshot'], renderJs: false })
      .param,
    'renderJs',
  )
})

test('render2/crawl reads up to 100 pages, the default', () => {
  assert.equal(refusal('render2/crawl', { url: page('fine'), maxPages: 101 }).param, 'maxPages')
  const { action, input } = prepared('render2/crawl', { url: page('fine') })
  assert.equal((action.request(input).json as Data)['maxPages'], 100)
})

test('render2/extract requests an asynchronous answer', () => {
  const { action, input } = prepared('render2/extract', { urls: [page('fine')], prompt: 'x' })
  assert.equal(action.request(input).headers?.['prefer'], 'respond-async')
  assert.deepEqual(action.request(input).json, { urls: [page('fine')], prompt: 'x' })
})

test('render2/extract accepts basis with a prompt, a schema, or both', async () => {
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
    [Object.keys(result?.data ?? {}), result?.basis[0]?.field, result?.basis[0]?.citations.length],
    [['result'], 'result', 1],
  )
})

test('render2 charges one cent per poll, for a running and a completed job', async () => {
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

test('render2 returns rows in the same place for both editions', () => {
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

test('render2 accepts hour to year, web, news and images, up to 20 results each', async () => {
  for (const tbs of ['qdr:h', 'qdr:d', 'qdr:w', 'qdr:m', 'qdr:y'])
    prepared('render2/search', { query: 'x', tbs })
  assert.equal(refusal('render2/search', { query: 'x', tbs: 'qdr:x' }).param, 'tbs')
  assert.equal(refusal('render2/search', { query: 'x', limit: 21 }).param, 'limit')
  const { data } = await answered('render2/search', { query: 'x', sources: ['web', 'images'] })
  assert.deepEqual(Object.keys(data['data'] as Data), ['web', 'images'])
})

test('render2 charges nothing for a site without pages', async () => {
  const { kind, charged } = await answered('render2/map', { url: page('miss') })
  assert.deepEqual([kind, charged], ['empty', 0n])
})
