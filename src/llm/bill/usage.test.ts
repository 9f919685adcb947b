import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUsage } from './usage.ts'

const countsOf = (usage: object): readonly (number | undefined)[] => {
  const read = readUsage(usage)?.usage
  return [read?.prompt, read?.completion, read?.reasoning]
}

test('counts thinking as completion, also if it is only in the total', () => {
  assert.deepEqual(
    countsOf({
      prompt_tokens: 10,
      completion_tokens: 103,
      total_tokens: 113,
      completion_tokens_details: { reasoning_tokens: 100 },
    }),
    [10, 103, 100],
  )
  assert.deepEqual(
    countsOf({
      prompt_tokens: 10,
      completion_tokens: 3,
      total_tokens: 113,
      completion_tokens_details: { reasoning_tokens: 100 },
    }),
    [10, 103, 100],
  )
  assert.deepEqual(
    countsOf({
      prompt_tokens: 21,
      completion_tokens: 0,
      total_tokens: 81,
      completion_tokens_details: { reasoning_tokens: 60 },
    }),
    [21, 60, 60],
  )
  assert.deepEqual(
    countsOf({ prompt_tokens: 12, completion_tokens: 7, total_tokens: 1_024 }),
    [12, 1_012, 1_005],
  )
})

test('ignores a total that is missing or differs for another reason', () => {
  for (const rest of [
    {},
    { total_tokens: 13 },
    { total_tokens: 5 },
    { total_tokens: 'x' },
    { total_tokens: 913, prompt_tokens_details: { cached_tokens: 900 } },
    { total_tokens: 113, completion_tokens_details: { reasoning_tokens: 2 } },
  ]) {
    assert.deepEqual(
      countsOf({ prompt_tokens: 10, completion_tokens: 3, ...rest }).slice(0, 2),
      [10, 3],
      JSON.stringify(rest),
    )
  }
})

test('distinguishes the priced kinds of tokens', () => {
  const reported = {
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2, audio_tokens: 1 },
    completion_tokens_details: { audio_tokens: 4, reasoning_tokens: 1 },
  }
  assert.deepEqual(readUsage(reported)?.usage, {
    prompt: 10,
    completion: 5,
    cacheRead: 3,
    cacheWrite: 2,
    cacheWriteLong: 0,
    audioIn: 1,
    reasoning: 1,
    audioOut: 4,
  })
})

test('uses a reported cost, rounded up, but not a fee for the operator’s own key', () => {
  const reported = { prompt_tokens: 10, completion_tokens: 5, cost: 0.0001234 }
  assert.equal(readUsage(reported)?.cost, 124n)
  assert.equal(readUsage({ ...reported, is_byok: true })?.cost, null)
})

test('ignores a report with invalid counts', () => {
  for (const count of [-1, 1.5, 1e300, '5', null]) {
    assert.equal(readUsage({ prompt_tokens: count, completion_tokens: 5 }), null, String(count))
    assert.equal(readUsage({ prompt_tokens: 5, completion_tokens: count }), null, String(count))
  }
})
