import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readResponseUsage } from '../wires/responses/response-usage.ts'
import { readMessageUsage } from '../wires/messages/message-usage.ts'
import { readUsage, usageIn } from './usage.ts'

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
    { total_tokens: 19, prompt_tokens_details: { cached_tokens: 5 } },
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

const TOTALS = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }
const cacheOf = (read: ReturnType<typeof readUsage>): readonly (number | undefined)[] => [
  read?.usage.prompt,
  read?.usage.cacheRead,
  read?.usage.cacheWrite,
  read?.usage.cacheWriteLong,
]

test('reads cached tokens under every name of the field, and counts each figure once', () => {
  const read = { prompt_tokens_details: { cached_tokens: 300 } }
  const written = { prompt_tokens_details: { cache_write_tokens: 500 } }
  const spans = { ephemeral_5m_input_tokens: 400, ephemeral_1h_input_tokens: 100 }
  for (const [usage, expected] of [
    [read, [1_000, 300, 0, 0]],
    [{ input_tokens_details: { cached_tokens: 300 } }, [1_000, 300, 0, 0]],
    [{ cached_tokens: 300 }, [1_000, 300, 0, 0]],
    [{ cache_read_input_tokens: 300 }, [1_000, 300, 0, 0]],
    [{ prompt_cache_hit_tokens: 300, prompt_cache_miss_tokens: 700 }, [1_000, 300, 0, 0]],
    [{ ...read, cached_tokens: 300, cache_read_input_tokens: 300 }, [1_000, 300, 0, 0]],
    [
      { prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 300 },
      [1_000, 300, 0, 0],
    ],
    [written, [1_000, 0, 500, 0]],
    [{ prompt_tokens_details: { cache_creation_tokens: 500 } }, [1_000, 0, 500, 0]],
    [{ cache_creation_input_tokens: 500 }, [1_000, 0, 500, 0]],
    [{ ...written, cache_creation_input_tokens: 500 }, [1_000, 0, 500, 0]],
    [{ cache_creation_input_tokens: 500, cache_creation: spans }, [1_000, 0, 400, 100]],
    [
      {
        prompt_tokens_details: {
          cached_tokens: 300,
          cache_creation_tokens: 500,
          cache_creation_token_details: spans,
        },
        cache_read_input_tokens: 300,
        cache_creation_input_tokens: 500,
      },
      [1_000, 300, 400, 100],
    ],
  ] as const)
    assert.deepEqual(cacheOf(readUsage({ ...TOTALS, ...usage })), expected, JSON.stringify(usage))
})

test('adds cached tokens to a prompt that was counted without them', () => {
  for (const usage of [
    { prompt_tokens: 10, completion_tokens: 3, cache_read_input_tokens: 900 },
    {
      prompt_tokens: 10,
      completion_tokens: 3,
      total_tokens: 913,
      prompt_tokens_details: { cached_tokens: 900 },
    },
    { input_tokens: 10, output_tokens: 3, cache_read_input_tokens: 900 },
  ])
    assert.deepEqual(cacheOf(readUsage(usage)), [910, 900, 0, 0], JSON.stringify(usage))
  const messages = { input_tokens: 1_000, output_tokens: 3, cache_read_input_tokens: 300 }
  assert.deepEqual(cacheOf(readUsage(messages)), [1_300, 300, 0, 0])
  assert.deepEqual(cacheOf(readMessageUsage(messages)), [1_300, 300, 0, 0])
})

test('reads the counts of each API under the names of the others', () => {
  const zeros = { input_tokens: 0, output_tokens: 0, input_tokens_details: null }
  assert.deepEqual(countsOf({ ...TOTALS, ...zeros }), [1_000, 100, 0])
  assert.deepEqual(
    countsOf({ input_tokens: 10, output_tokens: 5, reasoning_tokens: 2 }),
    [10, 5, 2],
  )
  assert.deepEqual(
    countsOf({ ...TOTALS, completion_tokens_details: { thinking_tokens: 7 } }),
    [1_000, 100, 7],
  )
  assert.deepEqual(cacheOf(readMessageUsage({ ...TOTALS, cached_tokens: 300 })), [1_000, 300, 0, 0])
  assert.deepEqual(
    cacheOf(readMessageUsage({ ...TOTALS, input_tokens: 700, cache_read_input_tokens: 300 })),
    [1_000, 300, 0, 0],
  )
  assert.deepEqual(
    cacheOf(
      readResponseUsage({ input_tokens: 1_000, output_tokens: 5, cache_read_input_tokens: 300 }),
    ),
    [1_000, 300, 0, 0],
  )
})

test('finds the usage next to the choices, or else in them', () => {
  const own = { ...TOTALS, completion_tokens: 60, total_tokens: 1_060 }
  for (const [answer, completion] of [
    [{ usage: TOTALS, choices: [{ usage: own }] }, 100],
    [{ usage: null, x_groq: { usage: TOTALS } }, 100],
    [{ usage: {}, choices: [{ usage: own }] }, 60],
    [{ choices: [{ delta: { usage: own } }] }, 60],
    [
      {
        choices: [
          { index: 0, usage: own },
          { index: 1, usage: own },
        ],
      },
      120,
    ],
    [{ choices: [{ usage: {} }] }, undefined],
  ] as const)
    assert.equal(readUsage(usageIn(answer))?.usage.completion, completion, JSON.stringify(answer))
})
