import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { services } from '../../src/vendors/index.ts'
import { countIntents, LEAST_INTENTS } from './count-intents.ts'
import { readIntents, type Intent } from './read-intents.ts'

const read = (set: string): Intent[] => readIntents(join(import.meta.dirname, set))
const intentOf = (block: string, text: string): Intent => ({
  block,
  text,
  language: 'en',
  hasTypos: false,
  right: [block],
  file: 'x.tsv',
})

test('every action has at least 40 intents in the training and test files together', () => {
  const few = countIntents(services, read('train'), read('test')).filter(
    ({ train, test: tested }) => train + tested < LEAST_INTENTS,
  )
  assert.deepEqual(few, [])
})

test('counts the endpoints of an action together, and equal intents once', () => {
  const action = 'socialread/fetch'
  const train = [
    intentOf(`${action} /a`, 'Read posts!'),
    intentOf(`${action} /b`, 'read  posts'),
    intentOf(`${action} /b`, 'read comments'),
  ]
  const tested = [intentOf(`${action} /a`, 'Read comments.'), intentOf(`${action} /a`, 'likes')]
  const count = countIntents(services, train, tested).find((one) => one.action === action)
  assert.deepEqual(count, { action, train: 2, test: 1 })
})
