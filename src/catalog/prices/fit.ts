/** Asks for less where a ceiling does not pay for all, so that no vendor is asked for more than can be charged. */
import type { Micros } from '../../lib/money.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { countAsked, leastCount, priceOf, worstCase, type Priced } from './price.ts'

/**
 * The number that counts, under its name, at the largest value whose worst case fits; null where no number of the input
 * counts, or where all of it fits. `ceiling` is at least the least price, and more of anything never costs less.
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
