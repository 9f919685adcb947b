import { Worker } from 'node:worker_threads'
import { AppError } from '../errors/app-error.ts'
import type { Extraction, WorkAnswer, WorkInput, WorkRequest } from './extraction-worker.ts'

export type ExtractionPool = {
  /** Throws AppError overloaded when the queue is full, upstream_error when the page could not be worked within its time. */
  run(input: WorkInput): Promise<Extraction>
  close(): Promise<void>
}
export type PoolSettings = { workers: number; maxQueued?: number; timeoutMs?: number; maxMemoryMb?: number }

type Task = { request: WorkRequest; resolve: (extraction: Extraction) => void; reject: (error: AppError) => void }
type Slot = { worker: Worker | undefined; task: Task | undefined; timer: NodeJS.Timeout | undefined }

const DEFAULTS = { maxQueued: 200, timeoutMs: 10_000, maxMemoryMb: 512 }
const WORKER = new URL('./extraction-worker.ts', import.meta.url)

/**
 * Pages are parsed in worker threads: a large one must not hold up every other call. A worker that passes its time or
 * memory is ended and replaced; only the page that it was working on fails. Workers start with the first page.
 */
export function createExtractionPool(settings: PoolSettings): ExtractionPool {
  const { workers, maxQueued, timeoutMs, maxMemoryMb } = { ...DEFAULTS, ...settings }
  const slots: Slot[] = Array.from({ length: Math.max(1, workers) }, () => ({ worker: undefined, task: undefined, timer: undefined }))
  const queue: Task[] = []
  let nextId = 0
  let closed = false

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
    next()
  }

  const replaceStuck = (slot: Slot): void => {
    void slot.worker?.terminate()
    slot.worker = undefined
    finish(slot, (task) => task.reject(new AppError('upstream_error', 'The page took too long to parse.')))
  }

  const next = (): void => {
    if (closed) return
    for (const slot of slots) {
      if (slot.task !== undefined) continue
      const task = queue.shift()
      if (task === undefined) return
      slot.task = task
      slot.worker ??= startWorker(slot)
      slot.timer = setTimeout(replaceStuck, timeoutMs, slot)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
      slot.worker.postMessage(task.request)
    }
  }

  return {
    run(input) {
      if (closed) return Promise.reject(new AppError('shutting_down'))
      if (queue.length >= maxQueued) return Promise.reject(new AppError('overloaded', 'Too many pages are waiting to be parsed.', { retryAfterSeconds: 5 }))
      return new Promise((resolve, reject) => {
        nextId += 1
        queue.push({ request: { id: nextId, input }, resolve, reject })
        next()
      })
    },
    async close() {
      closed = true
      const waiting = [...queue.splice(0), ...slots.flatMap((slot) => slot.task ?? [])]
      for (const slot of slots) clearTimeout(slot.timer)
      for (const task of waiting) task.reject(new AppError('shutting_down'))
      await Promise.all(slots.flatMap((slot) => slot.worker?.terminate() ?? []))
    },
  }
}
