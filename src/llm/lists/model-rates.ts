import { withMargin } from '../../catalog/prices/margin.ts'
import type { Margin } from '../../catalog/vocabulary/tariff.ts'
import type { TokenRates } from '../tokens/token-price.ts'

/**
 * Rates for long prompts, or for hours of the day (UTC, "HHMM"; the end is exclusive and may be
 * after midnight).
 */
export type RateOverride = {
  readonly minPromptTokens: number
  readonly hours: { readonly start: number; readonly end: number } | null
  readonly rates: TokenRates
}

export type ModelRates = TokenRates & {
  /** Per image of a prompt. */
  readonly image?: bigint
  readonly overrides: readonly RateOverride[]
}

/** Every rate with the margin: prompt, completion, caches, images, long prompts, hours of the day. */
export function ratesWith({ overrides, ...rates }: ModelRates, margin: Margin): ModelRates {
  return {
    ...scaled(rates, margin),
    overrides: overrides.map((one) => ({ ...one, rates: scaled(one.rates, margin) })),
  }
}

function scaled<Rates extends Partial<Record<keyof Rates, bigint>>>(
  rates: Rates,
  margin: Margin,
): Rates {
  const entries = Object.entries(rates as Readonly<Record<string, bigint | undefined>>)
  return Object.fromEntries(
    entries.map(([name, rate]) => [name, rate === undefined ? rate : withMargin(rate, margin)]),
  ) as Rates
}
