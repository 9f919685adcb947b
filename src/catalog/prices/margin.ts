/** A margin as a factor in millionths: 1 200 000 is 20 % above the price. */
import type { Micros } from '../../lib/money.ts'
import type { Margin } from '../vocabulary/tariff.ts'

export const NO_MARGIN: Margin = 1_000_000n
const PERCENT = 10_000n

/** "20" and "-5.25" percent. Takes at most four decimals. */
export function readMargin(percent: string): Margin {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(percent) ?? []
  const parts = BigInt(whole) * PERCENT + BigInt(decimals.padEnd(4, '0'))
  return NO_MARGIN + (sign === '-' ? -parts : parts)
}

/** The only place that rounds a margin: up, to a whole unit of the amount. */
export function withMargin(amount: bigint, margin: Margin): bigint {
  return margin === NO_MARGIN ? amount : (amount * margin + NO_MARGIN - 1n) / NO_MARGIN
}

/** The most whose price with the margin is within `amount`: what a merchant may receive. */
export function withoutMargin(amount: Micros, margin: Margin = NO_MARGIN): Micros {
  return margin === NO_MARGIN ? amount : (amount * NO_MARGIN) / margin
}
