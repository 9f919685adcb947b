import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { address } from './returns.ts'

test('an address accepts what vendors send: partial URLs, accents and spaces', () => {
  for (const url of [
    'https://a.example/',
    '/p?q=1',
    'https://fr.example/café',
    'https://a.example/a b',
  ])
    assert.ok(Value.Check(address('The URL.'), url), url)
})
