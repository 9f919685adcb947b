/** `indep`, `rag`, `cited`, `agentic`: four vendors of web search, each with rules of its own. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../lib/money.ts'
import { startJob } from '../simulators/jobs.ts'
import { countryName } from './shared/country-names.ts'
import type { Data } from '../catalog/vocabulary/outcome.ts'
import { worstCase } from '../catalog/prices/price.ts'
import { page, prepared, refusal, withSimulators } from '../catalog/testing/run-call.ts'

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
  test('a page holds at most 20 web results and at most 50 news', async () => {
    assert.equal(refusal('indep/search', { q: 'x', count: 21 }).param, 'count')
    assert.equal(refusal('indep/news', { q: 'x', count: 51 }).param, 'count')
    const { data, charged } = await resultOf('indep/news', { q: 'x', count: 50 })
    assert.equal((data['results'] as unknown[]).length, 50)
    assert.equal(charged, cents('1'))
  })

  test('freshness is pd, pw, pm, py or a range, and nothing else', () => {
    for (const freshness of ['pd', 'pw', 'pm', 'py', '2026-01-01to2026-02-01'])
      prepared('indep/search', { q: 'x', freshness })
    for (const freshness of ['day', '2026-01-01', 'px'])
      assert.equal(refusal('indep/search', { q: 'x', freshness }).param, 'freshness')
  })

  test('kinds of results may be a list or separated by commas', () => {
    for (const result_filter of [['web', 'faq'], 'web,faq']) {
      const { action, input } = prepared('indep/search', { q: 'x', result_filter })
      assert.equal(action.request(input).query?.['result_filter'], 'web,faq')
    }
  })

  test('a search of the news takes a filter that lets news pass, which the vendor is not told; one that does not is refused', () => {
    for (const result_filter of [['web', 'news'], 'news']) {
      const { action, input } = prepared('indep/news', { q: 'x', result_filter })
      const { query = {} } = action.request(input)
      assert.ok(!('result_filter' in query) || query['result_filter'] === undefined)
    }
    for (const result_filter of ['web', ['faq', 'videos'], 'newspaper'])
      assert.equal(refusal('indep/news', { q: 'x', result_filter }).param, 'result_filter')
  })

  test('a query of more than 50 words or 400 characters is refused before anything is held', () => {
    assert.equal(refusal('indep/search', { q: 'word '.repeat(51) }).param, 'q')
    assert.equal(refusal('indep/search', { q: 'a'.repeat(401) }).param, 'q')
  })

  test('an answer without results in any section is free', async () => {
    await isFreeAndEmpty('indep/search', { q: 'sim:miss' })
    await isFreeAndEmpty('indep/news', { q: 'sim:miss' })
  })

  test('a wrong token and a used-up month are told from wrong parameters and haste', async () => {
    assert.equal(await failureOf('indep/search', { q: 'sim:401' }), 'upstream_not_configured')
    assert.equal(await failureOf('indep/search', { q: 'sim:422' }), 'upstream_rejected')
    assert.equal(await failureOf('indep/search', { q: 'sim:quota' }), 'upstream_payment')
    assert.equal(await failureOf('indep/search', { q: 'sim:429' }), 'upstream_busy')
  })
})

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

describe('agentic', () => {
  test('a search wants an objective, a query or several, and sends at least one query', () => {
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

  test('no query that the caller names is left out, wherever it stands and whoever is asked', () => {
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

  test('an extraction costs one cent for each page that was read', async () => {
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

  test('a task costs 10 cents with pro, which is the default, and 30 with ultra', async () => {
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

  test('a poll is free, and has the output once the task is completed', async () => {
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

  test('a task that failed is told without asking for its result, and an unknown one is not found', async () => {
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

  test('the vendor’s pay-per-call front is asked with its own words, and for nothing that it does not do', () => {
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

  test('what the front answers is read: more results than asked for, a task of which only the id is told, and an output wherever it stands', () => {
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

  test('a schema of the result travels as such, a description as text', () => {
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
