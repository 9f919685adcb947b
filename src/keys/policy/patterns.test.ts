import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { compileAddresses, isAddressOrNetwork } from './address-list.ts'
import { compilePatterns, PATTERN } from './patterns.ts'

const matches = (pattern: string, name: string): boolean =>
  compilePatterns([pattern]).find(name) !== null

describe('patterns', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['core/*', 'core/onescrape', true],
    ['core/*', 'corex/onescrape', false],
    ['core/*', 'score/onescrape', false],
    ['*/sandbox-*', 'sandbox/sandbox-create', true],
    ['*/sandbox-*', 'sandbox/create-sandbox-x', false],
    ['llm/core/cheap', 'llm/core/cheap', true],
    ['llm/core/cheap', 'llm/core/cheaper', false],
    ['llm/openai/*', 'llm/openai/gpt-6.1', true],
    ['llm/openai/*', 'llm/xopenai/gpt-6.1', false],
    ['llm/gpt.6', 'llm/gpt-6', false],
    ['*', 'llm/any/model', true],
  ]
  for (const [pattern, name, expected] of cases)
    test(`"${pattern}" ${expected ? 'matches' : 'does not match'} ${name}`, () => {
      assert.equal(matches(pattern, name), expected)
    })

  test('match what a character-by-character matcher matches', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '*'), maxLength: 6 })
    const plain = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.'), maxLength: 8 })
    fc.assert(
      fc.property(part, part, plain, plain, (service, action, first, second) => {
        const pattern = `${service}/${action}`
        if (!new RegExp(PATTERN).test(pattern)) return
        const expected = glob(service, first) && glob(action, second)
        assert.equal(matches(pattern, `${first}/${second}`), expected)
      }),
    )
  })
})

function glob(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*')
    return glob(pattern.slice(1), text) || (text !== '' && glob(pattern, text.slice(1)))
  return text !== '' && pattern[0] === text[0] && glob(pattern.slice(1), text.slice(1))
}

describe('addresses', () => {
  test('a network contains its addresses, also those that IPv6 sockets report', () => {
    const list = compileAddresses(['192.0.2.0/24', '198.51.100.7', '2001:db8::/32'])
    for (const inside of ['192.0.2.255', '::ffff:192.0.2.1', '198.51.100.7', '2001:db8:1::9'])
      assert.ok(list.has(inside), inside)
    for (const outside of ['192.0.3.1', '198.51.100.8', '2001:db9::1', '', 'example.com'])
      assert.ok(!list.has(outside), outside)
  })

  test('only addresses and networks are accepted', () => {
    for (const text of ['192.0.2.1', '0.0.0.0/0', '::/0', '2001:db8::1/128'])
      assert.ok(isAddressOrNetwork(text), text)
    for (const text of [
      '',
      '192.0.2',
      '192.0.2.1/33',
      '192.0.2.1/',
      'fe80::1%eth0',
      '::/129',
      'a/8',
    ])
      assert.ok(!isAddressOrNetwork(text), text)
  })
})
