import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { startJob } from '../../simulators/jobs.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
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

describe('agentic', () => {
  test('requires an objective or a query, and sends at least one query', () => {
    assert.equal(refusal('agentic/search', {}).code, 'invalid_params')
    for (const [sent, queries] of [
      [{ objective: 'why' }, ['why']],
      [{ query: 'a' }, ['a']],
      [{ objective: 'why', search_queries: ['a', 'b'] }, ['a', 'b']],
    ] as const) {
      const { action, input } = prepared('agentic/search', sent)
      assert.deepEqual((action.request(input).json as Data)['search_queries'], queries)
    }
  })

  test('sends every query of the caller, in any parameter, to vendor and merchant', () => {
    const asked = (sent: Data) => {
      const { action, input } = prepared('agentic/search', sent)
      assert.ok(action.merchant)
      return [action.request(input).json, action.merchant.request(input).json].map((json) => {
        const { objective, query, search_queries: queries } = json as Data
        return [objective, query, queries].filter((part) => part !== undefined)
      })
    }
    assert.deepEqual(asked({ objective: 'why', query: 'a' }), [
      ['why', ['a']],
      ['why', ['a']],
    ])
    assert.deepEqual(asked({ query: 'a', search_queries: ['b', 'a'] }), [
      [['a', 'b']],
      ['a; b', ['a', 'b']],
    ])
  })

  test('charges an extraction one cent per page read', async () => {
    const { data, kind, charged } = await resultOf('agentic/extract', {
      urls: [page('fine'), page('miss'), 'https://example.com/'],
      objective: 'x',
    })
    assert.equal(kind, 'partial')
    assert.equal((data['errors'] as unknown[]).length, 1)
    assert.equal(charged, cents('2'))
    await isFreeAndEmpty('agentic/extract', { urls: [page('miss')] })
    assert.equal(refusal('agentic/extract', { urls: ['nothing'] }).param, 'urls[0]')
  })

  test('charges a task 10 cents with pro, the default, and 30 with ultra', async () => {
    for (const [sent, price] of [
      [{}, '10'],
      [{ processor: 'pro' }, '10'],
      [{ processor: 'ultra' }, '30'],
    ] as const) {
      const { action, input } = prepared('agentic/task', { input: 'x', ...sent })
      assert.equal(worstCase(action, input), cents(price))
      assert.equal((await resultOf('agentic/task', { input: 'x', ...sent })).charged, cents(price))
    }
    assert.equal(refusal('agentic/task', { input: 'x', processor: 'core' }).param, 'processor')
  })

  test('polls for free, and returns the output of a completed task', async () => {
    const asked = { processor: 'pro', isLost: false }
    const running = await resultOf('agentic/task-status', { run_id: startJob(asked, Date.now) })
    assert.deepEqual(
      [running.data['status'], running.data['output'], running.charged],
      ['running', undefined, 0n],
    )
    const ended = await resultOf('agentic/task-status', { run_id: startJob(asked, () => 0) })
    assert.deepEqual([ended.data['status'], ended.charged], ['completed', 0n])
    assert.ok(ended.data['output'])
  })

  test('returns a failed task without fetching its result, and rejects an unknown one', async () => {
    const { data } = await resultOf('agentic/task-status', {
      run_id: startJob({ isLost: true }, () => 0),
    })
    assert.equal(data['status'], 'failed')
    assert.equal(
      await failureOf('agentic/task-status', { run_id: 'unknown1' }),
      'upstream_not_found',
    )
    assert.equal(refusal('agentic/task-status', { run_id: '../x' }).param, 'run_id')
  })

  test('calls the merchant in its own form, and only for input that it supports', () => {
    const sold = (id: string, sent: Data) => {
      const { action, input } = prepared(id, sent)
      assert.ok(action.merchant)
      return action.merchant.sells(input) ? action.merchant.request(input).json : 'not sold'
    }
    assert.deepEqual(sold('agentic/search', { objective: 'why' }), {
      query: 'why',
      mode: 'one-shot',
    })
    assert.deepEqual(sold('agentic/search', { query: 'a', mode: 'turbo' }), {
      query: 'a',
      mode: 'fast',
    })
    assert.deepEqual(
      sold('agentic/search', { objective: 'why', search_queries: ['a', 'b'], mode: 'basic' }),
      { objective: 'why', search_queries: ['a', 'b'], mode: 'fast' },
    )
    assert.deepEqual(sold('agentic/search', { search_queries: ['a', 'b'] }), {
      objective: 'a; b',
      search_queries: ['a', 'b'],
      mode: 'one-shot',
    })
    assert.deepEqual(sold('agentic/extract', { urls: ['https://example.com/'] }), {
      urls: ['https://example.com/'],
      objective: undefined,
    })
    assert.equal(
      sold('agentic/extract', { urls: ['https://example.com/'], full_content: true }),
      'not sold',
    )
    assert.deepEqual(sold('agentic/task', { input: { year: 1969 } }), {
      input: '{"year":1969}',
      processor: 'pro',
    })
  })

  test('reads merchant answers with extra results, only a task id, or the output anywhere', () => {
    const answered = (id: string, sent: Data, body: Data) => {
      const { action, input } = prepared(id, sent)
      const outcome = action.outcome({ status: 200, headers: {}, body }, input)
      return 'data' in outcome ? outcome.data : outcome.kind
    }
    assert.deepEqual(
      answered('agentic/search', { query: 'a', max_results: 1 }, { results: [1, 2] }),
      { results: [1] },
    )
    assert.deepEqual(answered('agentic/task', { input: 'x' }, { run_id: 'trun_1' }), {
      run_id: 'trun_1',
      status: 'queued',
    })
    const run = { run_id: 'trun_1', status: 'completed' }
    const output = { type: 'text', content: 'done', basis: [] }
    for (const body of [
      { run, output },
      { ...run, output },
      { ...run, result: { output } },
      { ...run, result: output },
    ])
      assert.deepEqual(answered('agentic/task-status', { run_id: 'trun_1' }, body), {
        ...run,
        output,
      })
    assert.deepEqual(
      answered(
        'agentic/task-status',
        { run_id: 'trun_1' },
        { ...run, status: 'running', result: null },
      ),
      { ...run, status: 'running' },
    )
  })

  test('sends a JSON Schema of the result as such, and a description as text', () => {
    for (const [output_schema, expected] of [
      ['a year', 'a year'],
      [{ type: 'object' }, { type: 'json', json_schema: { type: 'object' } }],
    ] as const) {
      const { action, input } = prepared('agentic/task', { input: 'x', output_schema })
      assert.deepEqual((action.request(input).json as Data)['task_spec'], {
        output_schema: expected,
      })
    }
  })
})
