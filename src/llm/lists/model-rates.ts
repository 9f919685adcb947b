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
