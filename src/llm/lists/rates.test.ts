import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plainUsage } from '../tokens/token-price.ts'
import type { Candidate, Model } from './model.ts'
import { promptOf } from '../bill/prompt-tokens.ts'
import { quoteOf } from '../bill/quote.ts'
import { costAt, dearestAt } from './rates.ts'
import { pickReadFields, readModelList } from './read-model-list.ts'
import { readCompletionRequest } from '../ask/read-request.ts'

const NIGHT = Date.UTC(2026, 10, 20, 23, 30)
const NOON = Date.UTC(2026, 10, 20, 12)

function read(entry: object): Model | undefined {
  return readModelList({
    data: [{ id: 'a/b', pricing: { prompt: '0.000001', completion: '0.000002' }, ...entry }],
  })?.[0]
}

describe('a list of models', () => {
  test('skips models that callers cannot use, but keeps unpriced ones', () => {
    assert.equal(read({ architecture: { output_modalities: ['text', 'image'] } }), undefined)
    assert.equal(read({ pricing: { prompt: '-1', completion: '-1' } }), undefined)
    assert.equal(read({ id: 'not a header value\n' }), undefined)
    assert.equal(read({ pricing: undefined })?.rates, null)
    assert.equal(read({ pricing: { prompt: 'soon' } })?.rates, null)
    assert.equal(readModelList({ models: [] }), null)
  })

  test('reads the same from the stored list', () => {
    const body = {
      data: [
        {
          id: 'a/b',
          description: 'x'.repeat(1_000),
          context_length: 1_000,
          pricing: {
            prompt: '1e-6',
            completion: '0.000002',
            input_cache_read: '1e-7',
            overrides: [{ min_prompt_tokens: 10, prompt: '0.000003' }],
          },
          supported_parameters: ['tools'],
        },
      ],
    }
    const picked = JSON.parse(JSON.stringify(pickReadFields(body))) as unknown
    assert.deepEqual(readModelList(picked), readModelList(body))
    assert.ok(JSON.stringify(picked).length < 400)
  })

  test('treats a zero price of a kind of token as no separate price', () => {
    const rates = read({
      pricing: {
        prompt: '0.000001',
        completion: '0.000002',
        internal_reasoning: '0',
        input_cache_read: '0',
      },
    })?.rates
    assert.ok(rates !== undefined && rates !== null)
    assert.deepEqual([rates.reasoning, rates.cacheRead], [undefined, undefined])
  })
})

describe('rates that change', () => {
  const rates = read({
    pricing: {
      prompt: '0.000001',
      completion: '0.000002',
      overrides: [
        { min_prompt_tokens: 1_000, prompt: '0.000004', completion: '0.000008' },
        { utc_start: '2200', utc_end: '0600', prompt: '0.0000005' },
      ],
    },
  })?.rates
  assert.ok(rates !== undefined && rates !== null)

  test('depend on the reported length of the prompt', () => {
    assert.equal(costAt(rates, plainUsage(999, 10), NOON), 999n + 20n)
    assert.equal(costAt(rates, plainUsage(1_000, 10), NOON), 4_000n + 80n)
  })

  test('depend on the hour of the call, also after midnight', () => {
    assert.equal(costAt(rates, plainUsage(100, 0), NIGHT), 50n)
    assert.equal(costAt(rates, plainUsage(100, 0), Date.UTC(2026, 10, 21, 5, 59)), 50n)
    assert.equal(costAt(rates, plainUsage(100, 0), Date.UTC(2026, 10, 21, 6)), 100n)
    const byDay = read({
      pricing: {
        prompt: '0.000001',
        completion: '0.000002',
        overrides: [{ utc_start: '0900', utc_end: '1700', prompt: '0.000003' }],
      },
    })?.rates
    assert.ok(byDay != null)
    assert.deepEqual(
      [8, 9, 16, 17].map((hour) => costAt(byDay, plainUsage(100, 0), Date.UTC(2026, 10, 21, hour))),
      [100n, 300n, 300n, 100n],
    )
  })

  test('apply at any hour without a start and end', () => {
    for (const hours of [
      { utc_start: '2200' },
      { utc_end: '0600' },
      { utc_start: '2500', utc_end: '0600' },
      { utc_start: '2200', utc_end: 'six' },
    ]) {
      const always = read({
        pricing: {
          prompt: '0.000001',
          completion: '0.000002',
          overrides: [{ ...hours, prompt: '0.000003' }],
        },
      })?.rates
      assert.ok(always != null)
      assert.deepEqual(
        [costAt(always, plainUsage(100, 0), NIGHT), costAt(always, plainUsage(100, 0), NOON)],
        [300n, 300n],
        JSON.stringify(hours),
      )
    }
  })

  test('use the last of several matching overrides', () => {
    assert.equal(costAt(rates, plainUsage(1_000, 0), NIGHT), 500n)
  })

  test('are held at their highest value', () => {
    assert.deepEqual(dearestAt(rates, 500), {
      prompt: 1_000_000n,
      longCache: 2_000_000n,
      completion: 2_000_000n,
      request: 0n,
    })
    assert.deepEqual(dearestAt(rates, 1_000), dearestAt(rates, 5_000))
    assert.deepEqual(dearestAt(rates, 5_000), {
      prompt: 4_000_000n,
      longCache: 8_000_000n,
      completion: 8_000_000n,
      request: 0n,
    })
  })
})

