import { maxCostError } from '../../catalog/prices/max-cost-error.ts'
import type { Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { lowerCount } from '../../catalog/prices/fit.ts'
import { capOf, leastPrice, priceOf, worstCase } from '../../catalog/prices/price.ts'
import { isCapped, type Price } from '../../catalog/vocabulary/tariff.ts'
import { AppError } from '../../errors/app-error.ts'
import { formatDollars, maxMicros, toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import type { Lane } from '../lanes/lane-parts.ts'
import type { CheckedInput } from './read-input.ts'

/** The input to carry out and the amount to hold: its worst case, or the caller's `max_cost_cents` if that is less. */
export type PricedInput = Pick<CheckedInput, 'input' | 'lane'> & {
  readonly amount: Micros
  /** Fields that `max_cost_cents` lowered; null for an unchanged input. */
  readonly lowered: Data | null
}

/**
 * A limit below the worst case lowers the count in the input, so that the vendor delivers no more than can be
 * charged (docs/decisions/0075-max-cost-lowers-the-count.md). Throws AppError when the lowest price is above it.
 */
export function applyMaxCost(
  { action }: Entry,
  { input, maxCost, lane }: Omit<CheckedInput, 'webhookUrl' | 'maxChars'>,
): PricedInput {
  // The price of a merchant is unknown before the first request.
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
    throw tooExpensive(
      mayCostLess ? `may cost ${formatDollars(most)}` : `costs at least ${formatDollars(least)}`,
      maxMicros(least, 1n),
      maxCost,
    )
  const lowered = lowerCount(action, input, maxCost)
  // The lane stays the same: no lane depends on the count.
  if (lowered === null) return { input, lane, amount: maxCost, lowered }
  const smaller = { ...input, ...lowered }
  return { input: smaller, lane, amount: worstCase(action, smaller), lowered }
}

/** Whether a merchant may accept less than the listed price. It rejects an amount that is too low itself. */
function isNamedByMerchant(price: Price<Data>): boolean {
  return isCapped(price) || (price.kind === 'unit' && price.counted.by === 'list')
}

/** The known cost with the operator's key. A lower limit would leave the rest of it to the operator. */
function knownCost(price: Price<Data>, lane: Lane | null): Micros {
  return price.kind === 'actual' && lane?.kind === 'vendor' ? (price.withKey ?? 0n) : 0n
}

export function tooExpensive(cost: string, least: Micros, maxCost: Micros): AppError {
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
