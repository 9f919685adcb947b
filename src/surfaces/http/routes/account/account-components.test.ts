import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countText, moneyText } from './account-components.ts'

test('writes cents below a dollar, and separates thousands but not decimals', () => {
  const amounts = [
    999_990_000, 1_000_000_000, 1_234_567_000_123, -12_345_000_000, 400, -40_000, 999_999,
    1_000_000, 0,
  ]
  assert.deepEqual(amounts.map(moneyText), [
    '$999.99',
    '$1,000.00',
    '$1,234,567.000123',
    '-$12,345.00',
    '0.04¢',
    '-4¢',
    '99.9999¢',
    '$1.00',
    '$0.00',
  ])
  assert.deepEqual([7, 999, 1_000, 1_234_567].map(countText), ['7', '999', '1,000', '1,234,567'])
})
