import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, withSimulators } from '../../catalog/testing/run-call.ts'

const { failureOf } = withSimulators()

const MESSAGES = [{ role: 'user', content: 'What is a ledger?' }]

const OK = { status: 200, headers: {} }

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

  test('prices cached tokens in addition to input tokens', () => {
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

  test('prices a long haiku prompt at its long-prompt rates', () => {
    assert.equal(
      outcomeOf({ input_tokens: 100_000, output_tokens: 0 }, 'claude-haiku-5-5'),
      10_000n,
    )
    assert.equal(
      outcomeOf({ input_tokens: 100_001, output_tokens: 0 }, 'claude-haiku-5-5'),
      50_001n,
    )
  })

  test('distinguishes an overloaded provider from one that demands payment', async () => {
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
