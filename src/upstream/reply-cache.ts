import type { WireRequest } from '../catalog/vocabulary/wire.ts'
import type { Clock } from '../lib/clock.ts'
import type { Sent } from './sent.ts'
import type { Target } from './target.ts'

export type CacheSettings = {
  /** Bounds memory. */
  readonly most: number
  /** Whether a response is worth storing. */
  readonly isKept: (sent: Sent) => boolean
}

/** Reference files have a few megabytes each. */
const REFERENCE_FILES: CacheSettings = { most: 8, isKept: isReference }

/**
 * Caches slowly changing responses of vendors in this process, for the time that the request sets.
 */
export type ReplyCache = {
  /**
   * Returns the cached response or calls `ask`. Concurrent calls share one request, and its error.
   */
  readonly get: (target: Target, wire: WireRequest, ask: () => Promise<Sent>) => Promise<Sent>
}

export function createReplyCache(
  now: Clock,
  { most, isKept }: CacheSettings = REFERENCE_FILES,
): ReplyCache {
  const replies = new Map<string, { readonly sent: Promise<Sent>; readonly untilMs: number }>()
  async function cachedOrSent(
    target: Target,
    wire: WireRequest,
    cacheSeconds: number,
    ask: () => Promise<Sent>,
  ): Promise<Sent> {
    const key = JSON.stringify([
      target.service,
      target.origin,
      target.basePath,
      wire.origin,
      wire.path,
      wire.query,
    ])
    const known = replies.get(key)
    if (known !== undefined && known.untilMs > now()) return known.sent
    const sent = ask()
    replies.delete(key)
    replies.set(key, { sent, untilMs: now() + cacheSeconds * 1000 })
    for (const oldest of replies.size > most ? replies.keys().take(replies.size - most) : [])
      replies.delete(oldest)
    let isWorthIt = false
    try {
      const answer = await sent
      isWorthIt = isKept(answer)
      return answer
    } finally {
      if (!isWorthIt && replies.get(key)?.sent === sent) replies.delete(key)
    }
  }

  return {
    get: (target, wire, ask) =>
      wire.cacheSeconds === undefined ? ask() : cachedOrSent(target, wire, wire.cacheSeconds, ask),
  }
}

/**
 * Reports whether a response is a non-empty JSON object or list. A vendor's maintenance notice,
 * also with status 200, must not be cached for a day.
 */
function isReference(sent: Sent): boolean {
  return (
    sent.ok &&
    typeof sent.reply.body === 'object' &&
    sent.reply.body !== null &&
    Object.keys(sent.reply.body).length > 0
  )
}
