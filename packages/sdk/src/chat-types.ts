import type { CallOptions } from './transport.ts'

export type ChatMessage = {
  readonly role: string
  readonly content?: unknown
  readonly [field: string]: unknown
}

/** The fields of chat completions; docs/router.md lists them. */
export type ChatRequest = {
  /** A model or a tier, such as "core/cheap". */
  readonly model?: string
  readonly models?: readonly string[]
  readonly messages: readonly ChatMessage[]
  readonly max_tokens?: number
  readonly max_cost_cents?: number
  readonly temperature?: number
  readonly tools?: readonly object[]
  readonly [field: string]: unknown
}

export type ChatUsage = {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  /** The charge in dollars. */
  readonly cost?: number
}

export type ToolCall = {
  readonly index?: number
  readonly id?: string
  readonly type?: string
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

export type ChatCompletion = {
  readonly id: string
  readonly model: string
  readonly choices: readonly {
    readonly index: number
    readonly finish_reason: string | null
    readonly message: {
      readonly role: string
      readonly content: string | null
      readonly tool_calls?: readonly ToolCall[]
    }
  }[]
  readonly usage?: ChatUsage
}

export type ChatChunk = {
  readonly id: string
  readonly model: string
  readonly choices: readonly {
    readonly index: number
    readonly finish_reason: string | null
    readonly delta: {
      readonly role?: string
      readonly content?: string | null
      readonly tool_calls?: readonly ToolCall[]
    }
  }[]
  /** In the last chunk. */
  readonly usage?: ChatUsage | null
}

export type StreamOptions = CallOptions & {
  /**
   * Default: true. A lost stream continues where it broke, because the gateway completes the
   * response and charges it, even after an abort. False: an abort ends the response, and what the
   * model has generated is charged; a lost stream fails.
   */
  readonly resumable?: boolean
}

export type ChatStream = AsyncIterable<ChatChunk> & {
  /** The text of the first choice, as a whole. Reads the stream. */
  text(): Promise<string>
  /** Tokens and charge; null until the stream ends. */
  readonly usage: ChatUsage | null
}
