import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base'
import { sampleOf } from '../../../test/harness/sample.ts'
import { countTokens } from './count-tokens.ts'
import { countTokensOf, estimateTokens } from './estimate-tokens.ts'
import { HELD_OUT_KINDS, textOfKind, TUNED_KINDS } from './testing/text-kinds.ts'

const LEAST_SHARE = 0.97
const MOST_SHARE = 1.25
const SHORT_UNITS = 2_000
const LONG_UNITS = 200_000

// The library takes U+FEFF for white space and drops it from what it looks up; U+0085 is no white space to it.
const countExactly = (text: string): number =>
  /[\u{feff}\u{85}]/u.test(text)
    ? countTokens(text)
    : countByLibrary(text, { disallowedSpecial: new Set() })

function assertWithin(estimate: number, count: number, name: string, most = MOST_SHARE): void {
  assert.ok(
    estimate >= LEAST_SHARE * count && estimate <= most * count + 1,
    `${name}: ${estimate} for ${count}`,
  )
}

for (const [half, kinds] of Object.entries({ tuned: TUNED_KINDS, 'held out': HELD_OUT_KINDS })) {
  describe(`of the 30 kinds of text ${half}, the estimate`, () => {
    it('is 0.97 to 1.25 times the count by o200k', () => {
      assert.equal(Object.keys(kinds).length, 30)
      for (const [name, kind] of Object.entries(kinds)) {
        const text = textOfKind(kind, SHORT_UNITS, 1)
        assertWithin(estimateTokens(text), countExactly(text), name)
      }
    })

    it('is 0.97 to 1.4 times the count for a sampled long text', () => {
      for (const [name, kind] of sampleOf(Object.entries(kinds), 6)) {
        const text = textOfKind(kind, LONG_UNITS, 2)
        assertWithin(estimateTokens(text), countTokens(text), name, 1.4)
      }
    })
  })
}

describe('a long text of two kinds', () => {
  const { english, rareHan, sameLetter, privateUse } = TUNED_KINDS
  const mixed = (light = english, dense = rareHan, blocks = 1): string =>
    Array.from(
      { length: blocks },
      (_, index) =>
        textOfKind(light as NonNullable<typeof light>, (9 * LONG_UNITS) / 10 / blocks, index) +
        textOfKind(dense as NonNullable<typeof dense>, LONG_UNITS / 10 / blocks, index),
    ).join('')

  it('is estimated at 0.97 of its count or more, wherever its dense tenth is', () => {
    for (const blocks of [1, 3, 17, 100, 1_000]) {
      for (const [light, dense] of [
        [english, rareHan],
        [sameLetter, privateUse],
      ] as const) {
        const text = mixed(light, dense, blocks)
        const [estimate, count] = [estimateTokens(text), countTokens(text)]
        assert.ok(
          estimate >= LEAST_SHARE * count && estimate < 2 * count,
          `${blocks} blocks: ${estimate} for ${count}`,
        )
      }
    }
  })
})

describe('a text of any length', () => {
  it('has a constant estimate, so that a check and a hold agree', () => {
    for (const kind of Object.values(TUNED_KINDS).slice(0, 4)) {
      const text = textOfKind(kind, LONG_UNITS, 3)
      assert.equal(estimateTokens(text), estimateTokens(`${text}`))
    }
  })

  it('is sampled elsewhere after any change, so that probing fails', () => {
    // The tokens of each share are dense in one half, and a window covers one half.
    const share = 2_000
    const text = (' the'.repeat(share / 8) + '\ue000'.repeat(share / 2)).repeat(512)
    const estimates = Array.from({ length: 8 }, (_, place) =>
      estimateTokens(`${text.slice(0, -1)}${place}`),
    )
    assert.ok(
      Math.max(...estimates) > 1.01 * Math.min(...estimates),
      `${Math.min(...estimates)} to ${Math.max(...estimates)}`,
    )
  })

  it('is 0 for an empty text', () => {
    assert.deepEqual([estimateTokens(''), countTokensOf([]), countTokensOf(['', ''])], [0, 0, 0])
  })

  it('is billed without the margin, short texts by their count', () => {
    assert.equal(countTokensOf(['one', ' two', '']), 2)
    assertWithin(
      countTokensOf(['a'.repeat(16_000_000), ' a'.repeat(2_000_000)]),
      4_000_000,
      'two texts',
      1.03,
    )
  })
})
