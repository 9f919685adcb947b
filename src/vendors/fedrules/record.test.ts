import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusal, wireOf, withSimulators } from '../../catalog/testing/run-call.ts'

const { failureOf } = withSimulators()

describe('fedrules', () => {
  test('accepts the four types of document, alone or as a list', () => {
    assert.deepEqual(
      wireOf('fedrules/search', { type: ['RULE', 'NOTICE'] }).query?.['conditions[type][]'],
      ['RULE', 'NOTICE'],
    )
    assert.equal(refusal('fedrules/search', { type: 'LAW' }).param, 'type')
    assert.equal(refusal('fedrules/search', { per_page: 1001 }).param, 'per_page')
  })

  test("reports an unknown agency as the caller's mistake", async () => {
    assert.equal(
      await failureOf('fedrules/search', { agency: 'no-such-agency' }),
      'upstream_rejected',
    )
  })
})
