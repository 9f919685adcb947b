import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { countryName } from '../shared/country-names.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { page, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

async function isFreeAndEmpty(id: string, sent: Data): Promise<void> {
  const result = await run(id, sent)
  assert.ok('outcome' in result && result.outcome.kind === 'empty')
  assert.equal(result.charged, 0n)
}

async function resultOf(id: string, sent: Data) {
  const result = await run(id, sent)
  assert.ok(
    'outcome' in result && (result.outcome.kind === 'done' || result.outcome.kind === 'partial'),
  )
  return { ...result.outcome, charged: result.charged }
}

describe('rag/search', () => {
  test('sends a country by name, and only with topic general', () => {
    for (const [country, name] of [
      ['us', 'united states'],
      ['CZ', 'czech republic'],
      ['ba', 'bosnia and herzegovina'],
      ['South Korea', 'south korea'],
    ]) {
      const { action, input } = prepared('rag/search', { query: 'x', country })
      assert.equal((action.request(input).json as Data)['country'], name)
    }
    assert.equal(refusal('rag/search', { query: 'x', country: 'qq' }).param, 'country')
    assert.equal(
      refusal('rag/search', { query: 'x', country: 'de', topic: 'news' }).param,
      'country',
    )
  })

  test('has no name for an unknown country code', () => {
    assert.equal(countryName('de'), 'Germany')
    for (const code of ['qq', 'd', 'deu', '']) assert.equal(countryName(code), undefined)
  })

  test('returns up to 20 results, and none only with an answer', async () => {
    assert.equal(refusal('rag/search', { query: 'x', max_results: 21 }).param, 'max_results')
    assert.equal(refusal('rag/search', { query: 'x', max_results: 0 }).param, 'max_results')
    const { data, charged } = await resultOf('rag/search', {
      query: 'x',
      max_results: 0,
      include_answer: true,
    })
    assert.match(String(data['answer']), /Simulated answer/)
    assert.equal(charged, cents('1'))
  })

  test('charges nothing without results', () =>
    isFreeAndEmpty('rag/search', { query: 'sim:miss', include_answer: true }))

  test('treats the plan limits 432 and 433 as a payment problem of the operator', async () => {
    for (const status of [432, 433])
      assert.equal(await failureOf('rag/search', { query: `sim:${status}` }), 'upstream_payment')
  })
})

describe('rag/extract', () => {
  test('reads up to five pages for one price, as markdown by default', async () => {
    const urls = Array.from({ length: 6 }, (_, index) => `https://example.com/${index}`)
    assert.equal(refusal('rag/extract', { urls }).code, 'invalid_params')
    const { action, input } = prepared('rag/extract', { urls: urls.slice(1) })
    assert.equal((action.request(input).json as Data)['format'], 'markdown')
    assert.equal((await resultOf('rag/extract', { urls: urls.slice(1) })).charged, cents('1'))
  })

  test('charges the same if some pages fail, and nothing if all fail', async () => {
    const some = await resultOf('rag/extract', { urls: [page('fine'), page('miss')] })
    assert.deepEqual([some.kind, some.charged], ['partial', cents('1')])
    await isFreeAndEmpty('rag/extract', { urls: [page('miss'), page('page-404')] })
  })

  test('rejects an invalid URL and names its place', () => {
    assert.equal(
      refusal('rag/extract', { urls: ['https://example.com/', 'nothing'] }).param,
      'urls[1]',
    )
  })
})
