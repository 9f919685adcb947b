import { Worker } from 'node:worker_threads'
import { AppError, invariant } from '../errors/app-error.ts'
import { SharedRoom } from '../lib/shared-room.ts'
import type { Extraction, WorkAnswer, WorkInput, WorkRequest } from './extraction-worker.ts'
import { createSlots, type Visitor } from './fair-slots.ts'

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
type Slot = { worker: Worker | undefined; task: Task | undefined; timer: NodeJS.Timeout | undefined }

const DEFAULTS = { maxQueued: 200, maxCharacters: 256 * 1024 * 1024, timeoutMs: 10_000, maxMemoryMb: 512 }
const WORKER = new URL('./extraction-worker.ts', import.meta.url)

/**
 * Pages are parsed in worker threads: a large one must not hold up every other call. A worker that passes its time or
 * memory is ended and replaced; only the page that it was working on fails. Workers start with the first page, and take
 * pages in turns of the accounts, so that the many large pages of one delay a page of another by one.
 */
export function createExtractionPool(settings: PoolSettings): ExtractionPool {
  const { workers, maxQueued, maxCharacters, timeoutMs, maxMemoryMb } = { ...DEFAULTS, ...settings }
  const slots: Slot[] = Array.from({ length: Math.max(1, workers) }, () => ({ worker: undefined, task: undefined, timer: undefined }))
  const turns = createSlots({ places: slots.length, waiting: maxQueued, what: 'the parsing of a page' })
  const room = new SharedRoom(maxCharacters, 'page text to parse')
  const closing = new AbortController()
  let nextId = 0

  const startWorker = (slot: Slot): Worker => {
    const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, stackSizeMb: 8 }, stdout: true, stderr: true })
    worker.unref()
    worker.on('message', ({ id, extraction }: WorkAnswer) => {
      if (slot.worker === worker && slot.task?.request.id === id) finish(slot, (task) => task.resolve(extraction))
    })
    // An error event is always followed by an exit.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (slot.worker !== worker) return
      slot.worker = undefined
      finish(slot, (task) => task.reject(new AppError('upstream_error', 'The page could not be parsed.')))
    })
    return worker
  }

  const finish = (slot: Slot, end: (task: Task) => void): void => {
    clearTimeout(slot.timer)
    const { task } = slot
    slot.task = undefined
    if (task !== undefined) end(task)
  }

  const replaceStuck = (slot: Slot): void => {
    void slot.worker?.terminate()
    slot.worker = undefined
    finish(slot, (task) => task.reject(new AppError('upstream_error', 'The page took too long to parse.')))
  }

  const work = (input: WorkInput): Promise<Extraction> =>
    new Promise((resolve, reject) => {
      const slot = slots.find(({ task }) => task === undefined)
      invariant(slot !== undefined, 'whoever has a turn finds a worker that has nothing to do')
      nextId += 1
      slot.task = { request: { id: nextId, input }, resolve, reject }
      slot.worker ??= startWorker(slot)
      slot.timer = setTimeout(replaceStuck, timeoutMs, slot)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
      slot.worker.postMessage(slot.task.request)
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
      await Promise.all(slots.flatMap((slot) => slot.worker?.terminate() ?? []))
    },
  }
}
