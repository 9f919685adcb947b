import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { billable, worstCase } from '../../catalog/prices/price.ts'
import { page, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run } = withSimulators()

describe('semantic/search', () => {
  test('rejects dates and excluded domains for people and company, and names the field', () => {
    for (const category of ['people', 'company']) {
      for (const [name, value] of Object.entries({
        start_published_date: '2026-01-01',
        end_published_date: '2026-01-01',
        exclude_domains: ['example.com'],
      })) {
        const error = refusal('semantic/search', { query: 'x', category, [name]: value })
        assert.equal(error.code, 'invalid_params')
        assert.equal(error.param, name)
      }
    }
  })

  test('searches people only on LinkedIn', () => {
    assert.equal(
      refusal('semantic/search', {
        query: 'x',
        category: 'people',
        include_domains: ['linkedin.com', 'example.com'],
      }).param,
      'include_domains[1]',
    )
    prepared('semantic/search', {
      query: 'x',
      category: 'people',
      include_domains: ['www.linkedin.com'],
    })
  })

  test('replaces the category github with a domain filter', () => {
    const { action, input } = prepared('semantic/search', { query: 'x', category: 'github' })
    assert.deepEqual((action.request(input).json as Data)['includeDomains'], ['github.com'])
    assert.equal((action.request(input).json as Data)['category'], undefined)
  })

  test('passes on the age of copies, without which the vendor ignores verbosity', () => {
    const contents = { text: { verbosity: 'full' }, maxAgeHours: 0 }
    const { action, input } = prepared('semantic/search', { query: 'x', contents })
    assert.deepEqual((action.request(input).json as Data)['contents'], contents)
  })

  test('retries once with the alternative name of a rejected type or category', () => {
    const sentTo = (asked: Data) => {
      const { action, input } = prepared('semantic/search', { query: 'x', ...asked })
      const [next] = action.followUps ?? []
      const again = next?.(
        { status: 400, headers: {}, body: { tag: 'INVALID_REQUEST_BODY' } },
        input,
      )
      return [action.request(input), again].map((wire) => {
        const { type, category } = (wire?.json ?? {}) as Data
        return [type, category, wire?.acceptedStatuses]
      })
    }
    assert.deepEqual(sentTo({ type: 'keyword' }), [
      ['keyword', undefined, [400]],
      ['fast', undefined, undefined],
    ])
    assert.deepEqual(sentTo({ type: 'deep-lite', category: 'research' }), [
      ['deep-lite', 'publication', [400]],
      ['deep', 'research paper', undefined],
    ])
    const { action, input } = prepared('semantic/search', { query: 'x' })
    assert.equal(action.request(input).acceptedStatuses, undefined)
    assert.equal(
      action.followUps?.[0]?.({ status: 200, headers: {}, body: { results: [] } }, input),
      null,
    )
  })

  test('is also available through a merchant, with one paid request', () => {
    const { action, input } = prepared('semantic/search', { query: 'x', type: 'keyword' })
    assert.ok(action.kind === 'call' && action.merchant !== undefined)
    const { at, request, followUps } = action.merchant
    assert.deepEqual(
      [at.baseUrl, at.method, followUps],
      ['https://api.exa.ai', 'tempo.charge', undefined],
    )
    assert.equal(request(input).acceptedStatuses, undefined)
    const { action: contents } = prepared('semantic/contents', { urls: ['https://example.com/'] })
    assert.ok(contents.kind === 'call' && contents.merchant?.at === at)
  })

  test('charges nothing without results', async () => {
    const result = await run('semantic/search', { query: 'sim:miss nothing at all' })
    assert.ok('outcome' in result && result.outcome.kind === 'empty')
    assert.equal(result.charged, 0n)
  })

  test('rejects an invalid date', () => {
    assert.equal(
      refusal('semantic/search', { query: 'x', start_published_date: 'yesterday' }).param,
      'start_published_date',
    )
  })
})

describe('semantic/contents', () => {
  test('returns failed pages without charging them', async () => {
    const urls = [
      page('fine'),
      page('miss'),
      page('page-404'),
      ...Array.from({ length: 12 }, (_, index) => `https://example.com/${index}`),
    ]
    const result = await run('semantic/contents', { urls, text: true, summary: true })
    assert.ok('outcome' in result && result.outcome.kind === 'partial')
    assert.equal(result.outcome.units, 26)
    assert.equal(result.charged, cents('3'))
  })

  test('charges nothing if every page failed', async () => {
    const result = await run('semantic/contents', { urls: [page('miss')] })
    assert.ok('outcome' in result && result.outcome.kind === 'empty')
    assert.equal(result.charged, 0n)
  })

  test('combines ids and URLs, charges duplicates once, and charges at least one cent', async () => {
    const { action, input } = prepared('semantic/contents', {
      urls: ['https://example.com/a', 'https://example.com/a'],
      ids: ['https://example.com/a'],
    })
    assert.deepEqual(action.request(input).json, {
      urls: ['https://example.com/a'],
      text: true,
      maxAgeHours: undefined,
    })
    assert.equal(worstCase(action, input), cents('1'))
  })

  test('does not request a disabled field, and requests the text by default', () => {
    const { action, input } = prepared('semantic/contents', {
      urls: ['https://example.com/'],
      text: false,
      highlights: true,
    })
    assert.deepEqual(Object.keys(action.request(input).json as Data), [
      'urls',
      'highlights',
      'maxAgeHours',
    ])
    const bare = prepared('semantic/contents', { urls: ['https://example.com/'], text: false })
    assert.equal((bare.action.request(bare.input).json as Data)['text'], true)
  })

  test('charges nothing for a read page without content', () => {
    const { action, input } = prepared('semantic/contents', { urls: ['https://example.com/'] })
    const body = {
      results: [{ id: 'https://example.com/', url: 'https://example.com/', text: ' ' }],
      statuses: [{ id: 'https://example.com/', status: 'success' }],
    }
    assert.equal(action.outcome({ status: 200, headers: {}, body }, input).kind, 'empty')
  })

  test('charges only the fields that were returned', () => {
    const urls = Array.from({ length: 11 }, (_, index) => `https://example.com/${index}`)
    const { action, input } = prepared('semantic/contents', { urls, text: true, summary: true })
    const body = {
      results: urls.map((url) => ({ id: url, url, text: 'What it says.' })),
      statuses: urls.map((id) => ({ id, status: 'success' })),
    }
    const outcome = action.outcome({ status: 200, headers: {}, body }, input)
    assert.ok(outcome.kind === 'partial')
    assert.equal(outcome.units, 11)
    assert.equal(billable(action, input, outcome), cents('2'))
  })

  test('requires urls or ids, and names an invalid URL', () => {
    assert.equal(refusal('semantic/contents', {}).code, 'invalid_params')
    const error = refusal('semantic/contents', { urls: ['https://example.com/', 'no address'] })
    assert.equal(error.code, 'bad_url')
    assert.equal(error.param, 'urls[1]')
  })
})
