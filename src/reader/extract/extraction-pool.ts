import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { AppError, invariant } from '../../errors/app-error.ts'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import type { Extraction, WorkerMessage, WorkInput, WorkRequest } from './extraction-worker.ts'
import { cpuTimeOf } from './process-cpu.ts'
import { allButOne, createSlots, type Visitor } from '../../lib/fairness/fair-slots.ts'

export type ExtractionPool = {
  /**
   * Throws an AppError: `overloaded` when too many pages wait, `rate_limited` when the account has
   * its share of them, `upstream_error` when parsing fails or takes too long. Rejects with the
   * visitor signal's reason if it aborts while waiting.
   */
  run(input: WorkInput, visitor: Visitor): Promise<Extraction>
  close(): Promise<void>
}
export type PoolSettings = {
  workers: number
  maxQueued?: number
  maxCharacters?: number
  /** The CPU time of one page. A busy machine parses later, but fails no page for that. */
  timeoutMs?: number
  /** The limit for a page while another account waits for a worker. */
  crowdedMs?: number
  /** The time of one page by the clock, for a worker that hangs without using the CPU. */
  maxWallMs?: number
  maxMemoryMb?: number
}

type Task = {
  request: WorkRequest
  accountId: string
  /** Undefined while its worker starts. */
  began: { readonly wallMs: number; readonly cpuMs: number } | undefined
  resolve: (extraction: Extraction) => void
  reject: (error: AppError) => void
}
type Slot = {
  worker: ChildProcess | undefined
  isReady: boolean
  task: Task | undefined
  timer: NodeJS.Timeout | undefined
  /** The account whose page caused a restart: only that account waits for it. */
  restartedFor: string | undefined
}

const DEFAULTS = {
  maxQueued: 200,
  maxCharacters: 256 * 1024 * 1024,
  timeoutMs: 10_000,
  crowdedMs: 2_000,
  maxWallMs: 60_000,
  maxMemoryMb: 512,
}
const WORKER = join(import.meta.dirname, 'extraction-worker.ts')
// Enough for trees of several thousand levels. Leaves native code its share of the system stack,
// usually 8 MB.
const STACK_KB = 5_000
const LEAST_CHECK_MS = 20
/** Far longer than a process takes to start. The start does not count against the first page. */
const START_MS = 30_000

/**
 * Parses pages in separate processes, so that a large page does not block other calls. A thread
 * that exhausts memory would end the whole process. A worker that exceeds its time or memory is
 * replaced; only its current page fails. Accounts take workers alternately, each at most all but
 * one. A page gets less time while another account waits, so hostile pages of one account do not
 * delay others. Workers do not inherit the environment.
 */
