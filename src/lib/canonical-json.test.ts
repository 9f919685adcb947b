import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from './canonical-json.ts'

test('writes the example of RFC 8785 as its section 3.2.4 does', () => {
  const source = `{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`
  assert.equal(
    canonicalJson(JSON.parse(source)),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('sorts members by UTF-16 code units at every depth, and keeps the order of elements', () => {
  assert.equal(
    canonicalJson({ '\u20ac': 1, '\r': 2, 1: [{ b: [], a: {} }], '\ud83d\ude02': 3, '\ufb33': 4 }),
    '{"\\r":2,"1":[{"a":{},"b":[]}],"€":1,"😂":3,"\ufb33":4}',
  )
  assert.equal(canonicalJson(JSON.parse('{"a":1,"b":2}')), canonicalJson({ b: 2, a: 1 }))
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]))
})

test('distinguishes values of different types, and -0 equals 0', () => {
  const texts = [1, '1', true, 'true', null, 'null', [], {}, ''].map(canonicalJson)
  assert.equal(new Set(texts).size, texts.length)
  assert.equal(canonicalJson(JSON.parse('-0')), '0')
})

test('takes values that are nested a hundred thousand times', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  assert.equal(canonicalJson(JSON.parse(deep)), deep)
})
