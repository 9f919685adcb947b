import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, type Id } from '../lib/ids.ts'
import { beat } from './beat.ts'
import { claimJobs, yieldJobs } from './claim.ts'
import { createControl, type JobControl, type RunningJob } from './control.ts'
import { endOverdueJobs, finishJob } from './finish.ts'
import type { Job, JobEnd } from './job.ts'
import { createShares } from './shares.ts'
import { readSteps } from './steps.ts'

/** Does a job's work. A thrown error fails the job, uncharged. */
export type RunJob = (job: Job, control: JobControl) => Promise<JobEnd>

export type WorkerDeps = {
  readonly database: Database
  readonly now: Clock
  readonly run: RunJob
  /** Concurrent jobs of this process. */
  readonly concurrency: number
  /** Called after the commit of each job's end. */
  readonly onEnd?: (job: Job, end: JobEnd) => void
  /** Called for the log. Callers see the end of the job. */
  readonly onError: (what: string, facts: { readonly jobId?: Id; readonly error: unknown }) => void
}

export type Worker = {
  /** Claims jobs while there is capacity. Safe to call at any time. */
  wake(): Promise<void>
  /** Renews leases, reads cancellations and ends overdue jobs. Call it every BEAT_MS. */
  beat(): Promise<void>
  /** Cancels the job before the next beat. */
  cancel(id: Id): void
  /**
   * Begins no further step, waits up to `graceMs` for active steps, and leaves the jobs to other
   * workers.
   */
  stop(graceMs: number): Promise<void>
}

export function createWorker(deps: WorkerDeps): Worker {
  const { database, now, run, concurrency, onEnd, onError } = deps
  const worker = newId(now())
  const active = new Map<Id, RunningJob>()
  const shares = createShares(concurrency)
  let claiming: Promise<void> | undefined
  let isWoken = false
  let isStopping = false

  async function claim(): Promise<void> {
    while (isWoken) {
      isWoken = false
      const capacity = isStopping ? 0 : shares.capacity()
      if (capacity <= 0) return
      const atShare = shares.accountsAtShare()
      const jobs = await claimJobs(database, worker, capacity, atShare, now())
      for (const job of jobs) void work(job)
      // There may be more.
      if (jobs.length === capacity) isWoken = true
    }
  }

  async function work(job: Job): Promise<void> {
    const running = createControl(database, worker, job, now)
    active.set(job.id, running)
    shares.take(job)
    try {
      running.control.known = await readSteps(database, job.id)
      const end = await Promise.race([
        run(job, running.control).catch((error: unknown) => failedBy(job, error)),
        running.over,
      ])
      // Another worker takes it over, with every recorded step.
      if (end === 'left') return
      const written = await finishJob(database, worker, job, end, now()).catch((error: unknown) => {
        if (error instanceof AppError) throw error
        // The database works, so the end itself cannot be stored. Repeating the job would fail
        // again.
        return finishJob(database, worker, job, failedBy(job, error), now())
      })
      if (written !== null) onEnd?.(job, written)
    } catch (error) {
      // The end was not recorded: the lease expires and another worker takes the job.
      onError('a job could not be finished', { jobId: job.id, error })
    } finally {
      running.end()
      active.delete(job.id)
      shares.release(job)
      void wake()
    }
  }

  function failedBy(job: Job, error: unknown): JobEnd {
    onError('a job broke', { jobId: job.id, error })
    return {
      kind: 'failed',
      code: 'internal',
      message: 'Something went wrong on our side. Nothing was charged.',
      hops: null,
    }
  }

  function wake(): Promise<void> {
    isWoken = true
    claiming ??= claim()
      .catch((error: unknown) => onError('jobs could not be claimed', { error }))
      .finally(() => {
        claiming = undefined
        // `wake` was called after the last claim.
        if (isWoken && !isStopping) void wake()
      })
    return claiming
  }

  async function renew(): Promise<void> {
    if (active.size > 0) await renewLeases()
    await endOverdueJobs(database, now())
    await wake()
  }

  async function renewLeases(): Promise<void> {
    const reports = new Map([...active].map(([id, { control }]) => [id, control.report()]))
    const renewed = new Map(
      (await beat(database, worker, reports, now())).map((one) => [one.id, one]),
    )
    for (const id of reports.keys()) {
      const one = renewed.get(id)
      const running = active.get(id)
      if (one === undefined) running?.leave()
      else running?.renewed()
      if (one?.isCancelled === true) running?.stop('cancelled')
    }
  }

  return {
    wake,
    beat: renew,
    cancel: (id) => active.get(id)?.stop('cancelled'),
    async stop(graceMs) {
      isStopping = true
      await claiming
      const jobs = [...active.keys()]
      await Promise.all([...active.values()].map((running) => running.pause(graceMs)))
      if (jobs.length > 0) await yieldJobs(database, worker, jobs)
    },
  }
}
