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
  test('an answer with its sources unless something else is asked for; the plain search costs 1 cent, the deep one 5', async () => {
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

  test('the depth follows from the action, and the schema travels as text', () => {
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

  test('structured data stands under a field of its own', async () => {
    const schema = { type: 'object', properties: { year: { type: 'integer' } } }
    const { data } = await resultOf('cited/search', {
      q: 'x',
      outputType: 'structured',
      structuredOutputSchema: schema,
    })
    assert.deepEqual(data, { data: { year: 42 } })
  })

  test('a schema is wanted for structured data, for nothing else, and with an object at its root', () => {
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

  test('citations need an answer, and dates their order', () => {
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

  test('a search without results is a miss and free, although the vendor answers 400', async () => {
    assert.equal(await failureOf('cited/search', { q: 'sim:miss' }), 'no_results')
    assert.equal(await failureOf('cited/search', { q: 'sim:400' }), 'upstream_rejected')
    const { action, input } = prepared('cited/search', { q: 'x' })
    assert.equal(
      action.outcome({ status: 200, headers: {}, body: { answer: ' ', sources: [] } }, input).kind,
      'failed',
    )
  })

  test('used-up credit, which comes as 429, is told from haste', async () => {
    assert.equal(await failureOf('cited/search', { q: 'sim:quota' }), 'upstream_payment')
    assert.equal(await failureOf('cited/search', { q: 'sim:429' }), 'upstream_busy')
  })
})
