import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stem } from './stem.ts'
import { tokenize } from './tokenize.ts'

test('the forms of a word share one stem', () => {
  for (const forms of [
    'scrape scrapes scraping scraped scraper',
    'company companies',
    'verify verifies verifier verification',
    'validate validates validation',
    'estimate estimation',
    'crawl crawler crawling crawls',
    'search searches searching',
    'page pages',
    'map maps mapping mapped',
  ]) {
    assert.equal(new Set(forms.split(' ').map(stem)).size, 1, forms)
  }
})

test('words that only look like plurals or verb forms stay themselves', () => {
  for (const word of ['news', 'status', 'business', 'user', 'paper', 'address', 'gps'])
    assert.equal(stem(word), word)
})

test('names split at case changes, dashes, underscores and slashes', () => {
  assert.deepEqual(tokenize('numResults semantic/search only_main-content'), [
    'num',
    'result',
    'semantic',
    'search',
    'main',
    'content',
  ])
})

test('a concrete address in a query counts as what it is', () => {
  assert.deepEqual(tokenize('https://example.com/a?b=c ann@example.com acme.io'), [
    'url',
    'email',
    'domain',
  ])
})

test('stop words, accents and empty text leave nothing behind', () => {
  assert.deepEqual(tokenize('What is the Café?'), ['cafe'].map(stem))
  assert.deepEqual(tokenize(' \u0000 … '), [])
})

test('a word or a text of any length is read in bounded work', () => {
  assert.deepEqual(tokenize('x'.repeat(1_000_000)), [])
  assert.ok(tokenize('word '.repeat(100_000)).length <= 1_600)
})
