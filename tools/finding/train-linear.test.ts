import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTranslate } from '../../src/composites/discover/ranking/lexicon.ts'
import { scoreLinear } from '../../src/composites/discover/ranking/linear-model.ts'
import { hashFeatures, readText } from '../../src/composites/discover/ranking/text-features.ts'
import { addTypos } from './add-typos.ts'
import { createRandom } from './random.ts'
import { trainLinear } from './train-linear.ts'

const translate = createTranslate('')
const featuresOf = (text: string) => hashFeatures(readText(text, translate, () => []))
const classes = ['weather', 'music']
const examples = [
  ['will it rain', 0],
  ['rain tomorrow', 0],
  ['play a song', 1],
  ['a song by Bach', 1],
].map(([text, right]) => ({
  features: featuresOf(String(text)),
  right: [Number(right)],
  weight: 1,
  isCopy: false,
}))
const settings = { epochs: 20, learningRate: 0.5, mostWeights: 100 }

test('learns classes, and the same model for the same examples', () => {
  const model = trainLinear(examples, classes, settings)
  const [weather = 0, music = 0] = scoreLinear(model, featuresOf('another song')).logProbabilities
  assert.ok(music > weather)
  assert.deepEqual(trainLinear(examples, classes, settings), model)
})

test('keeps at most the given number of weights', () => {
  assert.ok(trainLinear(examples, classes, { ...settings, mostWeights: 10 }).weights.length <= 10)
})

test('adds typing errors to words, but not to addresses', () => {
  const text = 'read https://example.com/page as markdown please'
  const misspelt = addTypos(text, createRandom(3))
  assert.notEqual(misspelt, text)
  assert.ok(misspelt.includes('https://example.com/page'))
  assert.equal(addTypos(text, createRandom(3)), misspelt)
})
