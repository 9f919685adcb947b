import type { Mode } from '../../lib/mode.ts'
/** What a language model is asked for. Test calls reach a simulated one. */
export type CompletionRequest = {
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number
  readonly mode: Mode
  readonly accountId: string
  readonly signal: AbortSignal
}

/** Asks a language model for a text. Null when none answered in time: callers do without it, and never fail for want of it. */
export type Complete = (request: CompletionRequest) => Promise<string | null>
