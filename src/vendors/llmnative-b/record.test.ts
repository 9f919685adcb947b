import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { billable, worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run } = withSimulators()

const MESSAGES = [{ role: 'user', content: 'What is a ledger?' }]

const OK = { status: 200, headers: {} }

describe('llmnative-b', () => {
  test('charges chat by reported tokens, for every answer', async () => {
    const one = await run('llmnative-b/chat', { model: 'gpt-6-astra', messages: MESSAGES })
    const two = await run('llmnative-b/chat', { model: 'gpt-6-astra', messages: MESSAGES, n: 2 })
    assert.ok(
      'charged' in one &&
        'charged' in two &&
        two.charged > one.charged &&
        two.charged < 2n * one.charged,
    )
  })

  test('accepts texts or tokens for embeddings, one or many', async () => {
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

  test('simulates vectors of the model’s own length, or of `dimensions`', async () => {
    const lengthsOf = async (params: object): Promise<number[] | string> => {
      const result = await run('llmnative-b/embeddings', {
        input: ['a ledger', 'a book'],
        ...params,
      })
      if (!('outcome' in result) || result.outcome.kind !== 'done') return 'failed'
      const rows = result.outcome.data['data'] as { embedding: number[] | string }[]
      assert.notDeepEqual(rows[0]?.embedding, rows[1]?.embedding)
      return rows.map(({ embedding }) =>
        typeof embedding === 'string'
          ? Buffer.from(embedding, 'base64').length / Float32Array.BYTES_PER_ELEMENT
          : embedding.length,
      )
    }
    for (const [model, dimensions, length] of [
      ['text-embedding-3-small', undefined, 1_536],
      ['text-embedding-3-small', 256, 256],
      ['text-embedding-3-large', undefined, 3_072],
      ['text-embedding-3-large', 1, 1],
      ['text-embedding-ada-002', undefined, 1_536],
    ] as const)
      for (const encoding of ['float', 'base64'])
        assert.deepEqual(
          await lengthsOf({ model, encoding_format: encoding, ...(dimensions && { dimensions }) }),
          [length, length],
          `${model} ${encoding}`,
        )
    for (const params of [
      { model: 'text-embedding-3-small', dimensions: 1_537 },
      { model: 'text-embedding-ada-002', dimensions: 256 },
      { model: 'text-embedding-3-large', input: Array.from({ length: 400 }, () => 'x') },
    ])
      assert.equal(await lengthsOf(params), 'failed', JSON.stringify(params))
  })

  test('charges embeddings a hundredth of a cent for a page of text', async () => {
    const result = await run('llmnative-b/embeddings', {
      model: 'text-embedding-3-large',
      input: Array.from({ length: 10 }, () => 'a page of text '.repeat(20)),
    })
    assert.ok('charged' in result && result.charged > 0n && result.charged <= cents('0.02'))
  })

  test('charges about five cents for a medium-quality image, and nothing for missing images', async () => {
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

  test('holds the price of an image of that size, quality and model', () => {
    assert.ok(
      mostOf({ model: 'gpt-image-2' }) > cents('5.3') &&
        mostOf({ model: 'gpt-image-2' }) < cents('5.5'),
    )
    assert.ok(mostOf({ model: 'gpt-image-2', size: '1024x1536' }) < cents('4.3'))
    assert.equal(mostOf({ model: 'gpt-image-2', size: 'auto' }), mostOf({ model: 'gpt-image-2' }))
    assert.ok(
      mostOf({ quality: 'low' }) < cents('0.7') && mostOf({ quality: 'high' }) > cents('21'),
    )
  })

  test('uses a model that the provider still offers by default', () => {
    const { input } = prepared('llmnative-b/image-generate', { prompt: 'A boat.' })
    assert.equal(input['model'], 'gpt-image-2.5-flare')
  })

  test('offers the successors, whose drafts hold the tokens of four earlier ones', () => {
    for (const model of ['gpt-image-2.6-flare', 'gpt-image-2.6-sunburst']) {
      assert.equal(mostOf({ model }), mostOf({ model: 'gpt-image-2.5-flare' }))
      assert.ok(
        mostOf({ model, quality: 'low' }) > cents('2.6') &&
          mostOf({ model, quality: 'low' }) < cents('2.7'),
      )
    }
  })

  test('rejects a model that the provider ended, naming its successors', () => {
    for (const model of [
      'gpt-image-1',
      'gpt-image-1-mini',
      'gpt-image-1.5',
      'gpt-image-1.5-2025-12-16',
      'chatgpt-image-latest',
      'dall-e-3',
    ]) {
      const { code, param, message, fix } = refusal('llmnative-b/image-generate', {
        prompt: 'A boat.',
        model,
      })
      assert.deepEqual([code, param], ['invalid_params', 'model'])
      assert.equal(
        message,
        `The vendor replaced "${model}" with "gpt-image-2.6-flare" or "gpt-image-2.6-sunburst".`,
      )
      assert.equal(fix, 'Use "gpt-image-2.6-flare" or "gpt-image-2.6-sunburst".')
    }
  })

  test('rejects more images than a dollar buys, and states the maximum', () => {
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
