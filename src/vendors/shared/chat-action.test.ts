import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { billable, worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal } from '../../catalog/testing/run-call.ts'

const MESSAGES = [{ role: 'user', content: 'What is a ledger?' }]

const OK = { status: 200, headers: {} }

const answer = { choices: [{ message: { role: 'assistant', content: 'A book of accounts.' } }] }

describe('direct calls of language models', () => {
  test('hold the worst case of their input, not the cap', () => {
    const { action, input } = prepared('llmnative-a/messages', {
      model: 'claude-haiku-5-5',
      max_tokens: 1_000,
      messages: MESSAGES,
    })
    const held = worstCase(action, input)
    assert.ok(held > 500n && held < 520n, String(held))
  })

  test('are rejected above a dollar, with the longest answer that fits', () => {
    for (const [id, field, model] of [
      ['llmnative-a/messages', 'max_tokens', 'claude-fable-5-1'],
      ['llmnative-b/chat', 'max_completion_tokens', 'gpt-6-astra'],
    ] as const) {
      const error = refusal(id, { model, [field]: 128_000, messages: MESSAGES })
      const fits = Number(error.details?.['largest_max_tokens'])
      assert.deepEqual(
        [error.code, error.param, fits > 19_900 && fits < 20_000],
        ['invalid_params', field, true],
      )
      const { action, input } = prepared(id, { model, [field]: fits, messages: MESSAGES })
      assert.ok(
        worstCase(action, input) <= cents('100') && worstCase(action, input) > cents('99.9'),
      )
    }
  })

  test('reject a model without a price before a hold, and price a dated name as its model', () => {
    assert.equal(
      refusal('llmnative-a/messages', {
        model: 'claude-unheard-of',
        max_tokens: 10,
        messages: MESSAGES,
      }).code,
      'model_not_found',
    )
    assert.equal(
      refusal('llmnative-b/chat', { model: 'gpt-unheard-of', messages: MESSAGES }).code,
      'model_not_found',
    )
    prepared('llmnative-a/messages', {
      model: 'claude-haiku-4-5-20251001',
      max_tokens: 10,
      messages: MESSAGES,
    })
  })

  test("accept the additional parameters of the providers' clients", () => {
    const more = {
      frequency_penalty: 0.5,
      presence_penalty: -0.5,
      logit_bias: { 50256: -100 },
      logprobs: true,
      top_logprobs: 2,
      user: 'me',
      metadata: { a: 'b' },
      store: false,
      safety_identifier: 'me',
      prompt_cache_key: 'k',
      service_tier: 'default',
    }
    for (const [id, model] of [
      ['llmnative-b/chat', 'gpt-6-luna'],
      ['router2/chat', 'openai/gpt-6-luna'],
    ] as const) {
      const { action, input } = prepared(id, { model, messages: MESSAGES, ...more })
      for (const [name, value] of Object.entries(more))
        assert.deepEqual((action.request(input).json as Record<string, unknown>)[name], value, name)
      assert.equal(
        refusal(id, { model, messages: MESSAGES, service_tier: 'priority' }).param,
        'service_tier',
      )
    }
    const kept = { cache_control: { type: 'ephemeral', ttl: '1h' }, service_tier: 'standard_only' }
    const { action, input } = prepared('llmnative-a/messages', {
      model: 'claude-haiku-5-5',
      max_tokens: 1,
      messages: MESSAGES,
      ...kept,
    })
    assert.deepEqual(
      { ...(action.request(input).json as object), ...kept },
      action.request(input).json,
    )
  })

  test("reject streaming and the provider's own tools", () => {
    for (const [id, base] of [
      ['llmnative-a/messages', { model: 'claude-haiku-5-5', max_tokens: 10 }],
      ['llmnative-b/chat', { model: 'gpt-6-luna' }],
      ['router2/chat', { model: 'openai/gpt-6-luna' }],
    ] as const) {
      assert.equal(refusal(id, { ...base, messages: MESSAGES, stream: true }).param, 'stream')
      prepared(id, { ...base, messages: MESSAGES, stream: false })
      const own =
        id === 'llmnative-a/messages'
          ? { name: 'f', input_schema: { type: 'object' } }
          : { function: { name: 'f' } }
      prepared(id, { ...base, messages: MESSAGES, tools: [own] })
      for (const tool of [
        { type: 'web_search_20250305', name: 'web_search' },
        { googleSearch: {} },
      ])
        assert.equal(
          refusal(id, { ...base, messages: MESSAGES, tools: [own, tool] }).param,
          'tools[1].type',
        )
    }
  })

  test('estimate an image by its size, not by its characters', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(800_000) },
    }
    const { action, input } = prepared('llmnative-a/messages', {
      model: 'claude-opus-5-5',
      max_tokens: 10,
      messages: [{ role: 'user', content: [image] }],
    })
    assert.ok(worstCase(action, input) < cents('85'))
  })

  test('estimate a linked image as the largest that the provider counts', () => {
    const remote = 'https://example.org/photo.jpg'
    const priceOf = (id: string, input: object): bigint => {
      const call = prepared(id, input as Record<string, unknown>)
      return worstCase(call.action, call.input)
    }
    const claude = priceOf('llmnative-a/messages', {
      model: 'claude-haiku-4-5',
      max_tokens: 1,
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: remote } }] },
      ],
    })
    const openai = (detail?: string): bigint =>
      priceOf('llmnative-b/chat', {
        model: 'gpt-6.1-terra',
        max_completion_tokens: 1,
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: remote, detail } }] },
        ],
      })
    assert.ok(claude > 9_600n && claude < 13_500n, String(claude))
    assert.ok(openai() > 15_000n && openai() < 17_000n, String(openai()))
    assert.ok(
      openai('high') < 7_000n && openai('high') > 4_800n,
      'no less than the language-model router holds',
    )
  })

  test('estimate a document by its text, and a linked one as a long one', () => {
    const priceOf = (source: object) => {
      const { action, input } = prepared('llmnative-a/messages', {
        model: 'claude-opus-5-5',
        max_tokens: 1,
        messages: [{ role: 'user', content: [{ type: 'document', source }] }],
      })
      return worstCase(action, input)
    }
    assert.ok(
      priceOf({ type: 'text', media_type: 'text/plain', data: 'word '.repeat(10_000) }) >
        cents('8'),
    )
    assert.ok(priceOf({ type: 'url', url: 'https://example.org/long.pdf' }) > cents('40'))
  })
})

