/**
 * Boundaries where one more token or character changes the cost of a direct call, or its estimate.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { estimateTokens } from '../../llm/tokens/estimate-tokens.ts'
import {
  costOfUsage,
  readCount,
  DIRECT_CALL_CAP,
  estimateInput,
  findModelPrice,
  rejectAboveCap,
  hasCounts,
  worstCost,
  type MakerUsage,
} from './model-cost.ts'
import { maxMicros } from '../../lib/money.ts'
import { createCatalog } from '../../catalog/index.ts'
import { anthropicModels, imageModels, openaiModels, type MakerModel } from './model-prices.ts'
import { worstCase } from '../../catalog/prices/price.ts'

const NOTHING: MakerUsage = {
  fresh: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  completion: 0,
}
const sol = findModelPrice(openaiModels, 'gpt-6-sol')
const haiku = findModelPrice(anthropicModels, 'claude-haiku-5-5')

describe('a prompt of the length at which a model becomes more expensive', () => {
  it('costs the short rate, and with one more token the long rate for all of it', () => {
    assert.equal(costOfUsage(sol, { ...NOTHING, fresh: 272_000, completion: 1_000 }), 554_000n)
    assert.equal(costOfUsage(sol, { ...NOTHING, fresh: 272_001, completion: 1_000 }), 1_103_004n)
    assert.equal(worstCost(sol, 272_000, 1_000), 554_000n)
    assert.equal(worstCost(sol, 272_001, 1_000), 1_103_004n)
  })

  it('counts all tokens that were read, from a cache or into one', () => {
    for (const part of ['cacheRead', 'cacheWrite', 'cacheWriteLong'] as const) {
      const [short, long] = [99_999, 100_000].map((fresh) =>
        costOfUsage(haiku, { ...NOTHING, fresh, [part]: 1 }),
      )
      assert.ok(
        short !== undefined && long !== undefined && short < 11_000n && long > 50_000n,
        part,
      )
    }
  })

  it('holds at least its possible cost: the higher of fresh and written rates', () => {
    assert.equal(worstCost(haiku, 100_000, 0), 20_000n)
    assert.equal(worstCost(haiku, 100_001, 0), 100_001n)
    assert.equal(costOfUsage(haiku, { ...NOTHING, cacheWriteLong: 100_000 }), 20_000n)
  })
})

describe('a direct call that could cost more than the cap', () => {
  function refusalOf(
    model: MakerModel,
    promptTokens: number,
    maxTokens: number,
    answers: number,
  ): AppError | null {
    try {
      rejectAboveCap(model, promptTokens, maxTokens, answers, 'max_tokens')
      return null
    } catch (error) {
      assert.ok(error instanceof AppError)
      return error
    }
  }

  it('is rejected from one micro-dollar above it, with the longest answer below', () => {
    for (const [answers, most] of [
      [1, 100_000],
      [3, 33_333],
    ] as const) {
      assert.equal(refusalOf(sol, 0, most, answers), null)
      const error = refusalOf(sol, 0, most + 1, answers)
      assert.deepEqual(
        [error?.code, error?.param, error?.details],
        ['invalid_params', 'max_tokens', { largest_max_tokens: most }],
      )
    }
    assert.equal(worstCost(sol, 0, 100_000), DIRECT_CALL_CAP)
  })

  it('returns a longest answer that is then accepted, and none if the prompt is too long', () => {
    for (const promptTokens of [1, 777, 99_999, 250_001, 272_001]) {
      for (const answers of [1, 2, 7]) {
        const fits = Number(
          refusalOf(sol, promptTokens, 10_000_000, answers)?.details?.['largest_max_tokens'],
        )
        if (fits > 0) assert.equal(refusalOf(sol, promptTokens, fits, answers), null)
        else assert.ok(worstCost(sol, promptTokens, answers) > DIRECT_CALL_CAP)
      }
    }
    assert.match(refusalOf(sol, 272_001, 1, 1)?.fix ?? '', /^Send a shorter prompt/)
  })
})

describe('input of a model', () => {
  it('counts as text up to 512 characters of data, and by size above', () => {
    const picture = (length: number) => ({
      type: 'image',
      source: { type: 'base64', data: 'A'.repeat(length) },
    })
    const beside = estimateInput(picture(0))
    assert.ok(estimateInput(picture(512)) - beside < 1_600)
    assert.ok(estimateInput(picture(513)) >= 1_600)
    assert.ok(estimateInput(picture(80_000)) >= 10_000)
    assert.equal(
      estimateInput({ type: 'text', data: 'word '.repeat(1_000) }),
      estimateInput({ type: 'text', text: 'word '.repeat(1_000) }),
      'a source of text is text, however long',
    )
  })

  it("counts as text under any name in the caller's own JSON, including the names", () => {
    const long = 'xqzvk jwqpz '.repeat(1_000)
    const least = estimateTokens(long)
    const tool = (parameters: object) => ({
      tools: [{ type: 'function', function: { name: 'f', parameters } }],
    })
    for (const body of [
      tool({ url: long }),
      tool({ data: long }),
      tool({ [long]: 1 }),
      { messages: [{ [long]: 1 }] },
      { messages: [{ content: [{ type: 'tool_use', input: { data: long } }] }] },
      { messages: [{ url: long }] },
      { output_config: { data: long } },
    ]) {
      assert.ok(estimateInput(body) >= least, Object.keys(body).join())
    }
  })

  it('counts as large if it is only linked, and a document as longer than an image', () => {
    const elsewhere = (type: string) =>
      estimateInput({ type, source: { type: 'url', url: 'https://a.example/x' } })
    assert.ok(elsewhere('image') >= 4_800 && elsewhere('image') < 10_000)
    assert.ok(elsewhere('document') >= 50_000)
  })
})

it('holds the largest image size if the model chooses the size', () => {
  const { action } = createCatalog().findAction('llmnative-b', 'image-generate')
  for (const [model, { tokens }] of imageModels) {
    for (const quality of Object.keys(tokens)) {
      const held = (size: string) =>
        worstCase(action, { prompt: 'A boat.', model, n: 1, size, quality })
      const named = ['1024x1024', '1024x1536', '1536x1024'].map(held)
      assert.equal(held('auto'), maxMicros(0n, ...named), `${model} ${quality}`)
    }
  }
})

it('reads invalid counts of a reply as zero and as missing', () => {
  for (const count of [-1, 0.5, '7', null, Number.NaN])
    assert.deepEqual(
      [readCount({ tokens: count }, 'tokens'), hasCounts({ tokens: count }, 'tokens')],
      [0, false],
    )
  assert.deepEqual(
    [
      readCount({ a: { tokens: 7 } }, 'a', 'tokens'),
      hasCounts({ in: 0, out: 1 }, 'in', 'out'),
      hasCounts({ in: 0 }, 'in', 'out'),
    ],
    [7, true, false],
  )
})

it('prices a dated name as its model, and no other name', () => {
  for (const name of [
    'claude-haiku-5-5',
    'claude-haiku-5-5-20261101',
    'claude-haiku-5-5-2026-11-01',
    'claude-haiku-5-5-latest',
  ])
    assert.equal(findModelPrice(anthropicModels, name), haiku)
  for (const name of ['claude-haiku-5-5-2026', 'claude-haiku-5-5-mini', 'haiku-5-5'])
    assert.throws(() => findModelPrice(anthropicModels, name), { code: 'model_not_found' })
})
