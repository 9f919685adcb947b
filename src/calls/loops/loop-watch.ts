import { LRUCache } from 'lru-cache'
import { toRfc3339, type Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { adviseOn, MOST_SEEN, type Advice, type SeenCall } from './loop-rules.ts'

/** A finished paid call. `answer` is read only when the same request was seen before. */
export type FinishedCall = Omit<SeenCall, 'request' | 'answer' | 'atMs'> & {
  readonly keyId: Id
  readonly input: unknown
  readonly answer: () => unknown
}

/** Watches the recent paid calls of each key for repetitions. */
export type LoopWatch = {
  /** Notes a call and returns advice about it, or null. */
  note(call: FinishedCall): Advice | null
}

// At about 10 kB for a full list, 40 MB at most. The least recently used keys are forgotten.
const MOST_KEYS = 4_000
// One piece of advice is enough for the model to read. In between, a busy key costs nothing.
const QUIET_MS = 60_000

type Recent = { readonly calls: SeenCall[]; quietUntilMs: number }

/** A watch in this process: a loop comes over one connection. */
export function createLoopWatch(now: Clock, mostKeys = MOST_KEYS): LoopWatch {
  const keys = new LRUCache<Id, Recent>({ max: mostKeys })

  function recentOf(keyId: Id): Recent {
    const found = keys.get(keyId)
    if (found !== undefined) return found
    const recent = { calls: [], quietUntilMs: 0 }
    keys.set(keyId, recent)
    return recent
  }

  return {
    note({ keyId, input, answer, ...facts }) {
      const atMs = now()
      const recent = recentOf(keyId)
      if (atMs < recent.quietUntilMs) return null
      const { calls } = recent
      const request = hashOf(`${facts.action}${textOf(input)}`)
      const isKnown = calls.some((call) => call.request === request)
      calls.push({ ...facts, request, answer: isKnown ? hashOf(stableText(answer())) : null, atMs })
      if (calls.length > MOST_SEEN) calls.shift()
      const advice = isKnown || facts.outcome !== 'ok' ? adviseOn(calls) : null
      if (advice !== null) recent.quietUntilMs = atMs + QUIET_MS
      return advice
    },
  }
}

// Differ in every answer of some vendors.
const VOLATILE = /^(request_?id|id|took|latency|search_?time|duration|timestamp|created|cost.*)$/i

/** The JSON text of an answer without the top-level fields that differ every time. */
function stableText(answer: unknown): string {
  return textOf(
    typeof answer === 'object' && answer !== null && !Array.isArray(answer)
      ? Object.fromEntries(Object.entries(answer).filter(([name]) => !VOLATILE.test(name)))
      : answer,
  )
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    // A value that is nested too deeply to be written as JSON.
    return ''
  }
}

/** FNV-1a over UTF-16 code units. A collision only gives wrong advice. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place += 1)
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  return hash >>> 0
}

/** The advice as a field of an answer. */
export function adviceField({ code, seen, sinceMs, spent, text }: Advice): object {
  return { code, seen, since: toRfc3339(sinceMs), spent_micros: Number(spent), text }
}
