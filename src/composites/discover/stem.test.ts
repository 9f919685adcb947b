import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stem } from './stem.ts'
import { tokenize } from './tokenize.ts'

test('has one stem for all forms of a word', () => {
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

test('preserves words that resemble plurals or verb forms', () => {
  for (const word of ['news', 'status', 'business', 'user', 'paper', 'address', 'gps'])
    assert.equal(stem(word), word)
})

test('splits names at case changes, dashes, underscores and slashes', () => {
  assert.deepEqual(tokenize('numResults semantic/search only_main-content'), [
    'num',
    'result',
    'semantic',
    'search',
    'main',
    'content',
  ])
})

test('replaces a URL, email or domain by its kind', () => {
  assert.deepEqual(tokenize('https://example.com/a?b=c ann@example.com acme.io'), [
    'url',
    'email',
    'domain',
  ])
})

test('removes stop words and accents', () => {
  assert.deepEqual(tokenize('What is the Café?'), ['cafe'].map(stem))
  assert.deepEqual(tokenize(' \u0000 … '), [])
})

test('reads a text of any length in bounded work', () => {
  assert.deepEqual(tokenize('x'.repeat(1_000_000)), [])
  assert.ok(tokenize('word '.repeat(100_000)).length <= 1_600)
})
