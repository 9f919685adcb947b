/**
 * The most that a call can cost and its actual charge. Pure: the ledger holds `worstCase` and
 * settles `billable`.
 */
import { invariant } from '../../errors/app-error.ts'
import { maxMicros, minMicros, roundUpToCent, type Micros } from '../../lib/money.ts'
import type { Action, EndpointEntry } from '../vocabulary/define.ts'
import type { Data, Outcome } from '../vocabulary/outcome.ts'
import type { Counted, Margin, Price } from '../vocabulary/tariff.ts'
import { withMargin } from './margin.ts'

/** The part of an action that decides its price. */
export type Priced = {
  readonly price: Price<Data>
  readonly priceFor?: (input: Data) => Price<Data>
  readonly margin?: Margin
}
type Billed = Priced & Pick<Action, 'billing'>

export function priceOf(action: Priced, input: Data): Price<Data> {
  return action.priceFor?.(input) ?? action.price
}

function mostOfActual(
  { cap, atMost }: Extract<Price<Data>, { kind: 'actual' }>,
  input: Data,
): Micros {
  return atMost === undefined ? cap : minMicros(cap, maxMicros(0n, atMost(input)))
}

export type UnitPrice = Extract<Price<Data>, { kind: 'unit' }>

/**
 * A fraction of a unit, such as half a second, is counted in millionths. The sum is rounded up to a
 * micro-dollar.
 */
const MILLION = 1_000_000

/**
 * The most that this call can cost. It is held before a vendor is called. Takes validated input.
 */
export function worstCase(action: Priced, input: Data): Micros {
  const price = priceOf(action, input)
  switch (price.kind) {
    case 'free':
      return 0n
    case 'flat':
      return price.amount
    case 'actual':
      return mostOfActual(price, input)
    case 'computed':
    case 'budget':
      return price.amount(input)
    case 'unit':
      return priceOfUnits(price, mostUnits(price, input))
  }
}

/**
 * The most that a merchant may be paid for this call: the published cap, regardless of the vendor's
 * own prices.
 */
export function capOf(action: Priced, input: Data): Micros {
  const price = priceOf(action, input)
  return price.kind === 'actual' ? price.cap : worstCase(action, input)
}

/**
 * The charge of an outcome: at most `worstCase`, or `capOf` for a payment to a merchant. Failures
 * are free, except for what they owe. Misses are free unless `billing.onMiss` is `charged`.
 */
export function billable(action: Billed, input: Data, outcome: Outcome): Micros {
  if (outcome.kind === 'failed') return minMicros(outcome.owed ?? 0n, worstCase(action, input))
  if (outcome.kind === 'empty' && (outcome.isFree || action.billing.onMiss !== 'charged')) return 0n
  if (outcome.paid !== undefined)
    return minMicros(reported(action, outcome.paid), capOf(action, input))
  if (outcome.kind === 'empty') return priceOfMiss(action, input)
  if (outcome.kind === 'partial' && action.billing.onPartial === 'full_price')
    return worstCase(action, input)
  return minMicros(
    priceOfDelivery(priceOf(action, input), input, withReported(action, outcome)),
    worstCase(action, input),
  )
}

/** The charge of a vendor or merchant, with the operator's margin. */
function reported({ margin }: Priced, amount: Micros): Micros {
  return margin === undefined ? amount : withMargin(maxMicros(0n, amount), margin)
}

function withReported(action: Priced, outcome: Delivery): Delivery {
  return action.margin === undefined || outcome.actual === undefined
    ? outcome
    : { ...outcome, actual: reported(action, outcome.actual) }
}

/** The cost of a delivery beyond `worstCase`, if that is an estimate. Within the price's cap. */
export function excessOf(action: Priced, input: Data, outcome: Outcome): Micros {
  const price = priceOf(action, input)
  if (
    price.kind !== 'actual' ||
    price.isEstimate !== true ||
    outcome.kind !== 'done' ||
    outcome.paid !== undefined
  )
    return 0n
  const actual = reported(action, outcome.actual ?? 0n)
  return maxMicros(0n, minMicros(actual, price.cap) - worstCase(action, input))
}

/**
 * The least that a successful call costs: a lower `max_cost_cents` is rejected. A vendor that bills
 * by use may use up the maximum of this input, so a known maximum must fit.
 */
