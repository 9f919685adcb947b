import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { invariant } from '../../../errors/app-error.ts'
import type { ParseAnswer } from './parsed-message.ts'

/** Parses messages in a thread, so that a hostile one stops neither the gateway nor its memory. */
export type MessageParser = {
  /** A message that needs too long or too much memory is a fault. */
  parse(raw: Buffer): Promise<ParseAnswer>
  close(): Promise<void>
}

export type ParserLimits = { readonly withinMs: number; readonly heapMiB: number }

const LIMITS: ParserLimits = { withinMs: 15_000, heapMiB: 256 }
const THREAD = join(import.meta.dirname, 'parser-thread.ts')

/** One message at a time; others wait. The number of connections bounds them. */
export function createMessageParser(limits: ParserLimits = LIMITS): MessageParser {
  let thread: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function startThread(): Worker {
    const started = new Worker(THREAD, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMiB },
    })
    started.unref()
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (thread === started) thread = null
    })
    return started
  }

  async function endThread(): Promise<void> {
    const ended = thread
    thread = null
    await ended?.terminate()
  }

  async function parseNext(raw: Buffer): Promise<ParseAnswer> {
    invariant(!isClosed, 'the parser of a stopped server gets no message')
    thread ??= startThread()
    const used = thread
    const { promise, resolve } = Promise.withResolvers<ParseAnswer | null>()
    const giveUp = (): void => resolve(null)
    const timer = setTimeout(giveUp, limits.withinMs)
    used.once('message', resolve).once('exit', giveUp)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    used.postMessage(raw)
    const answer = await promise
    clearTimeout(timer)
    used.off('message', resolve).off('exit', giveUp)
    if (answer !== null) return answer
    // The next message gets a new thread.
    await endThread()
    return { kind: 'fault', fault: 'too_complex' }
  }

  return {
    parse(raw) {
      const answer = last.then(() => parseNext(raw))
      last = answer.catch(() => undefined)
      return answer
    },
    async close() {
      isClosed = true
      await endThread()
      await last
    },
  }
}
