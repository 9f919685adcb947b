import type { Mode } from '../../lib/mode.ts'
import type { Micros } from '../../lib/money.ts'

/** A prompt for a language model. Calls in test mode reach a simulated one. */
export type CompletionRequest = {
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number
  readonly mode: Mode
  readonly accountId: string
  readonly signal: AbortSignal
}

/** Returns the model's text, or null if no model answered in time. Callers work without it then and never fail. */
export type Complete = (request: CompletionRequest) => Promise<string | null>

/**
 * Completes a prompt that ends with `texts`, for at most `mostMicros`. The texts are cut at their
 * ends to fit; `isCut` reports that. Null if no model answered.
 */
export type BoundedComplete = (
  request: CompletionRequest & { readonly texts: readonly string[]; readonly mostMicros: Micros },
) => Promise<{ readonly answer: string; readonly isCut: boolean } | null>
