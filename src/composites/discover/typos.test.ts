import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTypoCorrector } from './typos.ts'

test('one edit, or a swap of neighbours, is mended', () => {
  const { correct } = createTypoCorrector(['instagram', 'email', 'javascript'])
  assert.deepEqual(correct('instagarm'), ['instagram'])
  assert.deepEqual(correct('emial'), ['email'])
  assert.deepEqual(correct('javascrpt'), ['javascript'])
})

test('a short word, a number and a far word are left alone', () => {
  const { correct } = createTypoCorrector(['chat', 'cart', 'instagram'])
  for (const word of ['cat', '1234', 'program', 'anagram']) assert.deepEqual(correct(word), [])
})