export function leastPrice(action: Billed, input: Data): Micros {
  const { billing } = action
  const price = priceOf(action, input)
  if (price.kind === 'actual') return price.atMost === undefined ? 0n : mostOfActual(price, input)
  if (price.kind === 'budget') return price.least
  if (price.kind !== 'unit') return worstCase(action, input)
  const { counted } = price
  if (counted.by === 'number')
    return worstCase(action, { ...input, [counted.field]: leastCount(counted, input) })
  if (counted.by === 'list' || billing.onPartial === 'full_price') return worstCase(action, input)
  return minMicros(
    worstCase(action, input),
    priceOfUnits(price, Math.min(counted.least?.(input) ?? 1, mostUnits(price, input))),
  )
}

/** The least charge of a useful call. For a passthrough, that of its cheapest path. */
export function leastCharge(action: Action): Micros {
  if (action.kind !== 'endpoint') return action.leastCharge ?? leastOf(action.price)
  const [first = leastOf(action.price), ...rest] = action.endpoints.map((entry) =>
    leastEndpointCharge(action, entry),
  )
  return minMicros(first, ...rest)
}

export function leastEndpointCharge(
  { price, leastCharge: least }: Action,
  entry: EndpointEntry,
): Micros {
  return entry.leastCharge ?? entry.price ?? least ?? leastOf(price)
}

function leastOf(price: Price<Data>): Micros {
  switch (price.kind) {
    case 'free':
      return 0n
    case 'flat':
      return price.amount
    case 'actual':
      return price.withKey ?? price.cap
    case 'computed':
    case 'budget':
      return price.least
    case 'unit':
      return price.advertised?.least ?? priceOfUnits(price, 1)
  }
}

export type CountedByNumber = Extract<Counted<Data>, { by: 'number' }>

/** The value of the counting parameter. */
export function countAsked({ field, defaultCount }: CountedByNumber, input: Data): number {
  return Number(input[field] ?? defaultCount)
}

/** The smallest value to which the counting parameter may be reduced. */
export function leastCount(counted: CountedByNumber, input: Data): number {
  return Math.min(counted.least?.(input) ?? 1, countAsked(counted, input))
}

type Delivery = Extract<Outcome, { kind: 'done' | 'partial' }>

function priceOfDelivery(price: Price<Data>, input: Data, outcome: Delivery): Micros {
  switch (price.kind) {
    case 'free':
      return 0n
    case 'flat':
      return price.amount
    case 'actual':
      // Without a figure from the merchant, the published price was agreed to: the most.
      return outcome.actual === undefined
        ? mostOfActual(price, input)
        : maxMicros(0n, outcome.actual)
    case 'computed':
      return price.isCap === true && outcome.actual !== undefined
        ? maxMicros(0n, outcome.actual)
        : price.amount(input)
    case 'budget':
      return maxMicros(0n, outcome.actual ?? 0n)
    case 'unit':
      return priceOfUnits(price, deliveredUnits(outcome, mostUnits(price, input)))
  }
}

/**
 * A complete delivery without a count delivered everything. A partial one without a count is not
 * charged.
 */
function deliveredUnits(outcome: Delivery, most: number): number {
  const units = outcome.units ?? (outcome.kind === 'done' ? most : 0)
  return units > 0 ? Math.min(units, most) : 0
}

function priceOfMiss(action: Priced, input: Data): Micros {
  const price = priceOf(action, input)
  return price.kind === 'unit'
    ? priceOfUnits(price, Math.min(1, mostUnits(price, input)))
    : worstCase(action, input)
}

function mostUnits(price: UnitPrice, input: Data): number {
  const most = price.atMost(input)
  invariant(
    Number.isFinite(most) && most >= 0 && most <= Number.MAX_SAFE_INTEGER / MILLION,
    `${most} is not a number of units`,
  )
  return most
}

/** The price of a number of units, with base price, minimum and rounding. */
export function priceOfUnits(
  { rate, rounding, minimum, base = 0n }: Pick<UnitPrice, 'rate' | 'rounding' | 'minimum' | 'base'>,
  units: number,
): Micros {
  if (units <= 0) return 0n
  const millionths = BigInt(Math.ceil(units * MILLION))
  const exact = (rate * millionths + BigInt(MILLION - 1)) / BigInt(MILLION)
  const rounded = rounding === 'whole_cent' ? roundUpToCent(exact) : exact
  return base + maxMicros(rounded, minimum ?? 0n)
}
