import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { UNKNOWN, type Authentication, type DnsResolver, type SenderCheck } from './check-sender.ts'
import type { FromSenderThread, ToSenderThread } from './sender-thread.ts'

/** Checks senders in a thread: a hostile message can need much CPU time. */
export type SenderChecker = {
  /** Never rejects. A check without a result in time is temperror. */
  readonly check: SenderCheck
  close(): Promise<void>
}

/** For inboxes that only programs of this machine can reach. Nothing is known about the sender. */
export const NO_SENDER_CHECKS: SenderChecker = {
  check: async () => ({
    spf: 'none',
    dkim: 'none',
    dmarc: 'none',
    dmarc_policy: null,
    signed_by: [],
  }),
  close: async () => undefined,
}

export type CheckerLimits = {
  /** For a check, with the start of the thread and the name lookups. */
  readonly withinMs: number
  /** A thread that answers nothing for so long is ended, with all its checks. */
  readonly blockedMs: number
}

const LIMITS: CheckerLimits = { withinMs: 20_000, blockedMs: 3_000 }
const HEAP_MIB = 256
const PINGS = 6
const THREAD = join(import.meta.dirname, 'sender-thread.ts')

type CheckThread = {
  readonly worker: Worker
  readonly checks: Map<number, (result: Authentication) => void>
  isReady: boolean
  /** The pings since its last answer. */
  pings: number
}

/** Checks concurrently, so that slow name servers of one sender delay no other. Name lookups run here, through `resolve`. */
export function createSenderChecker(
  serverName: string,
  resolve: DnsResolver,
  limits: CheckerLimits = LIMITS,
): SenderChecker {
  let current: CheckThread | null = null
  let lastId = 0

  function startThread(): CheckThread {
    const worker = new Worker(THREAD, {
      env: {},
      workerData: serverName,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    })
    worker.unref()
    const started: CheckThread = { worker, checks: new Map(), isReady: false, pings: 0 }
    worker.on('error', () => undefined)
    worker.on('exit', () => void endThread(started))
    worker.on('message', (message: FromSenderThread) => {
      started.pings = 0
      if (message.kind === 'ready') started.isReady = true
      else if (message.kind === 'checked') started.checks.get(message.id)?.(message.authentication)
      else if (message.kind === 'lookup') void lookUp(worker, message)
    })
    return started
  }

  async function lookUp(
    worker: Worker,
    { id, domain, recordType }: Extract<FromSenderThread, { kind: 'lookup' }>,
  ): Promise<void> {
    try {
      send(worker, { kind: 'found', id, records: await resolve(domain, recordType) })
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'ESERVFAIL'
      send(worker, { kind: 'missing', id, code })
    }
  }

  async function endThread(ended: CheckThread): Promise<void> {
    if (current === ended) current = null
    for (const finish of ended.checks.values()) finish(UNKNOWN)
    await ended.worker.terminate()
  }

  /** Counts its own pings: while this thread is busy itself, no time passes. */
  function watch(thread: CheckThread): void {
    if (!thread.isReady) return
    if (thread.pings >= PINGS) void endThread(thread)
    else {
      thread.pings += 1
      send(thread.worker, { kind: 'ping' })
    }
  }

  return {
    async check(raw, delivery) {
      current ??= startThread()
      const thread = current
      lastId += 1
      const id = lastId
      const { promise, resolve: finish } = Promise.withResolvers<Authentication>()
      thread.checks.set(id, finish)
      if (thread.checks.size === 1) thread.pings = 0
      const timeout = setTimeout(() => finish(UNKNOWN), limits.withinMs)
      const watching = setInterval(() => {
        // One of the checks watches for all of them.
        if (thread.checks.keys().next().value === id) watch(thread)
      }, limits.blockedMs / PINGS)
      send(thread.worker, { kind: 'check', id, raw, delivery })
      try {
        return await promise
      } finally {
        thread.checks.delete(id)
        clearTimeout(timeout)
        clearInterval(watching)
      }
    },
    async close() {
      if (current !== null) await endThread(current)
    },
  }
}

function send(worker: Worker, message: ToSenderThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(message)
}
