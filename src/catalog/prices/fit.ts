/**
 * Reduces a call to the size that its ceiling covers, so that no vendor delivers more than can be
 * charged.
 */
import type { Micros } from '../../lib/money.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { countAsked, leastCount, priceOf, worstCase, type Priced } from './price.ts'

/**
 * The counting parameter with its largest value that fits, such as `{ limit: 3 }`. Null if no
 * number of the input counts or all of it fits. `ceiling` must be at least the least price, and a
 * higher count must never cost less.
 */
export function lowerCount(action: Priced, input: Data, ceiling: Micros): Data | null {
  const price = priceOf(action, input)
  if (price.kind !== 'unit' || price.counted.by !== 'number' || worstCase(action, input) <= ceiling)
    return null
  const { field } = price.counted
  let fits = leastCount(price.counted, input)
  let tooMany = countAsked(price.counted, input)
  while (tooMany - fits > 1) {
    const between = Math.floor((fits + tooMany) / 2)
    if (worstCase(action, { ...input, [field]: between }) <= ceiling) fits = between
    else tooMany = between
  }
  return { [field]: fits }
}
