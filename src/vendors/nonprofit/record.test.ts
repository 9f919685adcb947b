import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusal, wireOf } from '../../catalog/testing/run-call.ts'

describe('nonprofit', () => {
  test("converts an NTEE letter to the vendor's group, and keeps a group", () => {
    const group = (ntee: string) =>
      wireOf('nonprofit/nonprofit_search', { ntee }).query?.['ntee[id]']
    assert.deepEqual(
      ['A', 'B', 'd', 'H', 'P20', 'Q', 'W', 'X', 'Y', 'Z', '7', '10'].map(group),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 7, 10],
    )
    assert.equal(refusal('nonprofit/nonprofit_search', { ntee: '11' }).param, 'ntee')
  })

  test('accepts an EIN with and without its dash', () => {
    for (const ein of ['14-2007220', '142007220'])
      assert.equal(wireOf('nonprofit/nonprofit', { ein }).path, '/organizations/142007220.json')
  })
})
