/** Prices and billing rules. */
import type { Micros } from '../../lib/money.ts'

/** Names of the number fields that are always present: required, or with a default. */
export type NumberField<I> = string extends keyof I
  ? string
  : { [Name in keyof I & string]: I[Name] extends number ? Name : never }[keyof I & string]

/** Like `NumberField`, including optional fields. */
type OptionalNumberField<I> = string extends keyof I
  ? string
  : { [Name in keyof I & string]-?: NonNullable<I[Name]> extends number ? Name : never }[keyof I &
      string]

/**
 * Decides the number of units of a call, and therefore the effect of a low `max_cost_cents`.
 */
export type Counted<I> =
  /**
   * A number of the input. A low `max_cost_cents` reduces it to the largest value that fits, but
   * not below `least` (1 by default).
   */
  | {
      readonly by: 'number'
      readonly field: NumberField<I>
      readonly least?: (input: I) => number
      readonly defaultCount?: undefined
    }
  /**
   * An optional number of the input, `defaultCount` when omitted. For defaults that depend on other
   * fields.
   */
  | {
      readonly by: 'number'
      readonly field: OptionalNumberField<I>
      readonly least?: (input: I) => number
      readonly defaultCount: number
    }
  /** A list of the caller. Its full price must fit, because a list is never shortened. */
  | { readonly by: 'list' }
  /**
   * The vendor, by its results. The call runs and is charged up to the ceiling. Any delivery uses
   * at least `least` units (1 by default).
   */
  | { readonly by: 'vendor'; readonly least?: (input: I) => number }

/**
 * `I` is the validated input. A price states its worst case before the call and the actual charge
 * after it.
 */
export type Price<I> =
  /** `isRecorded`: the ledger records the calls, as those of priced actions. */
  | { readonly kind: 'free'; readonly isRecorded?: true }
  | { readonly kind: 'flat'; readonly amount: Micros }
  | {
      readonly kind: 'unit'
      readonly rate: Micros
      /** Singular, such as "page". */
      readonly unit: string
      /**
       * The most units that this input can use. The outcome's `units` are billed up to this number.
       */
      readonly atMost: (input: I) => number
      readonly counted: Counted<I>
      /** Rounds the sum up to whole cents, where the specification requires it. */
      readonly rounding?: 'whole_cent'
      readonly minimum?: Micros
      /** Charged once in addition to the units, with any delivery. */
      readonly base?: Micros
      /** The published price, for a vendor that counts in units which callers never see. */
      readonly advertised?: { readonly least: Micros; readonly most: Micros; readonly unit: string }
    }
  | ActualPrice<I>
  /** One price for the whole call that depends on the input, between `least` and `most`. */
  | ComputedPrice<I>
  /** The budget of a job, held at submit. Successful steps are charged and the rest is released. */
  | BudgetPrice<I>

/**
 * The merchant's reported charge, up to `cap`. `atMost` is a lower limit where the input allows
 * one. `withKey` is the fixed price of a delivery under the operator's own key. With `isEstimate`,
 * a delivery that costs more than `atMost` is charged in full, up to `cap` and the caller's credit
 * and limits.
 */
export type ActualPrice<I> = {
  readonly kind: 'actual'
  readonly cap: Micros
  readonly atMost?: (input: I) => Micros
  readonly withKey?: Micros
  readonly isEstimate?: true
}

/** With `isCap`, `amount` is the most for this input and the vendor's actual charge is settled. */
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

/** A factor in millionths, such as 1 200 000 for 20 % more. */
export type Margin = bigint

/** The operator's price of an action: amounts, or a margin on every amount. Decimal text. */
export type PriceTerms =
  | { readonly cents: string; readonly base_cents?: string; readonly minimum_cents?: string }
  | { readonly margin_percent: string }

export const free = { kind: 'free' } as const
/** The price of an action that usually has one. The ledger records its calls. */
export const freeOfCharge = { kind: 'free', isRecorded: true } as const

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

/** A cap that depends on the input. The vendor's actual charge is settled. */
export function computedCap<I>(
  amount: (input: I) => Micros,
  least: Micros,
  most: Micros,
): ComputedPrice<I> {
  return { kind: 'computed', amount, least, most, isCap: true }
}

/** Whether the price is a cap and the outcome contains the actual charge. */
export function isCapped(price: Price<never>): boolean {
  return price.kind === 'actual' || (price.kind === 'computed' && price.isCap === true)
}

/** The budget of a job: the caller's, or the default for such a job. */
export function budgeted<I>(
  amount: (input: I) => Micros,
  least: Micros,
  most: Micros,
): BudgetPrice<I> {
  return { kind: 'budget', amount, least, most }
}

/** When a call is charged, in the terms of the descriptor. */
export type Billing = {
  /** `result`: only for a useful result (the rule). `success`: whenever the vendor answers. */
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
