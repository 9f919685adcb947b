import type { TokenRates } from '../tokens/token-price.ts'
import type { Dispatches } from '../../upstream/http1/plain-dispatcher.ts'
import type { Breakers } from '../../upstream/limits/breakers.ts'

/** An endpoint that speaks chat-completions. */
export type ModelUpstream = {
  /** As configured: "llm" is the default one. */
  readonly name: string
  readonly origin: string
  /** Path of the base address, without a trailing slash. */
  readonly basePath: string
  readonly key: string | null
  readonly dispatcher: Dispatches
  /** For models that the upstream lists without a price; null when the operator named none. */
  readonly defaultRates: TokenRates | null
  /** Sends what only an aggregator understands: a bound on the price, and which of the gateway's callers asks. */
  readonly isAggregator: boolean
  /** Simulations change with the version of the gateway, so what they list is not remembered. */
  readonly remembersList: boolean
  /** One before each model; simulations have none. */
  readonly breakers?: Breakers
}

export function addressOf({ origin, basePath }: ModelUpstream): string {
  return `${origin}${basePath}`
}

export function headersFor({ key }: ModelUpstream): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key}` }
}
