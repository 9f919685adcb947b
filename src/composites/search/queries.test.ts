import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { requireSearchWords } from './check-query.ts'
import { languageOf } from './language.ts'
import { termsOf } from './terms.ts'

for (const query of ['site:a.example', '-word', '"" ...', 'filetype:pdf -draft', 'x'.repeat(401)])
  test(`rejects a query without words, or one that is too long: ${query.slice(0, 20)}`, () => {
    assert.throws(
      () => requireSearchWords(query, 'q'),
      (error: unknown) =>
        error instanceof AppError && error.code === 'invalid_params' && error.param === 'q',
    )
  })

test('accepts words of any script, next to operators', () => {
  for (const query of [
    'wal',
    '数据库 提交',
    'site:a.example wal -draft',
    'база данных',
    '2026',
    'well-known',
  ])
    assert.doesNotThrow(() => requireSearchWords(query, 'q'), query)
})

test('derives the language from a language, a country or both', () => {
  assert.equal(languageOf('en', undefined), 'en')
  assert.equal(languageOf('pt-br', undefined), 'pt-BR')
  assert.equal(languageOf('en', 'de'), 'en-DE')
  assert.equal(languageOf(undefined, 'de'), 'de-DE')
  assert.equal(languageOf(undefined, 'JP'), 'ja-JP')
  for (const country of [undefined, 'ALL', 'zz', 'all countries'])
    assert.equal(languageOf(undefined, country), null)
  assert.equal(languageOf('?', undefined), null)
})

test('splits texts of any script into words that match each other', () => {
  assert.deepEqual(termsOf('The Libraries of Zürich, group-commits'), [
    'the',
    'library',
    'of',
    'zurich',
    'group',
    'commit',
  ])
  assert.ok(termsOf('数据库事务提交').length > 1)
  assert.deepEqual(termsOf('status bus glass'), ['status', 'bus', 'glass'])
  assert.equal(termsOf('word '.repeat(10_000)).length, 800)
})
