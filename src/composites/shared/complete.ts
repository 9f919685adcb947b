import type { Mode } from '../../lib/mode.ts'

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
