import type { Data } from '../../catalog/vocabulary/outcome.ts'

/** An action; `endpoint` is null unless it is a passthrough. */
export type Target = {
  readonly service: string
  readonly action: string
  readonly endpoint: string | null
}
export type SuggestedCall = {
  readonly service: string
  readonly action: string
  readonly params: Data
  readonly max_cost_cents: number
  readonly why: string
}

/** Each call once. */
export function removeDuplicates(calls: readonly SuggestedCall[]): SuggestedCall[] {
  const seen = new Map(
    calls.map((call) => [JSON.stringify([call.service, call.action, call.params]), call]),
  )
  return [...seen.values()]
}
