import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, withSimulators } from '../../catalog/testing/run-call.ts'

const { run } = withSimulators()

const MESSAGES = [{ role: 'user', content: 'What is a ledger?' }]

const OK = { status: 200, headers: {} }

const answer = { choices: [{ message: { role: 'assistant', content: 'A book of accounts.' } }] }

describe('router2/chat', () => {
  test('is charged as reported by the aggregator, to the micro-dollar', async () => {
    const { action, input } = prepared('router2/chat', { model: 'any/model', messages: MESSAGES })
    const outcome = action.outcome(
      { ...OK, body: { choices: answer.choices, usage: { cost: 0.0000052 } } },
      input,
    )
    assert.ok(outcome.kind === 'done' && outcome.actual === 6n)
    const result = await run('router2/chat', { model: 'openai/gpt-6-luna', messages: MESSAGES })
    assert.ok('charged' in result && result.charged > 0n && result.charged < 100n)
  })

  test("includes the provider's cost in addition to the fee under the operator's own key", () => {
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

  test('sends the aggregator the highest rates that cap and hold cover', () => {
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

  test("treats rejected input as the caller's mistake, not as a wrong key", () => {
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

  test('treats an error with status 200 as a failure without a charge', () => {
    const { action, input } = prepared('router2/chat', { model: 'any/model', messages: MESSAGES })
    assert.equal(
      action.outcome({ ...OK, body: { error: { message: 'no' }, choices: [{}] } }, input).kind,
      'failed',
    )
  })
})
