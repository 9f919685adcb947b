import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, missOf } = withSimulators()
const task = {
  type: 'TurnstileTaskProxyless',
  websiteURL: 'https://example.com/',
  websiteKey: '0x4',
}

async function resultOf(id: string, sent: Data) {
  const result = await run(id, sent)
  assert.ok('outcome' in result && result.outcome.kind === 'done')
  return { data: result.outcome.data, charged: result.charged }
}

describe('captcha', () => {
  test('charges 0.3 cents for an accepted task, and polls for free', async () => {
    const { data, charged } = await resultOf('captcha/solve', { task })
    assert.equal(charged, cents('0.3'))
    const processing = await resultOf('captcha/result', { taskId: data['taskId'] })
    assert.deepEqual([processing.data['status'], processing.charged], ['processing', 0n])
    const ready = await resultOf('captcha/result', { taskId: '17000000000000' })
    assert.deepEqual([ready.data['status'], ready.charged], ['ready', 0n])
    assert.ok(ready.data['solution'])
  })

  test('treats an error with status 200 as a failure without a charge', async () => {
    assert.equal((await missOf('captcha/result', { taskId: '17000000000001' })).code, 'no_results')
    assert.equal((await missOf('captcha/result', { taskId: '5' })).code, 'upstream_not_found')
    for (const [fault, code] of [
      ['quota', 'upstream_payment'],
      ['401', 'upstream_not_configured'],
      ['429', 'upstream_busy'],
      ['400', 'upstream_rejected'],
    ] as const)
      assert.equal(
        (await missOf('captcha/solve', { task: { ...task, websiteKey: `sim:${fault}` } })).code,
        code,
      )
  })

  test('requires the fields of each task type, and rejects types that may cost more', () => {
    assert.equal(
      refusal('captcha/solve', {
        task: { type: 'TurnstileTaskProxyless', websiteURL: 'https://example.com/' },
      }).param,
      'task.websiteKey',
    )
    assert.equal(refusal('captcha/solve', { task: { type: 'ImageToTextTask' } }).param, 'task.body')
    assert.equal(
      refusal('captcha/solve', { task: { ...task, type: 'RecaptchaV2Task' } }).param,
      'task.proxyType',
    )
    assert.equal(
      refusal('captcha/solve', { task: { ...task, type: 'FunCaptchaTaskProxyless' } }).param,
      'task.type',
    )
    prepared('captcha/solve', { task: { ...task, action: 'login', data: 'x' } })
  })

  test('uses text ids, and sends numbers to a vendor that numbers its tasks', () => {
    for (const [taskId, sent] of [
      ['123', 123],
      ['0197a1b2-5c3d-7e4f-8a9b-0c1d2e3f4a5b', '0197a1b2-5c3d-7e4f-8a9b-0c1d2e3f4a5b'],
    ] as const) {
      const { action, input } = prepared('captcha/result', { taskId })
      assert.deepEqual(action.request(input).json, { taskId: sent })
    }
    const { action, input } = prepared('captcha/solve', { task })
    assert.deepEqual(
      action.outcome({ status: 200, headers: {}, body: { errorId: 0, taskId: 7 } }, input),
      { kind: 'done', data: { taskId: '7' } },
    )
  })
})
