import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../lib/money.ts'
import { billable, worstCase } from '../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()
const MESSAGES = [{ role: 'user', content: 'What is a ledger?' }]
const OK = { status: 200, headers: {} }

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

  test('that could cost more than a dollar are refused with the largest answer that fits', () => {
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

  test('of a model without a price are refused before anything is held; a dated name is priced as its model', () => {
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

  test('take what the makers’ clients send beside the question', () => {
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

  test('do not stream, and do not run the maker’s own tools', () => {
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

  test('an image is guessed by its size, not by its letters', () => {
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

  test('an image that lies elsewhere is guessed as the largest that its maker counts', () => {
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

  test('a document is guessed as its text, and as a long one where it lies elsewhere', () => {
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

const answer = { choices: [{ message: { role: 'assistant', content: 'A book of accounts.' } }] }

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

  test('is charged what it most likely cost, whether the usage is null, empty or left out: neither nothing nor the longest answer', () => {
    for (const [id, sent, body] of asked) {
      const charges = [undefined, null, {}, { output_tokens: null }].map((usage) =>
        chargedFor(id, sent, usage === undefined ? body : { ...body, usage }),
      )
      assert.equal(new Set(charges).size, 1, id)
      assert.ok(charges[0]! > 0n && charges[0]! < cents('12'), `${id}: ${charges[0]}`)
    }
    assert.ok(chargedFor(...asked[0]) < 2_000n && chargedFor(...asked[1]) < 5_000n)
  })

  test('of an aggregator, whose prices are its own, is not passed on, and is free unless a merchant was paid', () => {
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

describe('llmnative-a/messages', () => {
  const outcomeOf = (usage: object, model = 'claude-opus-5-5') => {
    const { action, input } = prepared('llmnative-a/messages', {
      model,
      max_tokens: 10_000,
      messages: MESSAGES,
    })
    const outcome = action.outcome(
      { ...OK, body: { content: [{ type: 'text', text: 'Yes.' }], usage } },
      input,
    )
    return 'actual' in outcome ? outcome.actual : undefined
  }

  test('prices what was read from the cache and written to it beside the input tokens', () => {
    assert.equal(
      outcomeOf({
        input_tokens: 100,
        output_tokens: 10,
        cache_read_input_tokens: 1_000,
        cache_creation_input_tokens: 300,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 },
      }),
      400n + 200n + 200n + 1_000n + 800n,
    )
  })

  test('prices a long prompt of haiku by its long rates', () => {
    assert.equal(
      outcomeOf({ input_tokens: 100_000, output_tokens: 0 }, 'claude-haiku-5-5'),
      10_000n,
    )
    assert.equal(
      outcomeOf({ input_tokens: 100_001, output_tokens: 0 }, 'claude-haiku-5-5'),
      50_001n,
    )
  })

  test('tells a maker without capacity from one that wants payment', async () => {
    const ask = (fault: string) =>
      failureOf('llmnative-a/messages', {
        model: 'claude-haiku-5-5',
        max_tokens: 10,
        messages: [{ role: 'user', content: `sim:${fault}` }],
      })
    assert.deepEqual(
      [await ask('529'), await ask('429'), await ask('quota'), await ask('400')],
      ['upstream_busy', 'upstream_busy', 'upstream_payment', 'upstream_rejected'],
    )
  })
})

describe('llmnative-b', () => {
  test('chat is charged by reported tokens, each answer counted', async () => {
    const one = await run('llmnative-b/chat', { model: 'gpt-6-astra', messages: MESSAGES })
    const two = await run('llmnative-b/chat', { model: 'gpt-6-astra', messages: MESSAGES, n: 2 })
    assert.ok(
      'charged' in one &&
        'charged' in two &&
        two.charged > one.charged &&
        two.charged < 2n * one.charged,
    )
  })

  test('embeddings take texts and the tokens of texts, one or many', async () => {
    const result = await run('llmnative-b/embeddings', {
      model: 'text-embedding-3-large',
      input: [[1, 2, 3], [4]],
    })
    assert.ok(
      'outcome' in result &&
        result.outcome.kind === 'done' &&
        (result.outcome.data['data'] as unknown[]).length === 2,
    )
    const priceOf = (input: unknown): bigint => {
      const call = prepared('llmnative-b/embeddings', { model: 'text-embedding-3-large', input })
      return worstCase(call.action, call.input)
    }
    assert.equal(priceOf(Array.from({ length: 8_000 }, () => 5)), 1_040n)
    assert.equal(
      priceOf([Array.from({ length: 4_000 }, () => 5), Array.from({ length: 4_000 }, () => 5)]),
      1_040n,
    )
    assert.equal(priceOf([' ', ' ']), 1n, 'nothing is asked of a vendor without a hold')
    for (const input of [[], [[]], [1.5], [1, 'two'], [-1]])
      assert.equal(
        refusal('llmnative-b/embeddings', { model: 'text-embedding-3-large', input }).code,
        'invalid_params',
        JSON.stringify(input),
      )
  })

  test('embeddings cost a hundredth of a cent for a page of text', async () => {
    const result = await run('llmnative-b/embeddings', {
      model: 'text-embedding-3-large',
      input: Array.from({ length: 10 }, () => 'a page of text '.repeat(20)),
    })
    assert.ok('charged' in result && result.charged > 0n && result.charged <= cents('0.02'))
  })

  test('a picture of medium quality costs about five cents, and pictures that did not come nothing', async () => {
    const result = await run('llmnative-b/image-generate', { prompt: 'A boat.' })
    assert.ok('charged' in result && result.charged > cents('5') && result.charged < cents('6'))
    const { action, input } = prepared('llmnative-b/image-generate', { prompt: 'A boat.', n: 2 })
    assert.equal(action.outcome({ ...OK, body: { data: [] } }, input).kind, 'failed')
    const oneOfTwo = action.outcome(
      {
        ...OK,
        body: { data: [{ b64_json: 'AA==' }], usage: { input_tokens: 4, output_tokens: 1_000 } },
      },
      input,
    )
    assert.equal(oneOfTwo.kind, 'partial')
    assert.equal(
      billable(action, input, oneOfTwo),
      'actual' in oneOfTwo && oneOfTwo.actual,
      'what the maker reports, not all that was asked for',
    )
  })
})

describe('llmnative-b/image-generate', () => {
  const mostOf = (input: object): bigint => {
    const call = prepared('llmnative-b/image-generate', { prompt: 'A boat.', ...input })
    return worstCase(call.action, call.input)
  }

  test('holds what a picture of that size, quality and model takes', () => {
    assert.ok(
      mostOf({ model: 'gpt-image-1.5' }) > cents('3.3') &&
        mostOf({ model: 'gpt-image-1.5' }) < cents('3.5'),
    )
    assert.ok(mostOf({ model: 'gpt-image-1.5', size: '1024x1536' }) > cents('5'))
    assert.equal(
      mostOf({ model: 'gpt-image-1.5', size: 'auto' }),
      mostOf({ model: 'gpt-image-1.5', size: '1024x1536' }),
    )
    assert.ok(
      mostOf({ quality: 'low' }) < cents('0.7') && mostOf({ quality: 'high' }) > cents('21'),
    )
  })

  test('asks for a model that its maker still has when none is named', () => {
    const { input } = prepared('llmnative-b/image-generate', { prompt: 'A boat.' })
    assert.equal(input['model'], 'gpt-image-2.5-flare')
  })

  test('refuses more pictures than a dollar buys, and tells how many it does', () => {
    const error = refusal('llmnative-b/image-generate', {
      prompt: 'A boat.',
      quality: 'high',
      n: 10,
    })
    assert.deepEqual(
      [error.code, error.param, error.details?.['largest_n']],
      ['invalid_params', 'n', 4],
    )
    assert.ok(
      mostOf({ quality: 'high', n: 4 }) <= cents('100') &&
        mostOf({ quality: 'low', n: 10 }) < cents('7'),
    )
  })
})

describe('router2/chat', () => {
  test('is charged what the aggregator reports, to the micro-dollar', async () => {
    const { action, input } = prepared('router2/chat', { model: 'any/model', messages: MESSAGES })
    const outcome = action.outcome(
      { ...OK, body: { choices: answer.choices, usage: { cost: 0.0000052 } } },
      input,
    )
    assert.ok(outcome.kind === 'done' && outcome.actual === 6n)
    const result = await run('router2/chat', { model: 'openai/gpt-6-luna', messages: MESSAGES })
    assert.ok('charged' in result && result.charged > 0n && result.charged < 100n)
  })

  test('costs what the maker asked beside the fee, where the operator has a key of the maker', () => {
    const { action, input } = prepared('router2/chat', { model: 'any/model', messages: MESSAGES })
    const outcome = action.outcome(
      {
        ...OK,
        body: {
          choices: [{ ...answer.choices[0], error: null }],
          error: null,
          usage: {
            cost: 0.00001,
            is_byok: true,
            cost_details: { upstream_inference_cost: 0.0002 },
          },
        },
      },
      input,
    )
    assert.ok(outcome.kind === 'done' && outcome.actual === 210n)
  })

  test('tells the aggregator the prices above which the cap, or what is held, would break', () => {
    const { action, input } = prepared('router2/chat', {
      model: 'any/model',
      messages: MESSAGES,
      max_tokens: 16_384,
    })
    const dearest = (held?: bigint): number =>
      (action.request(input, held).json as { provider: { max_price: { completion: number } } })
        .provider.max_price.completion * 16_384
    assert.ok(dearest() <= 500_000 && dearest() > 499_000)
    assert.ok(dearest(10_000n) <= 5_000 && dearest(10_000n) > 4_900)
  })

  test('what the caller wrote and the maker will not read is refused as that, and not as a key of the operator’s', () => {
    const { vendor } = prepared('router2/chat', { model: 'any/model', messages: MESSAGES }).service
    const codeOf = (status: number, error: object) =>
      vendor?.readFailure?.({ status, headers: {}, body: { error } })?.code
    assert.equal(
      codeOf(403, {
        code: 403,
        message: 'flagged',
        metadata: { reasons: ['violence'], flagged_input: 'x' },
      }),
      'upstream_rejected',
    )
    assert.equal(
      codeOf(403, {
        code: 403,
        message: 'blocked',
        metadata: { error_type: 'content_policy_violation' },
      }),
      'upstream_rejected',
    )
    assert.equal(
      codeOf(403, { code: 403, message: 'Key limit exceeded' }),
      'upstream_not_configured',
    )
    assert.equal(codeOf(429, { code: 'insufficient_quota', message: 'no' }), 'upstream_payment')
  })

  test('an error in an answer with status 200 is a failure, and free', () => {
    const { action, input } = prepared('router2/chat', { model: 'any/model', messages: MESSAGES })
    assert.equal(
      action.outcome({ ...OK, body: { error: { message: 'no' }, choices: [{}] } }, input).kind,
      'failed',
    )
  })
})
