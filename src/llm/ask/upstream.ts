import type { ModelRates } from '../lists/model-rates.ts'
import type { Dispatches } from '../../upstream/http1/plain-dispatcher.ts'
import type { Breakers } from '../../upstream/limits/breakers.ts'
import { DIALECTS, type Dialect } from '../wires/dialects/dialect.ts'
import type { WireName } from '../wires/wire.ts'

/** An endpoint that speaks chat completions, and perhaps further APIs. */
export type ModelUpstream = {
  /** As configured; "llm" is the default one. */
  readonly name: string
  readonly origin: string
  /** The base URL's path without a trailing slash. */
  readonly basePath: string
  readonly key: string | null
  readonly dispatcher: Dispatches
  /** For models without a listed price; null if the operator set none. */
  readonly defaultRates: ModelRates | null
  /** Whether to send fields for an aggregator: a price limit, and a hash of the calling account. */
  readonly isAggregator: boolean
  /** The APIs that it speaks; chat completions without this list. */
  readonly wires?: ReadonlySet<WireName>
  /** Of its chat completions; recognized by `isAggregator` without one. */
  readonly dialect?: Dialect
  /** False for simulations: their lists change with the gateway's version and are not stored. */
  readonly remembersList: boolean
  /** One circuit breaker per model; simulations have none. */
  readonly breakers?: Breakers
}

export function dialectOf({ dialect, isAggregator }: ModelUpstream): Dialect {
  return dialect ?? (isAggregator ? DIALECTS.openrouter : DIALECTS.generic)
}

export function addressOf({ origin, basePath }: ModelUpstream): string {
  return `${origin}${basePath}`
}

// Anthropic's API rejects its keys as bearer tokens, except for chat completions.
const ANTHROPIC = 'https://api.anthropic.com'
const ANTHROPIC_VERSION = '2023-06-01'

/** The headers with the upstream's key. `wire`: the API of the request. */
export function headersFor(
  { key, origin }: ModelUpstream,
  wire: WireName | 'list' = 'chat',
): Record<string, string> {
  if (key === null) return {}
  return origin === ANTHROPIC && wire !== 'chat'
    ? { 'x-api-key': key, 'anthropic-version': ANTHROPIC_VERSION }
    : { authorization: `Bearer ${key}` }
}
