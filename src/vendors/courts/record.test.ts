import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, refusal, wireOf } from '../../catalog/testing/run-call.ts'

describe('courts', () => {
  test('dockets and opinions are two types of one search', () => {
    assert.equal(wireOf('courts/dockets', { party_name: 'Apple' }).query?.['type'], 'r')
    assert.equal(wireOf('courts/cases', { q: 'fair use' }).query?.['type'], 'o')
  })

  test('litigants of opinions are looked for in the names of the cases, and a search names something', () => {
    const { action, input } = prepared('courts/cases', {
      case_name: 'v. Samsung',
      party_name: 'Apple',
    })
    assert.deepEqual(action.request(input).query, { type: 'o', case_name: 'v. Samsung Apple' })
    assert.equal(refusal('courts/cases', { order_by: 'score desc' }).code, 'invalid_params')
    assert.equal(refusal('courts/dockets', { order_by: 'score desc' }).code, 'invalid_params')
    assert.equal(
      refusal('courts/dockets', { q: 'x', order_by: 'citeCount desc' }).param,
      'order_by',
    )
  })

  test('it is asked at most as often as anybody may', () => {
    const { limits } = prepared('courts/cases', { q: 'x' }).service.vendor ?? {}
    assert.equal(limits?.perDay, 100)
  })
})
