/** Where a token more, or a character, changes what a direct call of a model costs, or is taken to cost. */
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

describe('a prompt of the length at which a model grows dearer', () => {
  it('costs what a short one does, and with a token more all of it costs what a long one does', () => {
    assert.equal(costOfUsage(sol, { ...NOTHING, fresh: 272_000, completion: 1_000 }), 554_000n)
    assert.equal(costOfUsage(sol, { ...NOTHING, fresh: 272_001, completion: 1_000 }), 1_103_004n)
    assert.equal(worstCost(sol, 272_000, 1_000), 554_000n)
    assert.equal(worstCost(sol, 272_001, 1_000), 1_103_004n)
  })

  it('is as long as all that was read, from a cache or into one', () => {
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

  it('is never held for less than it can cost: at the dearest of fresh and written', () => {
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

  it('is refused from the first micro-dollar above it, with the largest answer that is not', () => {
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

  it('is told a largest answer that is then taken, and none where the prompt alone is above the cap', () => {
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

describe('what a model is given to read', () => {
  it('is counted as text up to 512 characters of data, and by its size above', () => {
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

  it('is counted as text under any name within JSON of the caller’s own, and by its names too', () => {
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

  it('is taken for large where only its address is known, and a document for longer than a picture', () => {
    const elsewhere = (type: string) =>
      estimateInput({ type, source: { type: 'url', url: 'https://a.example/x' } })
    assert.ok(elsewhere('image') >= 4_800 && elsewhere('image') < 10_000)
    assert.ok(elsewhere('document') >= 50_000)
  })
})

it('a picture whose size the model chooses is held for at the size that takes most, of every model and quality', () => {
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

it('counts of a reply that are none are zero, and not told', () => {
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

it('a dated name is priced as the model that it is of, and no other name is', () => {
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
