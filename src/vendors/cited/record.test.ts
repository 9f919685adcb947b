import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

async function resultOf(id: string, sent: Data) {
  const result = await run(id, sent)
  assert.ok(
    'outcome' in result && (result.outcome.kind === 'done' || result.outcome.kind === 'partial'),
  )
  return { ...result.outcome, charged: result.charged }
}

describe('cited', () => {
  test('returns an answer with sources by default; search costs 1 cent, deep search 5', async () => {
    for (const [id, price] of [
      ['cited/search', '1'],
      ['cited/deep-search', '5'],
    ] as const) {
      const { data, charged } = await resultOf(id, { q: 'x', includeInlineCitations: true })
      assert.match(String(data['answer']), /\[1\]/)
      assert.ok(Array.isArray(data['sources']))
      assert.equal(charged, cents(price))
    }
  })

  test('derives the depth from the action, and sends the schema as text', () => {
    const schema = { type: 'object', properties: { year: { type: 'integer' } } }
    for (const [id, depth] of [
      ['cited/search', 'standard'],
      ['cited/deep-search', 'deep'],
    ] as const) {
      const { action, input } = prepared(id, {
        q: 'x',
        outputType: 'structured',
        structuredOutputSchema: schema,
      })
      const body = action.request(input).json as Data
      assert.equal(body['depth'], depth)
      assert.deepEqual(JSON.parse(String(body['structuredOutputSchema'])), schema)
    }
  })

  test('puts structured data into its own field', async () => {
    const schema = { type: 'object', properties: { year: { type: 'integer' } } }
    const { data } = await resultOf('cited/search', {
      q: 'x',
      outputType: 'structured',
      structuredOutputSchema: schema,
    })
    assert.deepEqual(data, { data: { year: 42 } })
  })

  test('requires an object schema for structured data and rejects one for other output', () => {
    assert.equal(
      refusal('cited/search', { q: 'x', outputType: 'structured' }).param,
      'structuredOutputSchema',
    )
    assert.equal(
      refusal('cited/search', { q: 'x', structuredOutputSchema: { type: 'object' } }).param,
      'structuredOutputSchema',
    )
    assert.equal(
      refusal('cited/search', {
        q: 'x',
        outputType: 'structured',
        structuredOutputSchema: { type: 'array' },
      }).param,
      'structuredOutputSchema',
    )
  })

  test('requires an answer for citations, and dates in order', () => {
    assert.equal(
      refusal('cited/search', { q: 'x', outputType: 'searchResults', includeInlineCitations: true })
        .param,
      'includeInlineCitations',
    )
    assert.equal(
      refusal('cited/search', { q: 'x', fromDate: '2026-02-01', toDate: '2026-01-01' }).param,
      'fromDate',
    )
  })

  test("treats the vendor's 400 for a search without results as a free miss", async () => {
    assert.equal(await failureOf('cited/search', { q: 'sim:miss' }), 'no_results')
    assert.equal(await failureOf('cited/search', { q: 'sim:400' }), 'upstream_rejected')
    const { action, input } = prepared('cited/search', { q: 'x' })
    assert.equal(
      action.outcome({ status: 200, headers: {}, body: { answer: ' ', sources: [] } }, input).kind,
      'failed',
    )
  })

  test('distinguishes used-up credit from too many requests, both 429', async () => {
    assert.equal(await failureOf('cited/search', { q: 'sim:quota' }), 'upstream_payment')
    assert.equal(await failureOf('cited/search', { q: 'sim:429' }), 'upstream_busy')
  })
})
