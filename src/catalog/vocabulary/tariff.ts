/** What a call costs, and when. */
import type { Micros } from '../../lib/money.ts'

/** Names of the numbers that are in every input: required, or with a default. */
export type NumberField<I> = string extends keyof I
  ? string
  : { [Name in keyof I & string]: I[Name] extends number ? Name : never }[keyof I & string]

/** Of the others as well. */
type OptionalNumberField<I> = string extends keyof I
  ? string
  : { [Name in keyof I & string]-?: NonNullable<I[Name]> extends number ? Name : never }[keyof I &
      string]

/** What decides how many units a call uses, and so what a `max_cost_cents` below the most does to it. */
export type Counted<I> =
  /** A number of the input: lowered before the call until the most fits, but not below `least`, which is 1 when left out. */
  | {
      readonly by: 'number'
      readonly field: NumberField<I>
      readonly least?: (input: I) => number
      readonly defaultCount?: undefined
    }
  /** The same of a number that may be left out and is `otherwise` then, because its default depends on other fields. */
  | {
      readonly by: 'number'
      readonly field: OptionalNumberField<I>
      readonly least?: (input: I) => number
      readonly defaultCount: number
    }
  /** What the caller listed. The price of all of it must fit: an answer about half of a list would be a surprise. */
  | { readonly by: 'list' }
  /** The vendor, by what it finds or does: the call runs, and is charged at most its ceiling. Any delivery uses `least` units, 1 when left out. */
  | { readonly by: 'vendor'; readonly least?: (input: I) => number }

/** `I` is the validated input. A price names its worst case before the call (`atMost`) and what was used after it. */
export type Price<I> =
  | { readonly kind: 'free' }
  | { readonly kind: 'flat'; readonly amount: Micros }
  | {
      readonly kind: 'unit'
      readonly rate: Micros
      /** Singular, such as "page". */
      readonly unit: string
      /** The most units that this input can use; the outcome's `units` are billed, never more than this. */
      readonly atMost: (input: I) => number
      readonly counted: Counted<I>
      /** Rounds the sum up to whole cents, where the specification does. */
      readonly rounding?: 'whole_cent'
      readonly minimum?: Micros
      /** Charged once beside the units, with any delivery. */
      readonly base?: Micros
      /** The price as callers are told it, where the vendor counts in something that they never see. */
      readonly advertised?: { readonly least: Micros; readonly most: Micros; readonly unit: string }
    }
  | ActualPrice<I>
  /** One price for the whole call that depends on the input, between `least` and `most`. */
  | ComputedPrice<I>
  /** What a job may spend: held at submit; the steps that delivered are charged, the rest is given back. */
  | BudgetPrice<I>

/**
 * What the merchant reports, up to `cap`; for inputs of which less is known to be enough, up to `atMost`. `withKey`: what every
 * delivery costs under a key of the operator's own, where that is known before it. `isEstimate`: `atMost` is an estimate, and
 * what a delivery turns out to cost beyond it is charged too, as far as credit and limits cover it.
 */
export type ActualPrice<I> = {
  readonly kind: 'actual'
  readonly cap: Micros
  readonly atMost?: (input: I) => Micros
  readonly withKey?: Micros
  readonly isEstimate?: true
}

/** `isCap`: `amount` is the most for this input, and what the vendor charges within it is settled. */
export type ComputedPrice<I> = {
  readonly kind: 'computed'
  readonly amount: (input: I) => Micros
  readonly least: Micros
  readonly most: Micros
  readonly isCap?: true
}
export type BudgetPrice<I> = {
  readonly kind: 'budget'
  readonly amount: (input: I) => Micros
  readonly least: Micros
  readonly most: Micros
}

export const free = { kind: 'free' } as const

export function flat(amount: Micros): { readonly kind: 'flat'; readonly amount: Micros } {
  return { kind: 'flat', amount }
}

/** A price for the whole call that depends on its input. */
export function computed<I>(
  amount: (input: I) => Micros,
  least: Micros,
  most: Micros,
): ComputedPrice<I> {
  return { kind: 'computed', amount, least, most }
}

/** A cap that depends on the input, within which the vendor’s charge is settled. */
export function computedCap<I>(
  amount: (input: I) => Micros,
  least: Micros,
  most: Micros,
): ComputedPrice<I> {
  return { kind: 'computed', amount, least, most, isCap: true }
}

/** Whether the price is a cap: the outcome says what was charged. */
export function isCapped(price: Price<never>): boolean {
  return price.kind === 'actual' || (price.kind === 'computed' && price.isCap === true)
}

/** The budget of a job: from the input, or what such a job is given by default. */
export function budgeted<I>(
  amount: (input: I) => Micros,
  least: Micros,
  most: Micros,
): BudgetPrice<I> {
  return { kind: 'budget', amount, least, most }
}

/** When a call is charged, in the words that the descriptor publishes. */
export type Billing = {
  /** `result`: only when something useful came back (the rule). `success`: whenever the vendor answered. */
  readonly chargeWhen: 'result' | 'success'
  readonly onMiss: 'free' | 'charged'
  readonly onPartial: 'delivered_units' | 'full_price'
  readonly pollPrice?: Micros
}

export const chargedOnResult: Billing = {
  chargeWhen: 'result',
  onMiss: 'free',
  onPartial: 'full_price',
}
export const chargedPerUnit: Billing = {
  chargeWhen: 'result',
  onMiss: 'free',
  onPartial: 'delivered_units',
}
