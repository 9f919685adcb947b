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
  test('a country goes to the vendor by its name, and only with topic general', () => {
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

  test('a code that is no country has no name', () => {
    assert.equal(countryName('de'), 'Germany')
    for (const code of ['qq', 'd', 'deu', '']) assert.equal(countryName(code), undefined)
  })

  test('at most 20 results, and none only with an answer', async () => {
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

  test('no results is an answer and free', () =>
    isFreeAndEmpty('rag/search', { query: 'sim:miss', include_answer: true }))

  test('the limits of a plan, 432 and 433, are the operator’s want of payment', async () => {
    for (const status of [432, 433])
      assert.equal(await failureOf('rag/search', { query: `sim:${status}` }), 'upstream_payment')
  })
})

describe('rag/extract', () => {
  test('at most five pages, one price for the call, markdown unless text is asked for', async () => {
    const urls = Array.from({ length: 6 }, (_, index) => `https://example.com/${index}`)
    assert.equal(refusal('rag/extract', { urls }).code, 'invalid_params')
    const { action, input } = prepared('rag/extract', { urls: urls.slice(1) })
    assert.equal((action.request(input).json as Data)['format'], 'markdown')
    assert.equal((await resultOf('rag/extract', { urls: urls.slice(1) })).charged, cents('1'))
  })

  test('some pages lost cost the same, every page lost costs nothing', async () => {
    const some = await resultOf('rag/extract', { urls: [page('fine'), page('miss')] })
    assert.deepEqual([some.kind, some.charged], ['partial', cents('1')])
    await isFreeAndEmpty('rag/extract', { urls: [page('miss'), page('page-404')] })
  })

  test('what is no address is refused by its place', () => {
    assert.equal(
      refusal('rag/extract', { urls: ['https://example.com/', 'nothing'] }).param,
      'urls[1]',
    )
  })
})
