import type { TokenRates } from '../tokens/token-price.ts'
import type { Dispatches } from '../../upstream/http1/plain-dispatcher.ts'
import type { Breakers } from '../../upstream/limits/breakers.ts'

/** An endpoint with a chat-completions API. */
export type ModelUpstream = {
  /** As configured; "llm" is the default one. */
  readonly name: string
  readonly origin: string
  /** The base URL's path without a trailing slash. */
  readonly basePath: string
  readonly key: string | null
  readonly dispatcher: Dispatches
  /** For models without a listed price; null if the operator set none. */
  readonly defaultRates: TokenRates | null
  /** Whether to send fields for an aggregator: a price limit, and a hash of the calling account. */
  readonly isAggregator: boolean
  /** False for simulations: their lists change with the gateway's version and are not stored. */
  readonly remembersList: boolean
  /** One circuit breaker per model; simulations have none. */
  readonly breakers?: Breakers
}

export function addressOf({ origin, basePath }: ModelUpstream): string {
  return `${origin}${basePath}`
}

export function headersFor({ key }: ModelUpstream): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key}` }
}