test('bills images with their own price as they were held', () => {
  const rates = read({
    pricing: { prompt: '0.000001', completion: '0.000002', image: '0.001' },
  })?.rates
  assert.ok(rates != null)
  assert.equal(costAt(rates, plainUsage(10, 5), NOON, 2), 10n + 10n + 2_000n)
})

describe('a quote', () => {
  const candidate = (prompt: string, completion: string, further: object = {}): Candidate => {
    const model = read({ pricing: { prompt, completion, ...further } })
    if (model?.rates == null) throw new TypeError('a test model has a price')
    return {
      id: 'a/b',
      upstreamModel: 'a/b',
      model,
      rates: model.rates,
      isPricedByUpstream: true,
      upstream: {
        name: 'llm',
        origin: 'http://x',
        basePath: '',
        key: null,
        dispatcher: undefined as never,
        defaultRates: null,
        isAggregator: true,
        remembersList: false,
      },
    }
  }
  const quote = (body: object, ...candidates: Candidate[]) => {
    const request = readCompletionRequest(
      { model: 'a/b', messages: [{ role: 'user', content: 'Hello.' }], ...body },
      new Set(['unheard_of']),
    )
    const { amount, maxTokens } = quoteOf(request, promptOf(request), candidates)
    return { amount, maxTokens }
  }

  test('covers every token of every choice at the most expensive candidate', () => {
    const [cheap, dear] = [candidate('0', '0.000001'), candidate('0', '0.00001')]
    assert.deepEqual(quote({}, cheap, dear), { amount: 40_960n, maxTokens: 4_096 })
    assert.deepEqual(quote({ max_tokens: 99_999 }, cheap), { amount: 16_384n, maxTokens: 16_384 })
    assert.deepEqual(quote({ max_tokens: 100, n: 3 }, cheap), { amount: 300n, maxTokens: 100 })
  })

  test('covers priced images and requests at any hour', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a.example/a.png' } }
    const body = { max_tokens: 1, messages: [{ role: 'user', content: [image, image] }] }
    assert.equal(quote(body, candidate('0', '0', { image: '0.002' })).amount, 4_000n)
    assert.equal(quote(body, candidate('0', '0', { request: '0.003' })).amount, 3_000n)
    const atNight = candidate('0', '0', { request: '0.003' })
    const dearer = {
      minPromptTokens: 0,
      hours: { start: 2200, end: 600 },
      rates: { ...atNight.rates, request: 2n * (atNight.rates.request ?? 0n) },
    }
    assert.equal(
      quote(body, { ...atNight, rates: { ...atNight.rates, overrides: [dearer] } }).amount,
      6_000n,
    )
  })

  test('is shortened to max_cost_cents, and never exceeds it', () => {
    const dear = candidate('0.000001', '0.00001')
    for (const cents of [1, 2, 3, 4]) {
      const { amount, maxTokens } = quote({ max_cost_cents: cents }, dear)
      assert.ok(
        amount <= BigInt(cents) * 10_000n && amount > BigInt(cents) * 10_000n - 20n,
        `${amount}`,
      )
      assert.ok(maxTokens < 4_096)
      assert.deepEqual(
        quote({ max_cost_cents: cents }, candidate('0.000001', '0'), dear),
        { amount, maxTokens },
        'a model whose answers are free sets no bound',
      )
    }
  })

  test('covers everything that a model may read, in any field', () => {
    const priced = candidate('0.000001', '0')
    const long = 'word '.repeat(1_000)
    const bodies = [
      { tools: [{ type: 'function', function: { name: 'f', description: long } }] },
      { functions: [{ name: 'f', description: long }] },
      { response_format: { type: 'json_schema', json_schema: { name: long } } },
      { unheard_of: long },
      { messages: [{ role: 'user', content: [{ type: 'document', source: { data: long } }] }] },
      { messages: [{ role: 'user', content: [long] }] },
      { messages: [{ role: 'assistant', content: null, reasoning_content: long }] },
    ]
    for (const body of bodies)
      assert.ok(quote(body, priced).amount > 1_000n, JSON.stringify(body).slice(0, 60))
    assert.ok(quote({ logit_bias: { 5: 1 }, user: 'me', temperature: 0.5 }, priced).amount < 20n)
  })

  test("covers the largest size of a document, up to the model's window", () => {
    const priced = candidate('0.000001', '0')
    const document = (data: string): object => ({
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_data: data } }] }],
    })
    const inline = document(`data:application/pdf;base64,${'A'.repeat(800_000)}`)
    assert.ok(quote(inline, priced).amount > 100_000n)
    assert.ok(quote(document('https://example.org/a.pdf'), priced).amount > 50_000n)
    assert.equal(
      quote(inline, { ...priced, model: { ...priced.model, contextLength: 32_000 } }).amount,
      32_000n,
    )
    for (const unknown of [0, null])
      assert.ok(
        quote(inline, { ...priced, model: { ...priced.model, contextLength: unknown } }).amount >
          100_000n,
      )
  })

  test('holds a positive amount if tokens are free', () => {
    assert.deepEqual(quote({}, candidate('0', '0')), { amount: 1n, maxTokens: 4_096 })
  })
})
