import type { Margin } from '../../catalog/vocabulary/tariff.ts'
import type { ModelUpstream } from '../ask/upstream.ts'
import type { ModelRates } from './model-rates.ts'

export type Model = {
  readonly id: string
  readonly name: string
  readonly createdSeconds: number
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  /** Null: the list has no price, so the model cannot be called. */
  readonly rates: ModelRates | null
  readonly inputModalities: readonly string[]
  /** Null: not listed. */
  readonly parameters: readonly string[] | null
}

/** A model that can serve a request, with its upstream. */
export type Candidate = {
  /** The name for callers. */
  readonly id: string
  /** The name at its upstream. */
  readonly upstreamModel: string
  readonly upstream: ModelUpstream
  readonly model: Model
  readonly rates: ModelRates
  /** Whether the upstream set the rates. Then the cost that it reports applies. */
  readonly isPricedByUpstream: boolean
  /** The operator's margin, which `rates` contain and the cost that the upstream reports does not. */
  readonly margin?: Margin
  /** The operator's setting; undefined if not set. */
  readonly thinks?: boolean
}

const THINKING_PARAMETERS: readonly string[] = [
  'reasoning',
  'include_reasoning',
  'reasoning_effort',
]

/** By the operator's setting, else by the listed parameters. Undefined if neither shows it. */
export function canThink({ thinks, model: { parameters } }: Candidate): boolean | undefined {
  return thinks ?? parameters?.some((one) => THINKING_PARAMETERS.includes(one))
}

/** The operator's settings for a model without a listed price, or with another name here. */
export type ConfiguredModel = {
  readonly upstream: string
  readonly upstreamModel: string
  readonly rates: ModelRates | null
  readonly contextLength: number | null
  /** Whether it can think without showing it. */
  readonly thinks?: boolean
}
