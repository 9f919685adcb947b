import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMargin, withMargin } from '../../catalog/prices/margin.ts'
import { billOf, type Delivery } from '../bill/bill.ts'
import type { Candidate } from './model.ts'
import { ratesWith, type ModelRates } from './model-rates.ts'

const RATES: ModelRates = {
  prompt: 3_000_001n,
  completion: 15_000_000n,
  cacheRead: 300_000n,
  cacheWrite: 3_750_000n,
  cacheWriteLong: 6_000_000n,
  reasoning: 15_000_007n,
  audio: 1n,
  request: 5_000n,
  image: 4_800n,
  overrides: [
    {
      minPromptTokens: 200_000,
      hours: null,
      rates: { prompt: 6_000_000n, completion: 22_500_000n, cacheRead: 600_000n },
    },
  ],
}

/** Every rate by its path. */
function listed(rates: object): [string, bigint][] {
  return Object.entries(rates).flatMap(([name, value]): [string, bigint][] =>
    typeof value === 'bigint'
      ? [[name, value]]
      : Array.isArray(value)
        ? value.flatMap((one: { readonly rates: object }) => listed(one.rates))
        : [],
  )
}

test('a margin is on every rate of a model, also of caches, long prompts and images', () => {
  const margin = readMargin('8.5')
  assert.deepEqual(
    listed(ratesWith(RATES, margin)),
    listed(RATES).map(([name, rate]) => [name, withMargin(rate, margin)]),
  )
})

test('a margin is on the cost that an upstream reports, never above the hold', () => {
  const margin = readMargin('20')
  const candidate = { rates: RATES, isPricedByUpstream: true, margin } as Candidate
  const delivery = {
    candidate,
    reported: { usage: { prompt: 5, completion: 3 }, cost: 1_001n },
    promptUsage: null,
    texts: () => ['text'],
    hiddenTokens: 0,
    isOwed: false,
    startedMs: 0,
    prompt: { imageCount: 0 },
  } as unknown as Omit<Delivery, 'held'>
  assert.equal(billOf({ ...delivery, held: 5_000n }).charge, 1_202n)
  assert.equal(billOf({ ...delivery, held: 1_100n }).charge, 1_100n)
})
