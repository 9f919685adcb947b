import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTypoCorrector } from './typos.ts'

test('corrects one edit, or a swap of neighbours', () => {
  const { correct } = createTypoCorrector(['instagram', 'email', 'javascript'])
  assert.deepEqual(correct('instagarm'), ['instagram'])
  assert.deepEqual(correct('emial'), ['email'])
  assert.deepEqual(correct('javascrpt'), ['javascript'])
})

test('does not correct short words, numbers and distant words', () => {
  const { correct } = createTypoCorrector(['chat', 'cart', 'instagram'])
  for (const word of ['cat', '1234', 'program', 'anagram']) assert.deepEqual(correct(word), [])
})
