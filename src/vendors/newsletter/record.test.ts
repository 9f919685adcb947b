import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import type { Reply } from '../../catalog/vocabulary/wire.ts'
import { prepared, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()
const PUBLICATION = 'https://www.example.substack.com/'

function buy(reply: Partial<Reply>, held?: bigint) {
  const { action, input } = prepared('newsletter/post', { publication: PUBLICATION, post: 'a' })
  assert.ok(action.kind === 'call')
  return action.followUps?.[0]?.({ status: 402, headers: {}, body: {}, ...reply }, input, held)
}

function quoted(amount: string): Partial<Reply> {
  return {
    headers: {
      'payment-required': Buffer.from(JSON.stringify({ accepts: [{ amount }] })).toString('base64'),
    },
  }
}

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.code
  }
  return 'bought'
}

describe('newsletter/post', () => {
  test('accepts URLs and slugs of a publication and a post', () => {
    for (const [publication, post] of [
      [PUBLICATION, 'https://example.substack.com/p/hello?utm=1'],
      ['example.substack.com', 'hello'],
      ['HTTPS://Example.substack.com/p/x', '/p/hello/'],
    ] as const) {
      const { action, input } = prepared('newsletter/post', { publication, post })
      assert.equal(action.request(input).path, '/api/v1/publications/example.substack.com/hello')
    }
  })

  test("charges the publisher's price, at least 5¢", async () => {
    for (const [post, price] of [
      ['plain', '5'],
      ['half-price', '50'],
    ] as const) {
      const result = await run('newsletter/post', { publication: PUBLICATION, post })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.equal(result.charged, cents(price))
    }
    const { action, input } = prepared('newsletter/post', { publication: PUBLICATION, post: 'a' })
    const cheap = action.outcome(
      { status: 200, headers: {}, body: { title: 'A post', paymentInfo: { amountUsd: 0.01 } } },
      input,
    )
    assert.equal(cheap.kind === 'done' && cheap.actual, cents('5'))
  })

  test('buys nothing above 1 USD, above max_cost_cents or without a price', async () => {
    await assert.rejects(run('newsletter/post', { publication: PUBLICATION, post: 'expensive' }), {
      code: 'max_cost_exceeded',
    })
    assert.equal(
      codeOf(() => buy(quoted('1000001'))),
      'max_cost_exceeded',
    )
    assert.equal(
      codeOf(() => buy(quoted('1000000'))),
      'bought',
    )
    assert.equal(
      codeOf(() => buy(quoted('500000'), cents('49'))),
      'max_cost_exceeded',
    )
    assert.equal(
      codeOf(() => buy(quoted('500000'), cents('50'))),
      'bought',
    )
    assert.equal(
      codeOf(() => buy({})),
      'price_unknown',
    )
    assert.equal(
      codeOf(() => buy({ headers: { 'payment-required': 'no base64 of JSON' } })),
      'price_unknown',
    )
  })

  test('rejects a post above max_cost_cents with both amounts', () => {
    assert.throws(() => buy(quoted('500000'), cents('49')), {
      param: 'max_cost_cents',
      details: { price_cents: 50, price_micros: 500_000, max_cost_cents: 49 },
    })
  })

  test('uses the higher of two prices, from either scheme', () => {
    const challenge = `Payment id="1", request="${Buffer.from(JSON.stringify({ amount: '2000000' })).toString('base64url')}"`
    assert.equal(
      codeOf(() => buy({ headers: { ...quoted('50000').headers, 'www-authenticate': challenge } })),
      'max_cost_exceeded',
    )
    assert.equal(
      codeOf(() => buy({ body: { accepts: [{ maxAmountRequired: '50000' }] } })),
      'bought',
    )
  })

  test('charges nothing for an unknown post or a rejected payment', async () => {
    assert.equal(
      await failureOf('newsletter/post', { publication: PUBLICATION, post: 'nobody' }),
      'no_results',
    )
    const { action, input } = prepared('newsletter/post', { publication: PUBLICATION, post: 'a' })
    assert.equal(action.outcome({ status: 402, headers: {}, body: {} }, input).kind, 'failed')
  })
})
