import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

async function resultOf(id: string, sent: Data) {
  const result = await run(id, sent)
  assert.ok('outcome' in result && result.outcome.kind === 'done')
  return { data: result.outcome.data, charged: result.charged }
}

describe('a browser session', () => {
  test('costs 0.2¢ per minute, one minute by default, and returns a connectUrl', async () => {
    assert.equal((await resultOf('browser/create_session', {})).charged, cents('0.2'))
    const { data, charged } = await resultOf('browser/create_session', { estimatedMinutes: 10 })
    assert.deepEqual([charged, data['paidMinutes']], [cents('2'), 10])
    assert.match(String(data['connectUrl']), /^wss:/)
    const session_id = data['sessionId']
    assert.equal(
      (await resultOf('browser/extend_session', { session_id, estimatedMinutes: 5 })).charged,
      cents('1'),
    )
    const { data: state, charged: asking } = await resultOf('browser/session_status', {
      session_id,
    })
    assert.deepEqual([state['alive'], state['paidMinutes'], asking], [true, 15, 0n])
    assert.deepEqual((await resultOf('browser/release_session', { session_id })).data, {
      sessionId: session_id,
      released: true,
      unused_minutes: 15,
    })
    assert.equal((await resultOf('browser/session_status', { session_id })).data['alive'], false)
    assert.equal(
      await failureOf('browser/extend_session', { session_id, estimatedMinutes: 5 }),
      'unknown_session',
    )
    assert.equal(
      (await resultOf('browser/release_session', { session_id })).data['unused_minutes'],
      0,
    )
    for (const estimatedMinutes of [0, 1.5, 361])
      assert.equal(
        refusal('browser/create_session', { estimatedMinutes }).param,
        'estimatedMinutes',
      )
  })

  test('has ended if the vendor does not know it: status and release report that, extend fails', async () => {
    const session_id = 'nobody'
    const { data } = await resultOf('browser/session_status', { session_id })
    assert.deepEqual([data['alive'], data['paidMinutes']], [false, 0])
    assert.equal(
      (await resultOf('browser/session_status', { session_id: 'sim-1-5' })).data['alive'],
      false,
    )
    assert.deepEqual((await resultOf('browser/release_session', { session_id })).data, {
      sessionId: session_id,
      released: true,
      unused_minutes: 0,
    })
    assert.equal(await failureOf('browser/extend_session', { session_id }), 'unknown_session')
  })

  test("uses a proxy of a country in the vendor's form", () => {
    const us = [{ type: 'browserbase', geolocation: { country: 'US' } }]
    for (const [proxies, sent] of [
      [true, true],
      ['us', us],
      [{ country: 'us' }, us],
    ] as const) {
      const { action, input } = prepared('browser/create_session', { proxies })
      assert.deepEqual(action.request(input).json, { estimatedMinutes: 1, proxies: sent })
    }
    refusal('browser/create_session', { proxies: 'usa' })
  })
})
