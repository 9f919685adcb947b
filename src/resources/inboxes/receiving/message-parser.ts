import { invariant } from '../../../errors/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { RecentMap } from '../../../lib/recent-map.ts'
import type { ParseAnswer } from './parsed-message.ts'
import { openParserThread, type ParserThread } from './parser-worker.ts'

/** Parses messages in threads, so that a hostile one stops neither the gateway nor its memory. */
export type MessageParser = {
  /** `sender` is its network. A message that needs too long or too much memory, or waits too long, is a fault. */
  parse(raw: Buffer, sender: string): Promise<ParseAnswer>
  close(): Promise<void>
}

const THREADS = 2
/** Recent parsing with which a sender counts as slow. */
const SLOW_MS = 3_000
const HALF_LIFE_MS = 60_000
/** A message that waits longer gets a temporary rejection. */
export const LONGEST_WAIT_MS = 60_000
const SENDERS = 20_000

type Waiting = {
  readonly raw: Buffer
  readonly sender: string
  readonly sinceMs: number
  readonly finish: (answer: ParseAnswer) => void
}
type Cost = { readonly ms: number; readonly atMs: number }

const BUSY: ParseAnswer = { kind: 'fault', fault: 'busy' }

/**
 * Two messages at a time, of different senders. The next one is that of the sender whose messages
 * needed the least time recently, so a sender of slow messages delays itself. Slow senders use one
 * thread together; the other one is for all others. The connections of the server bound the queue.
 */
export function createMessageParser(
  now: Clock,
  openThread: () => ParserThread = openParserThread,
): MessageParser {
  const idle: ParserThread[] = []
  const threads = new Set<ParserThread>()
  const waiting: Waiting[] = []
  /** Senders whose message is being parsed, and whether they are slow. */
  const running = new Map<string, boolean>()
  const costs = new RecentMap<string, Cost>(SENDERS)
  let isClosed = false

  /** The parsing time of a sender; it halves every minute. */
  function costOf(sender: string, nowMs: number): number {
    const cost = costs.get(sender)
    return cost === undefined ? 0 : cost.ms * 2 ** ((cost.atMs - nowMs) / HALF_LIFE_MS)
  }

  function takeNext(nowMs: number): Waiting | undefined {
    const hasSlow = [...running.values()].includes(true)
    let [next, least]: [Waiting | undefined, number] = [undefined, Infinity]
    for (const message of waiting) {
      const cost = costOf(message.sender, nowMs)
      if (cost >= least || running.has(message.sender)) continue
      if (cost < SLOW_MS || !hasSlow) [next, least] = [message, cost]
    }
    if (next !== undefined) waiting.splice(waiting.indexOf(next), 1)
    return next
  }

  function startWaiting(): void {
    const nowMs = now()
    // In the order of arrival.
    while (waiting[0] !== undefined && nowMs - waiting[0].sinceMs > LONGEST_WAIT_MS)
      waiting.shift()?.finish(BUSY)
    while (running.size < THREADS) {
      const next = takeNext(nowMs)
      if (next === undefined) return
      void run(next, nowMs)
    }
  }

  async function run({ raw, sender, finish }: Waiting, startMs: number): Promise<void> {
    running.set(sender, costOf(sender, startMs) >= SLOW_MS)
    const thread = idle.pop() ?? openThread()
    threads.add(thread)
    const answer = await thread.parse(raw)
    if (thread.hasEnded) threads.delete(thread)
    else idle.push(thread)
    const endMs = now()
    costs.set(sender, { ms: costOf(sender, endMs) + Math.max(0, endMs - startMs), atMs: endMs })
    running.delete(sender)
    finish(answer)
    startWaiting()
  }

  return {
    parse(raw, sender) {
      invariant(!isClosed, 'the parser of a stopped server gets no message')
      const { promise, resolve } = Promise.withResolvers<ParseAnswer>()
      waiting.push({ raw, sender, sinceMs: now(), finish: resolve })
      startWaiting()
      return promise
    },
    async close() {
      isClosed = true
      for (const { finish } of waiting.splice(0)) finish(BUSY)
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}
