import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSlowPattern } from './slow-pattern.ts'

/** Each position of the text has one continuation. */
const HARMLESS = [
  '^[a-z]+(-[a-z]+)*$',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^[a-z][a-z0-9_]*$',
  '^\\d+(\\.\\d+)?$',
  '^\\d+(\\.\\d+)*$',
  '^[^@]+@[^@]+$',
  '^[A-Z]{2}\\d{9}$',
  '^AC[0-9a-fA-F]{32}$',
  '^(\\d{3}-)?\\d{4}$',
  '^[a-z]+(,[a-z]+){0,9}$',
  '^([a-z]+/)*[a-z]+\\.json$',
  '^#[0-9a-f]{6}$',
  '^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$',
  '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  '^(a|b|c)*$',
  '^(?:foo|bar)+$',
  '^v\\d+\\.\\d+\\.\\d+(-[a-z]+(\\.[a-z]+)*)?$',
  '^[+-]?\\d+$',
  '^\\s*\\S+$',
  '^https?://[^/]+(/[^/]*)*$',
  '^(\\w+;)*$',
  '^[a-z]+( [a-z]+)*$',
  '^([A-Z][a-z]*)+$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^(([a-z]+)=([a-z]*)&)*$',
  '^-?(0|[1-9]\\d*)$',
  '^("[^"]*",?)*$',
  '^[^\\s]+$',
  '^(\\+\\d{1,3} )?[\\d ]{5,15}$',
  '^.{1,64}$',
] as const

/** A part of the text can be divided in more than one way. */
const HARMFUL = [
  '^(a+)+$',
  '^(a*)*$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^([a-z]+)*$',
  '^(\\d+|\\w+)*$',
  '^(\\w+\\s?)*$',
  '^(a?){50}a{50}$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}$',
  '^(.*)*$',
  '^(.*,){20}$',
  '^(\\d+\\.?)+$',
  '^([a-z]+-?)*$',
  '^((a+)b?)+$',
  '^(a+b*)+$',
  '^(x+x+)+y$',
  '^(?:a|ab|b)*c$',
  '^(\\s*\\w*)*$',
  '^([^@]+)+@$',
  '^(a{1,10}){1,50}$',
  '(x+x+)+y',
  'a*a*a*a*b',
  '\\d+\\d+\\d+x',
  '^.*.*.*.*x$',
  '^\\w*\\d*\\w*\\d*x$',
  '^(a+)\\1+$',
  '^(?=(a+)+$).*',
  '(.+)+@',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '^(foo|f.*)*$',
] as const

describe('a pattern', () => {
  test('with one way to match every text is accepted', () => {
    const refused = HARMLESS.filter((pattern) => isSlowPattern(pattern, 100_000))
    assert.deepEqual(refused, [])
  })

  test('with many ways to match a text is refused', () => {
    const accepted = HARMFUL.filter((pattern) => !isSlowPattern(pattern, 100_000))
    assert.deepEqual(accepted, [])
  })
})
