/** What a call may cost: the most that its input can come to, and the caller's own `max_cost_cents`. */
import { maxCostError } from '../../catalog/prices/max-cost-error.ts'
import type { Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { lowerCount } from '../../catalog/prices/fit.ts'
import { capOf, leastPrice, priceOf, worstCase } from '../../catalog/prices/price.ts'
import { isCapped, type Price } from '../../catalog/vocabulary/tariff.ts'
import { AppError } from '../../errors/app-error.ts'
import { formatDollars, maxMicros, toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import type { Lane } from '../lanes/lanes.ts'
import type { CheckedInput } from './read-input.ts'

/** What is asked for, and what must be free before any vendor is: the worst case of that input, or the caller's own ceiling if that is less. */
export type Affordable = Pick<CheckedInput, 'input' | 'lane'> & {
  readonly amount: Micros
  /** What of the input was lowered; null when it is as the caller sent it. */
  readonly lowered: Data | null
}

/**
 * A ceiling that does not cover the worst case lowers the number that counts, so that the vendor is asked for no more than
 * can be charged (docs/decisions/0075-a-ceiling-lowers-the-count.md). Throws AppError where even the least is above it.
 */
export function withinCeiling(
  { action }: Entry,
  { input, maxCost, lane }: CheckedInput,
): Affordable {
  // What a merchant asks is not known before it is asked.
  const isBought = lane?.kind === 'wallet'
  const most = isBought ? capOf(action, input) : worstCase(action, input)
  if (maxCost === null || most <= maxCost) return { input, lane, amount: most, lowered: null }
  const price = priceOf(action, input)
  const least =
    isBought && isNamedByMerchant(price)
      ? 0n
      : maxMicros(leastPrice(action, input), knownCost(price, lane))
  if (price.kind === 'budget' && maxCost < least) throw budgetTooSmall(least)
  const mayCostLess = least === 0n || (least === most && (isCapped(price) || price.kind === 'unit'))
  if (maxCost < least || maxCost === 0n)
    throw tooDear(
      mayCostLess ? `may cost ${formatDollars(most)}` : `costs at least ${formatDollars(least)}`,
      maxMicros(least, 1n),
      maxCost,
    )
  const lowered = lowerCount(action, input, maxCost)
  // The lane stays what it was: none is chosen by a number that counts.
  if (lowered === null) return { input, lane, amount: maxCost, lowered }
  const smaller = { ...input, ...lowered }
  return { input: smaller, lane, amount: worstCase(action, smaller), lowered }
}

/** Whether a merchant may ask less than the listed price, and refuses by itself what is not enough. */
function isNamedByMerchant(price: Price<Data>): boolean {
  return isCapped(price) || (price.kind === 'unit' && price.counted.by === 'list')
}

/** What is known to be due under a key of the operator's own: what a smaller ceiling leaves of it would be the operator's to pay. */
function knownCost(price: Price<Data>, lane: Lane | null): Micros {
  return price.kind === 'actual' && lane?.kind === 'vendor' ? (price.withKey ?? 0n) : 0n
}

export function tooDear(cost: string, least: Micros, maxCost: Micros): AppError {
  return maxCostError(
    `This call ${cost}; max_cost_cents allows ${formatDollars(maxCost)}.`,
    least,
    maxCost,
  )
}

function budgetTooSmall(least: Micros): AppError {
  return new AppError(
    'invalid_params',
    `This job needs a budget of at least ${formatDollars(least)}; max_cost_cents allows less.`,
    {
      param: 'max_cost_cents',
      fix: `Raise max_cost_cents to at least ${toCentsRoundedUp(least)}, or leave it out.`,
    },
  )
}
