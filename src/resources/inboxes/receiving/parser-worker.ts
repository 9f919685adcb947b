import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ParseAnswer, ParseFault } from './parsed-message.ts'

/** A thread that parses one message at a time. */
export type ParserThread = {
  /** Never rejects. A message that needs more than its limits ends the thread. */
  parse(raw: Buffer): Promise<ParseAnswer>
  readonly hasEnded: boolean
  end(): Promise<void>
}

/** CPU time of the thread for a message, because the clock also runs while other programs use the processor. */
export type ParserLimits = {
  readonly cpuMs: number
  readonly cpuMsPerMegabyte: number
  /** From the message to the answer, with the start of the thread. Afterwards the machine is too busy. */
  readonly withinMs: number
  readonly heapMiB: number
}

const LIMITS: ParserLimits = {
  cpuMs: 2_000,
  cpuMsPerMegabyte: 500,
  withinMs: 15_000,
  heapMiB: 256,
}
const CHECKS = 4
const THREAD = join(import.meta.dirname, 'parser-thread.ts')

export function openParserThread(limits: ParserLimits = LIMITS): ParserThread {
  const worker = new Worker(THREAD, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMiB },
  })
  worker.unref()
  worker.on('error', () => undefined)
  let hasEnded = false

  return {
    get hasEnded() {
      return hasEnded
    },
    async parse(raw) {
      const { promise, resolve } = Promise.withResolvers<ParseAnswer>()
      const giveUp = (): void => end('too_complex')
      const end = (fault: ParseFault): void => {
        hasEnded = true
        resolve({ kind: 'fault', fault })
      }
      worker.once('message', resolve).once('exit', giveUp)
      const timeout = setTimeout(() => end('busy'), limits.withinMs)
      const mostMs = limits.cpuMs + (raw.length / 1e6) * limits.cpuMsPerMegabyte
      const stopWatching = watchCpu(worker, mostMs, giveUp)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(raw)
      const answer = await promise
      clearTimeout(timeout)
      stopWatching()
      worker.off('message', resolve).off('exit', giveUp)
      if (hasEnded) await worker.terminate()
      return answer
    },
    end: async () => void (await worker.terminate()),
  }
}

/** Calls `giveUp` once the thread has used the CPU time. Returns the function that stops it. */
function watchCpu(worker: Worker, mostMs: number, giveUp: () => void): () => void {
  let usedBefore: number | null = null
  const check = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage()
    const usedMs = (user + system) / 1_000
    // A new thread has used time to load its modules.
    usedBefore ??= usedMs
    if (usedMs - usedBefore > mostMs) giveUp()
  }
  // A thread that has ended answers with an error, and is given up for that.
  const timer = setInterval(() => void check().catch(() => undefined), mostMs / CHECKS)
  return () => clearInterval(timer)
}
