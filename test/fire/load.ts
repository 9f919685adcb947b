import { SEARCH } from './bed.ts'
import { ask, type Answer } from './client.ts'
import type { Journal } from './journal.ts'

export type LoadSettings = {
  /** Addresses of the running gateways. Without one, callers wait for `news`. */
  readonly urls: () => readonly string[]
  /** One key for all calls, or the key of the call with this query, read before each attempt. */
  readonly key: string | ((query: string) => string)
  readonly journal: Journal
  readonly callers: number
  /** An answer after which a call is not repeated. Without it, only 200 is one. */
  readonly isFinal?: (answer: Answer) => boolean
}

// Calls of a dead process stay in progress until the sweep: a caller continues with other calls after this many attempts.
const PATIENCE = 10
// The vendor may fail some of them.
const LAST_ATTEMPTS = 10
let loads = 0

export type Load = {
  /** Resolves when `count` more answers have come that `wanted` takes. */
  answered(count: number, wanted?: (answer: Answer) => boolean): Promise<void>
  /** To be called when `urls` has more to give. */
  news(): void
  /** Lets every caller finish the call it is at, while there is a gateway; those with an Idempotency-Key that have no answer yet wait for `finish`. */
  stop(): Promise<void>
  /** Asks again, each with its Idempotency-Key, until every call has its answer or was refused ten times. Returns how many had none. */
  finish(url: string): Promise<number>
  /** Queries of calls with an Idempotency-Key that never had a final answer. */
  unanswered(): readonly string[]
}

type Watcher = {
  left: number
  readonly wanted: (answer: Answer) => boolean
  readonly done: () => void
}

/**
 * Callers that make one call after the other. Every other call carries an Idempotency-Key and is repeated, at any
 * gateway, until it returns 200 or its caller gives up. The others are sent once, and the outcome of a lost one is unknown.
 */
export function startLoad({
  urls,
  key,
  journal,
  callers,
  isFinal = ({ status }) => status === 200,
}: LoadSettings): Load {
  const watchers = new Set<Watcher>()
  const unanswered = new Set<string>()
  let news = Promise.withResolvers<void>()
  let calls = 0
  let turn = 0
  const stopping = new AbortController()
  loads += 1
  const name = `load ${loads}`

  function note(query: string, answer: Answer): void {
    journal.note(query, answer)
    for (const watcher of watchers) {
      if (!watcher.wanted(answer)) continue
      watcher.left -= 1
      if (watcher.left > 0) continue
      watchers.delete(watcher)
      watcher.done()
    }
  }

  async function askOnce(url: string, query: string, idempotencyKey?: string): Promise<void> {
    try {
      const answer = await ask({
        url,
        key: typeof key === 'string' ? key : key(query),
        path: SEARCH,
        body: { query },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      })
      note(query, answer)
      if (isFinal(answer)) unanswered.delete(query)
    } catch {
      // The connection broke, before or after the gateway did its work.
    }
  }

  async function caller(): Promise<void> {
    while (!stopping.signal.aborted) {
      calls += 1
      const query = `${name}, call ${calls}`
      if (calls % 2 === 0) await askUntilAnswered(query)
      else await askOnce(await someUrl(), query)
    }
  }

  async function askUntilAnswered(query: string): Promise<void> {
    unanswered.add(query)
    for (
      let attempt = 0;
      attempt < PATIENCE && unanswered.has(query) && !stopping.signal.aborted;
      attempt += 1
    )
      await askOnce(await someUrl(), query, query)
  }

  async function someUrl(): Promise<string> {
    while (urls().length === 0) await news.promise
    turn += 1
    return urls()[turn % urls().length] ?? ''
  }

  const running = Array.from({ length: callers }, caller)
  return {
    answered: (count, wanted = () => true) =>
      new Promise((done) => watchers.add({ left: count, wanted, done })),
    news() {
      news.resolve()
      news = Promise.withResolvers()
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
    async finish(url) {
      const left = [...unanswered]
      for (let attempt = 0; attempt < LAST_ATTEMPTS; attempt += 1)
        await Promise.all([...unanswered].map((query) => askOnce(url, query, query)))
      return left.length
    },
    unanswered: () => [...unanswered],
  }
}