describe('a reply without usage', () => {
  const chargedFor = (id: string, sent: object, body: object): bigint => {
    const { action, input } = prepared(id, sent as Record<string, unknown>)
    return billable(action, input, action.outcome({ ...OK, body }, input))
  }
  const asked = [
    [
      'llmnative-a/messages',
      { model: 'claude-opus-5-5', max_tokens: 10_000, messages: MESSAGES },
      { content: [{ type: 'text', text: 'A book of accounts.' }] },
    ],
    [
      'llmnative-b/chat',
      { model: 'gpt-6-astra', max_completion_tokens: 10_000, messages: MESSAGES },
      answer,
    ],
    [
      'llmnative-b/embeddings',
      { model: 'text-embedding-3-large', input: 'word '.repeat(200) },
      { data: [{ embedding: [0] }] },
    ],
    [
      'llmnative-b/image-generate',
      { prompt: 'A boat.', n: 2 },
      { data: [{ b64_json: 'AA==' }, { b64_json: 'AA==' }] },
    ],
  ] as const

  test('is charged its likely cost if usage is null, empty or missing', () => {
    for (const [id, sent, body] of asked) {
      const charges = [undefined, null, {}, { output_tokens: null }].map((usage) =>
        chargedFor(id, sent, usage === undefined ? body : { ...body, usage }),
      )
      assert.equal(new Set(charges).size, 1, id)
      assert.ok(charges[0]! > 0n && charges[0]! < cents('12'), `${id}: ${charges[0]}`)
    }
    assert.ok(chargedFor(...asked[0]) < 2_000n && chargedFor(...asked[1]) < 5_000n)
  })

  test('is not passed on for an aggregator, and is free unless a merchant was paid', () => {
    const { action, input } = prepared('router2/chat', { model: 'any/model', messages: MESSAGES })
    for (const usage of [
      undefined,
      null,
      { prompt_tokens: 5, completion_tokens: 3 },
      { cost: 0, is_byok: true },
    ]) {
      const reply = { ...OK, body: { ...answer, ...(usage === undefined ? {} : { usage }) } }
      assert.equal(action.outcome(reply, input).kind, 'failed')
      assert.equal(action.merchant?.outcome(reply, input).kind, 'done')
    }
  })
})
