import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import {
  costOf,
  dearestRates,
  dollarsPerMillion,
  longCacheRate,
  plainUsage,
  readPicoDollars,
  readRatePerMillion,
  toMicrosRoundedUp,
  type TokenUsage,
} from './token-price.ts'

test('parses prices exactly in any notation', () => {
  const cases: readonly (readonly [unknown, bigint | null])[] = [
    ['0.0000001', 100_000n],
    ['1e-7', 100_000n],
    [1e-7, 100_000n],
    ['0.000004', 4_000_000n],
    ['0', 0n],
    ['1', 1_000_000_000_000n],
    ['2.5E-6', 2_500_000n],
    ['0.0000000000001', 1n],
    ['-1', null],
    ['', null],
    ['free', null],
    [null, null],
    [Number.NaN, null],
    ['1e999', null],
  ]
  for (const [text, picos] of cases) assert.equal(readPicoDollars(text), picos, String(text))
  assert.equal(readRatePerMillion('0.15'), 150_000n)
  assert.equal(dollarsPerMillion(150_000n), 0.15)
})

test('removes binary rounding from an amount', () => {
  assert.equal(readPicoDollars(0.0043560000000000005), 4_356_000_000n)
  fc.assert(
    fc.property(
      fc.nat({ max: 1_000_000 }),
      fc.nat({ max: 100_000 }),
      fc.nat({ max: 100_000 }),
      (prompt, cached, completion) => {
        assert.equal(
          toMicrosRoundedUp(
            readPicoDollars(prompt * 1e-6 + cached * 4e-6 + completion * 2e-5) ?? -1n,
          ),
          BigInt(prompt + 4 * cached + 20 * completion),
        )
      },
    ),
  )
})

test('rounds the sum of a call up once to a micro-dollar', () => {
  const rates = { prompt: 100_000n, completion: 500_000n }
  assert.equal(costOf(plainUsage(12, 8), rates), 6n)
  assert.equal(costOf(plainUsage(10, 8), rates), 5n)
  assert.equal(costOf(plainUsage(0, 0), rates), 0n)
  assert.equal(costOf(plainUsage(1_500, 500), rates), 400n)
})

test('prices cached, reasoning and audio tokens by their own rates if present', () => {
  const usage: TokenUsage = {
    prompt: 1_000,
    completion: 100,
    cacheRead: 600,
    cacheWrite: 100,
    cacheWriteLong: 0,
    audioIn: 50,
    reasoning: 40,
    audioOut: 10,
  }
  const rates = { prompt: 4_000_000n, completion: 20_000_000n }
  assert.equal(costOf(usage, rates), 6_000n)
  const own = {
    ...rates,
    cacheRead: 200_000n,
    cacheWrite: 5_000_000n,
    audio: 40_000_000n,
    reasoning: 30_000_000n,
  }
  assert.equal(costOf(usage, own), 1_000n + 120n + 500n + 2_000n + 1_000n + 1_200n + 400n)
  assert.deepEqual(dearestRates(own), { prompt: 40_000_000n, completion: 40_000_000n })
})

const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

test('prices a cache for an hour apart, at twice the prompt without its own rate', () => {
  const usage: TokenUsage = {
    ...plainUsage(1_000, 0),
    cacheRead: 100,
    cacheWrite: 200,
    cacheWriteLong: 300,
  }
  const rates = { prompt: 4_000_000n, completion: 0n, cacheRead: 400_000n, cacheWrite: 5_000_000n }
  assert.equal(costOf(usage, rates), 400n * 4n + 40n + 1_000n + 300n * 8n)
  assert.equal(
    costOf(usage, { ...rates, cacheWriteLong: 9_000_000n }),
    1_600n + 40n + 1_000n + 2_700n,
  )
  assert.equal(costOf(usage, { prompt: 4_000_000n, completion: 0n }), 4_000n)
})

test('bounds the price when parts exceed their whole', () => {
  const count = fc.nat({ max: 100_000 })
  const usageOf = fc.record({
    prompt: count,
    completion: count,
    cacheRead: count,
    cacheWrite: count,
    cacheWriteLong: count,
    audioIn: count,
    reasoning: count,
    audioOut: count,
  })
  const rate = fc.bigInt({ min: 0n, max: 100_000_000n })
  const rates = fc.record(
    {
      prompt: rate,
      completion: rate,
      cacheRead: rate,
      cacheWrite: rate,
      reasoning: rate,
      audio: rate,
    },
    { requiredKeys: ['prompt', 'completion'] },
  )
  fc.assert(
    fc.property(usageOf, rates, (usage, list) => {
      const cost = costOf(usage, list)
      const dearest = dearestRates(list)
      assert.ok(cost >= 0n)
      assert.ok(
        cost <=
          toMicrosRoundedUp(
            BigInt(usage.prompt) * most(dearest.prompt, longCacheRate(list)) +
              BigInt(usage.completion) * dearest.completion,
          ),
      )
    }),
    { numRuns: 200 },
  )
})
