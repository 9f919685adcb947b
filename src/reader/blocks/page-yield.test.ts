import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { estimateYield, yieldInputs } from './page-yield.ts'

const choice = {
  words: [100, 100, 100],
  kept: [true, false, false],
  expectedF1: 0.9,
  probabilities: [0.9, 0.1, 0.1],
  isProduct: false,
}

describe('the inputs of the yield', () => {
  it('have less agreement with more likely blocks outside the choice', () => {
    const agreements = [0.1, 0.4].map(
      (probability) =>
        yieldInputs({ ...choice, probabilities: [0.9, probability, probability] }).agreement,
    )
    assert.deepEqual(agreements, [1, 0.5])
  })

  it('give the same agreement for no text as for no likely block', () => {
    const empty = { ...choice, words: [], kept: [], probabilities: [] }
    assert.equal(yieldInputs(empty).agreement, 0)
    assert.equal(yieldInputs({ ...choice, probabilities: [0.1, 0.1, 0.1] }).agreement, 0)
  })

  it('keep the estimate between 0 and 1', () => {
    const model = { intercept: 2, expectedF1: 0, keptWords: 0, agreement: 0, isProduct: 0 }
    assert.equal(estimateYield(model, yieldInputs(choice)), 1)
    assert.equal(estimateYield({ ...model, intercept: -2 }, yieldInputs(choice)), 0)
  })
})