export function createExtractionPool(settings: PoolSettings): ExtractionPool {
  const { workers, maxQueued, maxCharacters, timeoutMs, crowdedMs, maxWallMs, maxMemoryMb } = {
    ...DEFAULTS,
    ...settings,
  }
  const slots: Slot[] = Array.from({ length: Math.max(1, workers) }, () => ({
    worker: undefined,
    isReady: false,
    task: undefined,
    timer: undefined,
    restartedFor: undefined,
  }))
  const turns = createSlots({
    places: slots.length,
    perAccount: allButOne(slots.length),
    waiting: maxQueued,
    what: 'page parsing',
  })
  const textQuota = new SharedCapacity(maxCharacters, 'page text to parse')
  const closing = new AbortController()
  let nextId = 0

  const startWorker = (slot: Slot): ChildProcess => {
    const execArgv = [
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${maxMemoryMb}`,
      `--stack-size=${STACK_KB}`,
    ]
    const worker = fork(WORKER, {
      execArgv,
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    worker.unref()
    worker.channel?.unref()
    worker.on('message', (sent) => {
      if (slot.worker !== worker) return
      const message = sent as WorkerMessage
      if (message === 'ready') {
        slot.isReady = true
        slot.restartedFor = undefined
        if (slot.task !== undefined) begin(slot, slot.task)
        startNext()
        return
      }
      const { id, extraction } = message
      if (slot.task?.request.id === id) finish(slot, (task) => task.resolve(extraction))
    })
    const onExit = (): void => {
      if (slot.worker !== worker) return
      slot.worker = undefined
      slot.isReady = false
      finish(slot, (task) =>
        task.reject(new AppError('upstream_error', 'The page could not be parsed.')),
      )
    }
    // A worker that cannot start emits no exit.
    worker.on('error', onExit).on('exit', onExit)
    return worker
  }

  /** Workers start one after another, before pages wait for them. */
  const startNext = (): void => {
    const slot = slots.find(({ worker }) => worker === undefined)
    if (slot !== undefined && !closing.signal.aborted) slot.worker = startWorker(slot)
  }

  const finish = (slot: Slot, end: (task: Task) => void): void => {
    clearTimeout(slot.timer)
    const { task } = slot
    slot.task = undefined
    if (task !== undefined) end(task)
  }

  /** Starts the successor immediately, so that no page waits for it. */
  const replaceStuck = (slot: Slot): void => {
    slot.worker?.kill('SIGKILL')
    slot.isReady = false
    slot.restartedFor = slot.task?.accountId
    slot.worker = startWorker(slot)
    finish(slot, (task) =>
      task.reject(new AppError('upstream_error', 'The page took too long to parse.')),
    )
  }

  const begin = (slot: Slot, task: Task): void => {
    task.began = { wallMs: performance.now(), cpuMs: cpuTimeOf(slot.worker?.pid) ?? 0 }
    setDeadline(slot, Math.min(crowdedMs, timeoutMs))
  }

  /**
   * Runs when a page's time is up. After the shorter limit, a page continues while no other account
   * waits.
   */
  const endIfOverdue = (slot: Slot): void => {
    const { task } = slot
    if (task === undefined) return
    const workedMs = workingTime(slot)
    const isOverdue =
      workedMs >= timeoutMs || (workedMs >= crowdedMs && turns.isWantedFrom(task.accountId))
    if (task.began === undefined || isOverdue || wallTime(slot) >= maxWallMs) replaceStuck(slot)
    else setDeadline(slot, (workedMs < crowdedMs ? crowdedMs : timeoutMs) - workedMs)
  }

  /**
   * Ends the longest-running page over the shorter limit if another account waits for its worker.
   */
  const freeWorker = (): void => {
    const overdue = slots.filter(
      (slot) =>
        slot.task !== undefined &&
        workingTime(slot) >= crowdedMs &&
        turns.isWantedFrom(slot.task.accountId),
    )
    const [longest] = overdue.sort((one, other) => workingTime(other) - workingTime(one))
    if (longest !== undefined) replaceStuck(longest)
  }

  const setDeadline = (slot: Slot, ms: number): void => {
    clearTimeout(slot.timer)
    const wallMs = slot.task?.began === undefined ? ms : maxWallMs - wallTime(slot)
    slot.timer = setTimeout(endIfOverdue, Math.max(LEAST_CHECK_MS, Math.min(ms, wallMs)), slot)
  }

  const work = (input: WorkInput, accountId: string): Promise<Extraction> =>
    new Promise((resolve, reject) => {
      const idle = slots.filter(({ task }) => task === undefined)
      const slot =
        idle.find(({ restartedFor }) => restartedFor === accountId) ??
        idle.find(({ isReady }) => isReady) ??
        idle[0]
      invariant(slot !== undefined, 'a visitor that has a turn finds an idle worker')
      nextId += 1
      const task: Task = {
        request: { id: nextId, input },
        accountId,
        began: undefined,
        resolve,
        reject,
      }
      slot.task = task
      slot.worker ??= startWorker(slot)
      if (slot.isReady) begin(slot, task)
      else setDeadline(slot, START_MS)
      // A failed send means that the worker has exited; its exit event reports that.
      slot.worker.send(task.request, () => undefined)
    })

  return {
    async run(input, { accountId, signal }) {
      closing.signal.throwIfAborted()
      const characters = input.html.length
      textQuota.take(accountId, characters)
      try {
        const turn = turns.take({ accountId, signal: AbortSignal.any([signal, closing.signal]) })
        freeWorker()
        const releaseTurn = await turn
        // The pool may have closed while this page waited.
        closing.signal.throwIfAborted()
        return await work(input, accountId).finally(releaseTurn)
      } finally {
        textQuota.giveBack(accountId, characters)
      }
    },
    async close() {
      closing.abort(new AppError('shutting_down'))
      for (const slot of slots) finish(slot, (task) => task.reject(new AppError('shutting_down')))
      await Promise.all(slots.flatMap(({ worker }) => (worker === undefined ? [] : ended(worker))))
    },
  }
}

/** The CPU time that a worker spent on its page; by the clock where the system does not report it. */
function workingTime({ task, worker }: Slot): number {
  if (task?.began === undefined) return 0
  const cpuMs = cpuTimeOf(worker?.pid)
  return cpuMs === undefined ? performance.now() - task.began.wallMs : cpuMs - task.began.cpuMs
}

function wallTime({ task }: Slot): number {
  return task?.began === undefined ? 0 : performance.now() - task.began.wallMs
}

async function ended(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null || worker.pid === undefined) return
  const exit = once(worker, 'exit')
  worker.ref()
  worker.kill('SIGKILL')
  await exit
}
