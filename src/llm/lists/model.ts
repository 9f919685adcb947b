import type { TokenRates } from '../tokens/token-price.ts'
import type { ModelUpstream } from '../ask/upstream.ts'

/** Replaces rates for long prompts, or at hours of the day (UTC, "HHMM"; the end is exclusive and may lie past midnight). */
export type RateOverride = {
  readonly minPromptTokens: number
  readonly hours: { readonly start: number; readonly end: number } | null
  readonly rates: TokenRates
}

export type ModelRates = TokenRates & {
  /** For each image of a prompt. */
  readonly image?: bigint
  readonly overrides: readonly RateOverride[]
}

export type Model = {
  readonly id: string
  readonly name: string
  readonly createdSeconds: number
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  /** Null: the list names no price, so the model cannot be called. */
  readonly rates: ModelRates | null
  readonly inputModalities: readonly string[]
  /** Null: the list does not tell. */
  readonly parameters: readonly string[] | null
}

/** A model that a request may be sent to, and where. */
export type Candidate = {
  /** What callers name it by. */
  readonly id: string
  /** What its upstream names it by. */
  readonly upstreamModel: string
  readonly upstream: ModelUpstream
  readonly model: Model
  readonly rates: ModelRates
  /** Whether the rates are the upstream's own, so that the cost which it reports counts as they do. */
  readonly isPricedByUpstream: boolean
  /** As the operator says; left out where nothing is said. */
  readonly thinks?: boolean
}

/** What the operator says of a model that its upstream does not price, or that goes by another name here. */
export type ConfiguredModel = {
  readonly upstream: string
  readonly upstreamModel: string
  readonly rates: { readonly prompt: bigint; readonly completion: bigint } | null
  readonly contextLength: number | null
  /** Whether it can think without showing it. */
  readonly thinks?: boolean
}
