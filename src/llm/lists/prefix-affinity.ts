/**
 * The model of a tier that has a prompt in its cache. A later request with the same prefix goes to
 * it first: another model would write the cache again instead of reading it.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CompletionRequest } from '../ask/read-request.ts'
import { listedFields, type Fields } from '../../lib/json-fields.ts'

const MOST_PREFIXES = 10_000
// The longest lifetime of a cache.
const STORED_MS = 3_600_000
// The prefix of a conversation: its first messages do not change, later ones are added.
const FIRST_MESSAGES = 1

export class PrefixAffinity {
  readonly #modelOf = new LRUCache<string, string>({ max: MOST_PREFIXES, ttl: STORED_MS })

  /** The candidates, the one with the cached prefix first. `key` is null without cache marks. */
  order<Member extends { readonly id: string }>(
    key: string | null,
    candidates: readonly Member[],
  ): readonly Member[] {
    const id = key === null || candidates.length < 2 ? undefined : this.#modelOf.get(key)
    const cached = candidates.find((candidate) => candidate.id === id)
    return cached === undefined
      ? candidates
      : [cached, ...candidates.filter((candidate) => candidate !== cached)]
  }

  /** Notes the model that answered. */
  note(key: string | null, id: string): void {
    if (key !== null) this.#modelOf.set(key, id)
  }
}

/** The key of a request's prefix in an account; null if the request marks nothing for a cache. */
export function prefixKeyOf(
  { own, messages, rest, tools: chatTools }: CompletionRequest,
  accountId: string,
  tier: string,
): string | null {
  const body: Fields = own?.body ?? { ...rest, messages, tools: chatTools }
  const { tools, system, instructions, prompt_cache_key: cacheKey } = body
  const first = listedFields(body['messages']).slice(0, FIRST_MESSAGES)
  const prefix = JSON.stringify([tools, system, instructions, first, cacheKey])
  return typeof cacheKey === 'string' || prefix.includes('"cache_control"')
    ? hash('sha256', `${accountId} ${tier} ${prefix}`)
    : null
}
