import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { AppError, invariant } from '../errors/app-error.ts'
import { SharedRoom } from '../lib/shared-room.ts'
import type { Extraction, WorkerMessage, WorkInput, WorkRequest } from './extraction-worker.ts'
import { createSlots, type Visitor } from '../lib/fair-slots.ts'

export type ExtractionPool = {
  /**
   * Throws AppError overloaded when too many pages wait, rate_limited when the account has its share of them, upstream_error
   * when the page could not be worked within its time, or the reason of the visitor's signal when it leaves while it waits.
   */
  run(input: WorkInput, visitor: Visitor): Promise<Extraction>
  close(): Promise<void>
}
export type PoolSettings = { workers: number; maxQueued?: number; maxCharacters?: number; timeoutMs?: number; maxMemoryMb?: number }

type Task = { request: WorkRequest; resolve: (extraction: Extraction) => void; reject: (error: AppError) => void }
type Slot = { worker: ChildProcess | undefined; isReady: boolean; task: Task | undefined; timer: NodeJS.Timeout | undefined }

const DEFAULTS = { maxQueued: 200, maxCharacters: 256 * 1024 * 1024, timeoutMs: 10_000, maxMemoryMb: 512 }
const WORKER = join(import.meta.dirname, 'extraction-worker.ts')
// For trees of some thousand levels. Of the system's stack, mostly 8 MB, it leaves enough to what is not JavaScript.
const STACK_KB = 5_000
/** Far more than a process takes to start, which is none of the time of its first page. */
const START_MS = 30_000

/**
 * Pages are parsed in processes of their own: a large one must not hold up every other call, and one that fills the memory
 * ends its process, threads of which it would end with it. A worker that passes its time or memory is ended and replaced;
 * only the page that it was working on fails. Workers start with the first page, and take pages in turns of the accounts, so
 * that the many large pages of one delay a page of another by one. They know nothing of this process' environment.
 */
export function createExtractionPool(settings: PoolSettings): ExtractionPool {
  const { workers, maxQueued, maxCharacters, timeoutMs, maxMemoryMb } = { ...DEFAULTS, ...settings }
  const slots: Slot[] = Array.from({ length: Math.max(1, workers) }, () => ({ worker: undefined, isReady: false, task: undefined, timer: undefined }))
  const turns = createSlots({ places: slots.length, waiting: maxQueued, what: 'the parsing of a page' })
  const room = new SharedRoom(maxCharacters, 'page text to parse')
  const closing = new AbortController()
  let nextId = 0

  const startWorker = (slot: Slot): ChildProcess => {
    const execArgv = ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${maxMemoryMb}`, `--stack-size=${STACK_KB}`]
    const worker = fork(WORKER, { execArgv, env: {}, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    worker.unref()
    worker.channel?.unref()
    worker.on('message', (sent) => {
      if (slot.worker !== worker) return
      const message = sent as WorkerMessage
      if (message === 'ready') {
        slot.isReady = true
        if (slot.task !== undefined) giveTime(slot, timeoutMs)
        return
      }
      const { id, extraction } = message
      if (slot.task?.request.id === id) finish(slot, (task) => task.resolve(extraction))
    })
    const gone = (): void => {
      if (slot.worker !== worker) return
      slot.worker = undefined
      finish(slot, (task) => task.reject(new AppError('upstream_error', 'The page could not be parsed.')))
    }
    // Without an exit when it could not be started.
    worker.on('error', gone).on('exit', gone)
    return worker
  }

  const finish = (slot: Slot, end: (task: Task) => void): void => {
    clearTimeout(slot.timer)
    const { task } = slot
    slot.task = undefined
    if (task !== undefined) end(task)
  }

  const replaceStuck = (slot: Slot): void => {
    slot.worker?.kill('SIGKILL')
    slot.worker = undefined
    finish(slot, (task) => task.reject(new AppError('upstream_error', 'The page took too long to parse.')))
  }

  const giveTime = (slot: Slot, ms: number): void => {
    clearTimeout(slot.timer)
    slot.timer = setTimeout(replaceStuck, ms, slot)
  }

  const work = (input: WorkInput): Promise<Extraction> =>
    new Promise((resolve, reject) => {
      const slot = slots.find(({ task }) => task === undefined)
      invariant(slot !== undefined, 'whoever has a turn finds a worker that has nothing to do')
      nextId += 1
      slot.task = { request: { id: nextId, input }, resolve, reject }
      if (slot.worker === undefined) {
        slot.isReady = false
        slot.worker = startWorker(slot)
      }
      giveTime(slot, slot.isReady ? timeoutMs : START_MS)
      // What could not be sent was for a worker that is gone, which is told by its end.
      slot.worker.send(slot.task.request, () => undefined)
    })

  return {
    async run(input, { accountId, signal }) {
      closing.signal.throwIfAborted()
      const characters = input.html.length
      room.take(accountId, characters)
      try {
        const giveTurnBack = await turns.take({ accountId, signal: AbortSignal.any([signal, closing.signal]) })
        // Closing may have come between the turn and its use.
        closing.signal.throwIfAborted()
        return await work(input).finally(giveTurnBack)
      } finally {
        room.giveBack(accountId, characters)
      }
    },
    async close() {
      closing.abort(new AppError('shutting_down'))
      for (const slot of slots) finish(slot, (task) => task.reject(new AppError('shutting_down')))
      await Promise.all(slots.flatMap(({ worker }) => (worker === undefined ? [] : ended(worker))))
    },
  }
}

async function ended(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null || worker.pid === undefined) return
  const exit = once(worker, 'exit')
  worker.ref()
  worker.kill('SIGKILL')
  await exit
}
