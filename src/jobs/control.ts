import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, type Id } from '../lib/ids.ts'
import type { Job, JobEnd, JobProgressReport } from './job.ts'
import { beginStep, finishStep, repeatStep, type KnownStep, type StepName } from './steps.ts'

export type StopReason = 'cancelled' | 'deadline'

/** The interface of a running job to the code that does its work. */
export type JobControl = {
  /** Steps that earlier workers began or finished. */
  known: ReadonlyMap<StepName, KnownStep>
  /** Aborted when the job no longer belongs to this worker. Drop work in progress then. */
  readonly signal: AbortSignal
  /** Set when no further step should begin. Deliver the results so far. */
  readonly stopReason: StopReason | null
  /** Settles when `stopReason` is set. */
  readonly stopped: Promise<void>
  /**
   * Records that a step is about to begin and returns the key to send to the vendor, a new one by
   * default. Never settles when the job belongs to another worker, so the step does not begin.
   */
  begin(name: StepName, vendorKey?: Id): Promise<Id>
  /** As `begin`, for a step that an earlier worker did not finish. False after too many repeats. */
  repeat(name: StepName): Promise<boolean>
  /** Stores the result of the step. */
  finish(name: StepName, invocation: unknown): Promise<void>
  /**
   * Runs a write whose loss would waste a purchase. During an outage of the database it waits for
   * the next successful beat, which proves that the job is still this worker's, and repeats the
   * write.
   */
  persist<Result>(work: () => Promise<Result>): Promise<Result>
  /** The progress that callers see while the job runs. */
  report: () => JobProgressReport
}

/** The interface of a running job to its worker. */
export type RunningJob = {
  readonly control: JobControl
  /**
   * Settles when the worker stops waiting: the job is left to other workers, or its deadline
   * passed.
   */
  readonly over: Promise<JobEnd | 'left'>
  stop(reason: StopReason): void
  /** The job belongs to another worker. */
  leave(): void
  /** A beat renewed its lease. */
  renewed(): void
  /** Begins no further step, waits for active steps, then leaves the job. */
  pause(graceMs: number): Promise<void>
  end(): void
}

// The time before its deadline in which a job delivers its results, at most a tenth of its
// duration.
const WRAP_UP_MS = 10_000
const never = new Promise<never>(() => {})

export function createControl(database: Database, worker: Id, job: Job, now: Clock): RunningJob {
  const abort = new AbortController()
  const over = Promise.withResolvers<JobEnd | 'left'>()
  const activeSteps = new Set<StepName>()
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
      activeSteps.add(name)
      if (await persist(() => beginStep(database, worker, job.id, name, vendorKey)))
        return vendorKey
      done(name)
      leave()
      return never
    },
    async repeat(name) {
      if (isPaused || abort.signal.aborted) return never
      activeSteps.add(name)
      const verdict = await persist(() => repeatStep(database, worker, job.id, name))
      if (verdict === 'again') return true
      done(name)
      if (verdict === 'spent') return false
      leave()
      return never
    },
    async finish(name, invocation) {
      // Safe to drop: the current lease holder decides about the step.
      if (abort.signal.aborted) return never
      try {
        await persist(() => finishStep(database, job.id, name, invocation))
      } finally {
        done(name)
      }
    },
    persist,
    report: () => ({ progress: null, spent: 0n }),
  }

  async function persist<Result>(work: () => Promise<Result>): Promise<Result> {
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
    activeSteps.delete(name)
    if (activeSteps.size === 0) whenIdle?.()
  }

  return {
    control,
    over: over.promise,
    stop,
    leave,
    renewed() {
      nextBeat.resolve()
      nextBeat = Promise.withResolvers<void>()
    },
    async pause(graceMs) {
      isPaused = true
      if (activeSteps.size > 0) {
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
