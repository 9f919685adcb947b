import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('render does not mistake a long article about walls for a wall', () => {
  const { action, input } = prepared('render/scrape', { url: page('fine') })
  const body = {
    success: true,
    data: {
      markdown: `# Access denied\n\n${'A story about a closed door. '.repeat(100)}`,
      metadata: { title: 'Access denied: a history', statusCode: 200 },
    },
  }
  assert.equal(action.outcome({ status: 200, headers: {}, body }, input).kind, 'done')
})

test('render accepts a list of titles', () => {
  const { action, input } = prepared('render/scrape', { url: page('fine') })
  const body = {
    success: true,
    data: { markdown: 'x', metadata: { title: ['Just a moment...', 'Other'], statusCode: 200 } },
  }
  assert.equal(action.outcome({ status: 200, headers: {}, body }, input).kind, 'failed')
})

test('render treats a page without the requested formats as a miss', () => {
  const { action, input } = prepared('render/scrape', {
    url: page('fine'),
    formats: ['markdown'],
  })
  const body = {
    success: true,
    data: { links: ['https://example.com/'], metadata: { statusCode: 200 } },
  }
  assert.equal(action.outcome({ status: 200, headers: {}, body }, input).kind, 'failed')
})

test('render sends the vendor a deadline of at least twice the wait', () => {
  for (const [waitFor, timeout] of [
    [0, 60_000],
    [20_000, 60_000],
    [60_000, 135_000],
  ]) {
    const { action, input } = prepared('render/scrape', { url: page('fine'), waitFor })
    assert.equal((action.request(input).json as Data)['timeout'], timeout)
  }
})

test('render charges nothing for a map without pages', async () => {
  const result = await run('render/map', { url: page('miss') })
  assert.ok('outcome' in result && result.outcome.kind === 'empty')
  assert.equal(result.charged, 0n)
})

test("render/crawl always sends a limit, and the depth under the vendor's name", () => {
  const { action, input } = prepared('render/crawl', { url: page('fine'), maxDepth: 3 })
  const { limit, maxDiscoveryDepth } = action.request(input).json as Data
  assert.deepEqual([limit, maxDiscoveryDepth], [10, 3])
  assert.equal(refusal('render/crawl', { url: page('fine'), limit: 101 }).param, 'limit')
})

test('render/extract reads listed pages in a batch, and parts of sites with an agent', () => {
  const wireOf = (input: Data): { path: string; json: Data } => {
    const { action, input: checked } = prepared('render/extract', input)
    const { path, json } = action.request(checked)
    return { path, json: json as Data }
  }
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  const listed = wireOf({ urls: ['https://a.example/1'], schema })
  assert.equal(listed.path, '/batch/scrape')
  assert.deepEqual(listed.json['formats'], [{ type: 'json', schema }])
  const site = wireOf({ urls: ['https://a.example/*'], schema })
  assert.equal(site.path, '/agent')
  assert.equal(site.json['strictConstrainToURLs'], true)
  assert.ok(Number(site.json['maxCredits']) <= 500)
  assert.match(String(site.json['prompt']), /schema/, 'the vendor requires a prompt')
})

test('render/extract joins the data of all pages: lists grow, the first value counts', async () => {
  const { data: launched } = await answered('render/extract', {
    urls: [page('fine'), 'https://b.example/'],
    prompt: 'Titles.',
  })
  assert.match(String(launched['id']), /^batch_/)
  const { action, input } = prepared('render/extract_status', { id: 'batch_1' })
  const outcomeOf = (body: Data) => action.outcome({ status: 200, headers: {}, body }, input)
  const joined = outcomeOf({
    success: true,
    status: 'completed',
    data: [
      { markdown: 'x', json: { name: '', prices: [1], seller: { city: null, zip: '1' } } },
      { json: { name: 'A', prices: [1, 2], seller: { city: 'Bonn', zip: '2' } } },
      { metadata: { error: 'blocked' } },
    ],
  })
  assert.ok(joined.kind === 'done')
  assert.deepEqual(joined.data['data'], {
    name: 'A',
    prices: [1, 2],
    seller: { city: 'Bonn', zip: '1' },
  })
  const early = outcomeOf({ success: true, status: 'scraping', data: [] })
  assert.ok(early.kind === 'done' && early.data['status'] === 'processing')
  const nothing = outcomeOf({ success: true, status: 'completed', data: [{ metadata: {} }] })
  assert.equal(nothing.kind !== 'failed' && nothing.data['status'], 'failed')
})

test('render/extract_status still answers for jobs of the former extraction', () => {
  const pathOf = (id: string): string => {
    const { action, input } = prepared('render/extract_status', { id })
    return action.request(input).path
  }
  assert.deepEqual(['batch_0197a1b2', '0197a1b2'].map(pathOf), [
    '/batch/scrape/0197a1b2',
    '/agent/0197a1b2',
  ])
  const { action, input } = prepared('render/extract_status', { id: '0197a1b2' })
  const [next] = ('followUps' in action && action.followUps) || []
  const after = (status: number) => next?.({ status, headers: {}, body: {} }, input)?.path
  assert.deepEqual([after(404), after(200)], ['/extract/0197a1b2', undefined])
})

test('render polls for free', async () => {
  for (const id of ['render/crawl_status', 'render/extract_status']) {
    const { data, charged } = await answered(id, { id: finished([page('fine')]) })
    assert.deepEqual([data['status'], charged], ['completed', 0n])
  }
})

test('render returns a large crawl in parts, without a vendor URL', async () => {
  const id = finished([page('fine')], 8)
  const first = await answered('render/crawl_status', { id })
  assert.equal((first.data['data'] as unknown[]).length, 5)
  assert.doesNotMatch(JSON.stringify(first.data), /firecrawl/)
  const second = await answered('render/crawl_status', { id, skip: first.data['next_skip'] })
  assert.equal((second.data['data'] as unknown[]).length, 3)
  assert.equal(second.data['next_skip'], undefined)
})
