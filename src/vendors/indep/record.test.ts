import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

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

describe('indep', () => {
  test('returns up to 20 web results or 50 news per page', async () => {
    assert.equal(refusal('indep/search', { q: 'x', count: 21 }).param, 'count')
    assert.equal(refusal('indep/news', { q: 'x', count: 51 }).param, 'count')
    const { data, charged } = await resultOf('indep/news', { q: 'x', count: 50 })
    assert.equal((data['results'] as unknown[]).length, 50)
    assert.equal(charged, cents('1'))
  })

  test('accepts only pd, pw, pm, py or a range as freshness', () => {
    for (const freshness of ['pd', 'pw', 'pm', 'py', '2026-01-01to2026-02-01'])
      prepared('indep/search', { q: 'x', freshness })
    for (const freshness of ['day', '2026-01-01', 'px'])
      assert.equal(refusal('indep/search', { q: 'x', freshness }).param, 'freshness')
  })

  test('accepts kinds of results as a list or separated by commas', () => {
    for (const result_filter of [['web', 'faq'], 'web,faq']) {
      const { action, input } = prepared('indep/search', { q: 'x', result_filter })
      assert.equal(action.request(input).query?.['result_filter'], 'web,faq')
    }
  })

  test('accepts a news filter that includes news without sending it, and rejects others', () => {
    for (const result_filter of [['web', 'news'], 'news']) {
      const { action, input } = prepared('indep/news', { q: 'x', result_filter })
      const { query = {} } = action.request(input)
      assert.ok(!('result_filter' in query) || query['result_filter'] === undefined)
    }
    for (const result_filter of ['web', ['faq', 'videos'], 'newspaper'])
      assert.equal(refusal('indep/news', { q: 'x', result_filter }).param, 'result_filter')
  })

  test('rejects a query of more than 50 words or 400 characters before a hold', () => {
    assert.equal(refusal('indep/search', { q: 'word '.repeat(51) }).param, 'q')
    assert.equal(refusal('indep/search', { q: 'a'.repeat(401) }).param, 'q')
  })

  test('charges nothing for an answer without results in any section', async () => {
    await isFreeAndEmpty('indep/search', { q: 'sim:miss' })
    await isFreeAndEmpty('indep/news', { q: 'sim:miss' })
  })

  test('distinguishes a wrong token and a used-up month from bad parameters and rate limits', async () => {
    assert.equal(await failureOf('indep/search', { q: 'sim:401' }), 'upstream_not_configured')
    assert.equal(await failureOf('indep/search', { q: 'sim:422' }), 'upstream_rejected')
    assert.equal(await failureOf('indep/search', { q: 'sim:quota' }), 'upstream_payment')
    assert.equal(await failureOf('indep/search', { q: 'sim:429' }), 'upstream_busy')
  })
})
