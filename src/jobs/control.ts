import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, type Id } from '../lib/ids.ts'
import type { Job, JobEnd, JobProgressReport } from './job.ts'
import { beginStep, finishStep, repeatStep, type KnownStep, type StepName } from './steps.ts'

export type StopReason = 'cancelled' | 'deadline'

/** What the one who does a job's work has in hand. */
export type JobControl = {
  /** Steps that former workers began or finished. */
  known: ReadonlyMap<StepName, KnownStep>
  /** Aborted when the job is this worker's no more: whatever is under way may be dropped. */
  readonly signal: AbortSignal
  /** Set when no further step should be made: deliver what there is. */
  readonly stopReason: StopReason | null
  /** Settles when that is set. */
  readonly stopped: Promise<void>
  /**
   * Writes down that a step is about to be made and gives the key that the vendor is told, a new one unless it is named.
   * Never answers once the job is left to another worker: the step is not made here.
   */
  begin(name: StepName, vendorKey?: Id): Promise<Id>
  /** The same for a step that a former worker began and did not finish. False when it was made often enough. */
  repeat(name: StepName): Promise<boolean>
  /** Keeps what the step brought. */
  finish(name: StepName, invocation: unknown): Promise<void>
  /**
   * What must be written down for what was bought not to be lost: while the database is away it waits for the beat that
   * finds it there, and the job still this worker's, and is asked again.
   */
  onceThere<Result>(work: () => Promise<Result>): Promise<Result>
  /** Where the figures that callers see while the job runs come from. */
  report: () => JobProgressReport
}

/** The worker's side of the same job. */
export type RunningJob = {
  readonly control: JobControl
  /** Settles when the job is not to be waited for: it is left to others, or its time is up. */
  readonly over: Promise<JobEnd | 'left'>
  stop(reason: StopReason): void
  /** The job is another worker's. */
  leave(): void
  /** A beat found it still this worker's. */
  kept(): void
  /** Begins no step, waits for those under way, then leaves. */
  pause(graceMs: number): Promise<void>
  end(): void
}

// A job that nears its deadline gets this much, or a tenth of its time, to deliver what it has.
const WRAP_UP_MS = 10_000
const never = new Promise<never>(() => {})

export function createControl(database: Database, worker: Id, job: Job, now: Clock): RunningJob {
  const abort = new AbortController()
  const over = Promise.withResolvers<JobEnd | 'left'>()
  const underWay = new Set<StepName>()
  let whenIdle: (() => void) | undefined
  let isPaused = false
  let stopReason: StopReason | null = null
  const stopped = Promise.withResolvers<void>()
  let nextBeat = Promise.withResolvers<void>()

  const leftMs = Math.max(0, job.deadlineMs - now())
  const wrapUpMs = Math.min(WRAP_UP_MS, (job.deadlineMs - job.createdMs) / 10)
  const timers = [
    setTimeout(() => stop('deadline'), Math.max(0, leftMs - wrapUpMs)),
    setTimeout(giveUp, leftMs),
  ]

  function stop(reason: StopReason): void {
    stopReason ??= reason
    stopped.resolve()
  }

  if (job.isCancelled) stop('cancelled')

  function leave(): void {
    over.resolve('left')
    abort.abort()
  }

  function giveUp(): void {
    over.resolve({
      kind: 'failed',
      code: 'job_deadline',
      message: 'The job did not finish before its deadline. Nothing was charged.',
      hops: null,
    })
    abort.abort()
  }

  const control: JobControl = {
    known: new Map(),
    signal: abort.signal,
    get stopReason() {
      return stopReason
    },
    stopped: stopped.promise,
    async begin(name, vendorKey = newId(now())) {
      if (isPaused || abort.signal.aborted) return never
      underWay.add(name)
      if (await onceThere(() => beginStep(database, worker, job.id, name, vendorKey)))
        return vendorKey
      done(name)
      leave()
      return never
    },
    async repeat(name) {
      if (isPaused || abort.signal.aborted) return never
      underWay.add(name)
      const verdict = await onceThere(() => repeatStep(database, worker, job.id, name))
      if (verdict === 'again') return true
      done(name)
      if (verdict === 'spent') return false
      leave()
      return never
    },
    async finish(name, invocation) {
      // What is dropped brought nothing that counts: whoever has the job now decides about the step.
      if (abort.signal.aborted) return never
      try {
        await onceThere(() => finishStep(database, job.id, name, invocation))
      } finally {
        done(name)
      }
    },
    onceThere,
    report: () => ({ progress: null, spent: 0n }),
  }

  async function onceThere<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'overloaded') throw error
        await nextBeat.promise
      }
    }
  }

  function done(name: StepName): void {
    underWay.delete(name)
    if (underWay.size === 0) whenIdle?.()
  }

  return {
    control,
    over: over.promise,
    stop,
    leave,
    kept() {
      nextBeat.resolve()
      nextBeat = Promise.withResolvers<void>()
    },
    async pause(graceMs) {
      isPaused = true
      if (underWay.size > 0) {
        const timer = setTimeout(() => whenIdle?.(), graceMs)
        await new Promise<void>((idle) => (whenIdle = idle))
        clearTimeout(timer)
      }
      leave()
    },
    end() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
