/** The published price of an action: amounts for machines, a sentence for people. */
import type { Action, EndpointEntry } from '../vocabulary/define.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { leastCharge } from '../prices/price.ts'
import type { Price } from '../vocabulary/tariff.ts'
import {
  formatCents,
  formatDollars,
  maxMicros,
  MICROS_PER_DOLLAR,
  minMicros,
  type Micros,
} from '../../lib/money.ts'

export type PriceBlock = {
  readonly kind: Price<Data>['kind']
  /** The least that a useful call costs. May be a fraction. */
  readonly price_cents: number
  /** The same amount as exact text. */
  readonly price_cents_text: string
  readonly price_micros: number
  readonly unit: string | null
  /** The price of one unit; the lowest if units differ. */
  readonly unit_price_cents?: number
  /** The minimum charge for the units of a call. */
  readonly minimum_cents?: number
  /** Charged once in addition to the units. */
  readonly base_cents?: number
  /** The smallest budget of the job. */
  readonly least_budget_cents?: number
  /** The most that a call can cost. Absent if a count in the input decides. */
  readonly max_price_cents?: number
  readonly text: string
}

/** Cents as a JSON number. Exact, because no price is finer than a ten-thousandth of a cent. */
export function centsNumber(amount: Micros): number {
  return Number(formatCents(amount))
}

export function priceBlock(action: Action): PriceBlock {
  const { price } = action
  const least = leastCharge(action)
  const { least: listed, most } = priceRange(action)
  return {
    kind: price.kind,
    price_cents: centsNumber(least),
    price_cents_text: formatCents(least),
    price_micros: Number(least),
    unit: priceUnit(price),
    ...(price.kind === 'unit'
      ? { unit_price_cents: centsNumber(listed) }
      : { max_price_cents: centsNumber(most) }),
    ...(price.kind === 'unit' && price.minimum !== undefined && price.advertised === undefined
      ? { minimum_cents: centsNumber(price.minimum) }
      : {}),
    ...(price.kind === 'unit' && price.base !== undefined
      ? { base_cents: centsNumber(price.base) }
      : {}),
    ...(price.kind === 'budget' ? { least_budget_cents: centsNumber(price.least) } : {}),
    text: priceText(action),
  }
}

/** The highest listed price of a call, or of a unit. */
export function listedMost(action: Action): Micros {
  return priceRange(action).most
}

/** The price of one endpoint: its own or the action's. For an `actual` price this is the cap. */
export function endpointAmount(action: Action, entry: EndpointEntry): Micros {
  return entry.price ?? listAmount(action.price)
}

export function priceUnit(price: Price<Data>): string | null {
  if (price.kind === 'free') return null
  return price.kind === 'unit' ? (price.advertised?.unit ?? price.unit) : 'call'
}

export function priceText(action: Action): string {
  const { price } = action
  const { least, most } = priceRange(action)
  if (most === 0n) return 'free'
  const span = most > least ? `${amountText(least)} to ${amountText(most)}` : amountText(most)
  if (price.kind === 'actual')
    return `what the vendor charges, at most ${span}${most > least ? ', by endpoint' : ''}`
  if (price.kind === 'computed') return `${span} per call, depending on the input`
  if (price.kind === 'budget')
    return `the cost of its steps, within a budget of ${span} that you can set`
  if (price.kind === 'unit' && price.advertised !== undefined)
    return `${span} per ${price.advertised.unit}`
  if (price.kind !== 'unit') return `${span} per call${most > least ? ', by endpoint' : ''}`
  const minimum = price.minimum === undefined ? '' : `, at least ${amountText(price.minimum)}`
  const base = price.base === undefined ? '' : `${amountText(price.base)} plus `
  return `${base}${span} per ${price.unit}${minimum}${price.rounding === 'whole_cent' ? ', rounded up to whole cents' : ''}`
}

/** "1¢", "0.1¢", and from one dollar "$1.50". */
export function amountText(amount: Micros): string {
  return amount >= MICROS_PER_DOLLAR ? formatDollars(amount) : `${formatCents(amount)}¢`
}

function listAmount(price: Price<Data>): Micros {
  switch (price.kind) {
    case 'free':
      return 0n
    case 'flat':
      return price.amount
    case 'unit':
      return price.rate
    case 'actual':
      return price.cap
    case 'computed':
    case 'budget':
      return price.least
  }
}

function ranged(
  price: Price<Data>,
): price is Extract<Price<Data>, { kind: 'computed' | 'budget' }> {
  return price.kind === 'computed' || price.kind === 'budget'
}

function priceRange(action: Action): { least: Micros; most: Micros } {
  if (action.price.kind === 'unit' && action.price.advertised !== undefined)
    return action.price.advertised
  const [first, ...rest] =
    action.kind === 'endpoint' ? action.endpoints.map((entry) => endpointAmount(action, entry)) : []
  if (first === undefined)
    return {
      least: listAmount(action.price),
      most: ranged(action.price) ? action.price.most : listAmount(action.price),
    }
  return { least: minMicros(first, ...rest), most: maxMicros(first, ...rest) }
}
