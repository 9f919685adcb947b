import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run } = withSimulators()

async function chargedFor(id: string, sent: Data): Promise<{ data: Data; charged: bigint }> {
  const result = await run(id, sent)
  assert.ok('outcome' in result && result.outcome.kind === 'done')
  return { data: result.outcome.data, charged: result.charged }
}

/** The same job after its end. */
function over(id: string): string {
  return id.replace(/^sim-[a-z0-9]+-/, 'sim-0-')
}

describe('emailasync', () => {
  const launches: readonly [string, string, Data, string][] = [
    [
      'email-search',
      '4',
      { firstname: 'Ana', lastname: 'Example', domainOrCompany: 'example.com' },
      '/email-search',
    ],
    ['email-verification', '2', { email: 'ana@example.com' }, '/email-verification'],
    ['domain-scan', '4', { domainOrCompany: 'example.com' }, '/domain-search'],
  ]
  for (const [name, price, sent, path] of launches) {
    test(`${name} costs ${price}¢ at start, and its result 1¢ per poll`, async () => {
      const { action, input } = prepared(`emailasync/${name}`, sent)
      assert.equal(action.request(input).path, path)
      const started = await chargedFor(`emailasync/${name}`, sent)
      assert.equal(started.charged, cents(price))
      const { _id: id } = started.data['item'] as { _id: string }
      const running = await chargedFor('emailasync/result', { id })
      assert.equal((running.data['items'] as { status: string }[])[0]?.status, 'IN_PROGRESS')
      const polled = await chargedFor('emailasync/result', { id: over(id) })
      assert.equal(polled.charged, cents('1'))
      assert.equal((polled.data['items'] as { status: string }[])[0]?.status, 'DEBITED')
    })
  }

  test('charges 1¢ for a poll of a running search or without a result', async () => {
    for (const [firstname, status] of [
      ['pending', 'IN_PROGRESS'],
      ['nobody', 'DEBITED_NOT_FOUND'],
    ] as const) {
      const { data } = await chargedFor('emailasync/email-search', {
        firstname,
        domainOrCompany: 'example.com',
      })
      const polled = await chargedFor('emailasync/result', {
        id: over((data['item'] as { _id: string })._id),
      })
      assert.deepEqual(
        [(polled.data['items'] as { status: string }[])[0]?.status, polled.charged],
        [status, cents('1')],
      )
    }
  })

  test('treats a rejection with status 200 as a failure without a charge', () => {
    const { action, input } = prepared('emailasync/domain-scan', { domainOrCompany: 'x' })
    const codeOf = (body: unknown) => {
      const outcome = action.outcome({ status: 200, headers: {}, body }, input)
      return outcome.kind === 'failed' ? outcome.code : outcome.kind
    }
    assert.equal(
      codeOf({ success: false, validationErrors: [{ field: 'domainOrCompany', type: 'invalid' }] }),
      'upstream_rejected',
    )
    assert.equal(codeOf({ success: false, code: 'UnpaidSubscriptionError' }), 'upstream_payment')
    assert.equal(codeOf({ success: false, code: 'SearchNotFoundError' }), 'unknown_job')
    assert.equal(codeOf({ success: true }), 'order_unknown')
    const refused = action.outcome(
      {
        status: 200,
        headers: {},
        body: { success: false, validationErrors: [{ field: 'domainOrCompany', type: 'invalid' }] },
      },
      input,
    )
    assert.ok(refused.kind === 'failed')
    assert.deepEqual(
      [refused.param, refused.details?.['upstream']],
      [
        'domainOrCompany',
        { service: 'emailasync', status: 200, code: null, message: 'domainOrCompany: invalid' },
      ],
    )
  })

  test('requires a name for a search, and an id or mode single for a poll', () => {
    assert.equal(
      refusal('emailasync/email-search', { domainOrCompany: 'example.com' }).code,
      'invalid_params',
    )
    prepared('emailasync/result', { mode: 'single', limit: 100 })
    assert.equal(refusal('emailasync/result', { mode: 'single', limit: 101 }).param, 'limit')
    assert.equal(refusal('emailasync/result', { id: 'a', mode: 'single' }).code, 'invalid_params')
    assert.equal(refusal('emailasync/result', {}).code, 'invalid_params')
  })

  test("lists only the account's own searches", () => {
    const { action } = prepared('emailasync/result', { mode: 'single' })
    assert.ok(action.kind === 'call')
    const reply = {
      status: 200,
      headers: {},
      body: { success: true, items: [{ _id: 'mine' }, { _id: 'theirs' }, 'odd'] },
    }
    assert.deepEqual(action.ownership?.filterList?.(reply, (id) => id === 'mine').body, {
      success: true,
      items: [{ _id: 'mine' }],
    })
  })

  test("filters all listed searches before it applies the account's limit", () => {
    const { action, input } = prepared('emailasync/result', {
      mode: 'single',
      limit: 1,
      type: 'email-search',
    })
    assert.deepEqual(action.request(input).json, {
      mode: 'single',
      limit: 100,
      type: 'email-search',
    })
    const outcome = action.outcome(
      {
        status: 200,
        headers: {},
        body: { success: true, items: [{ _id: 'newer' }, { _id: 'older' }] },
      },
      input,
    )
    assert.deepEqual(outcome.kind === 'done' && outcome.data['items'], [{ _id: 'newer' }])
  })
})
