import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, refusal, wireOf } from '../../catalog/testing/run-call.ts'

describe('courts', () => {
  test('sends dockets and opinions as two types of one search', () => {
    assert.equal(wireOf('courts/dockets', { party_name: 'Apple' }).query?.['type'], 'r')
    assert.equal(wireOf('courts/cases', { q: 'fair use' }).query?.['type'], 'o')
  })

  test('searches litigants of opinions in case names, and requires a search term', () => {
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

  test('limits calls to those that the source allows without a key', () => {
    const { limits } = prepared('courts/cases', { q: 'x' }).service.vendor ?? {}
    assert.equal(limits?.perDay, 100)
  })
})
