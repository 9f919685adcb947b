import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cents,
  dollars,
  formatCents,
  formatDollars,
  roundUpToCent,
  toCentsRoundedDown,
  toCentsRoundedUp,
  wholeCents,
} from './money.ts'

test('parses amounts to the micro-dollar and rejects finer, signed and invalid ones', () => {
  assert.deepEqual([cents('5'), cents('0.1'), cents('0.0001')], [50_000n, 1_000n, 1n])
  assert.deepEqual(
    [dollars('1.19'), dollars('0.000001'), dollars('999999999999')],
    [1_190_000n, 1n, 999_999_999_999_000_000n],
  )
  for (const text of ['0.00001', '1.12345', '-1', '+1', '', '.5', '1.', '1e3', '1 000', '1,5'])
    assert.throws(() => cents(text), RangeError, text)
  for (const text of ['0.0000001', '1.1234567', '1000000000000'])
    assert.throws(() => dollars(text), RangeError, text)
})

test('accepts whole cents that a number represents exactly', () => {
  assert.equal(wholeCents(Number.MAX_SAFE_INTEGER), 90_071_992_547_409_910_000n)
  for (const count of [0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])
    assert.throws(() => wholeCents(count), RangeError)
})

test('rounds spent amounts up and remaining amounts down, also below zero', () => {
  const amounts = [0n, 1n, 9_999n, 10_000n, 10_001n, -1n, -9_999n, -10_000n, -10_001n]
  assert.deepEqual(amounts.map(toCentsRoundedUp), [0, 1, 1, 1, 2, 0, 0, -1, -1])
  assert.deepEqual(amounts.map(toCentsRoundedDown), [0, 0, 0, 1, 1, -1, -1, -1, -2])
  assert.deepEqual([0n, 1n, 10_000n, 10_001n].map(roundUpToCent), [0n, 10_000n, 10_000n, 20_000n])
})

test('shows every micro-dollar of an amount', () => {
  assert.deepEqual([0n, 1n, 400n, 1_250_000n, 12_000_000n, -10_500n].map(formatDollars), [
    '$0.00',
    '$0.000001',
    '$0.0004',
    '$1.25',
    '$12.00',
    '-$0.0105',
  ])
  assert.deepEqual([0n, 1_000n, 20_000n, 1n].map(formatCents), ['0', '0.1', '2', '0.0001'])
})
