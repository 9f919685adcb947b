import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { chooseBlocks } from './choose-blocks.ts'

const blocks = fc.array(
  fc.record({
    probability: fc.double({ min: 0, max: 1, noNaN: true }),
    words: fc.integer({ min: 1, max: 400 }),
  }),
  { minLength: 1, maxLength: 9 },
)

/** The expected F1 of one set of blocks, given as bits. */
function expectedF1(list: readonly { probability: number; words: number }[], bits: number): number {
  const kept = list.filter((_, at) => ((bits >> at) & 1) === 1)
  const right = kept.reduce((sum, { probability, words }) => sum + probability * words, 0)
  const taken = kept.reduce((sum, { words }) => sum + words, 0)
  const all = list.reduce((sum, { probability, words }) => sum + probability * words, 0)
  return (2 * right) / Math.max(1e-9, taken + all)
}

describe('chooseBlocks', () => {
  it('finds a set that no other set of blocks exceeds in expected F1', () => {
    fc.assert(
      fc.property(blocks, (list) => {
        const { expectedF1: found, kept } = chooseBlocks(
          list.map(({ probability }) => probability),
          list.map(({ words }) => words),
        )
        const bits = kept.reduce((sum, isKept, at) => sum + (isKept ? 1 << at : 0), 0)
        const best = Math.max(
          ...Array.from({ length: 1 << list.length }, (_, set) => expectedF1(list, set)),
        )
        assert.ok(Math.abs(found - expectedF1(list, bits)) < 1e-9)
        assert.ok(found >= best - 1e-9, `${found} < ${best}`)
      }),
    )
  })

  it('keeps nothing of a page without blocks', () => {
    assert.deepEqual(chooseBlocks([], []), { kept: [], expectedF1: 0 })
  })
})
