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
import { stepsOf } from './steps.ts'

/** Does a job's work. What it throws ends the job as failed, uncharged. */
export type RunJob = (job: Job, control: JobControl) => Promise<JobEnd>

export type WorkerSettings = {
  readonly database: Database
  readonly now: Clock
  readonly run: RunJob
  /** Jobs that this process works on side by side. */
  readonly concurrency: number
  /** Hears of each job that this worker ended, once its end is in the books. */
  readonly onEnd?: (job: Job, end: JobEnd) => void
  /** Hears of what went wrong and why, and with which job if it was one; the job's own end tells callers. */
  readonly onTrouble: (
    what: string,
    facts: { readonly jobId?: Id; readonly error: unknown },
  ) => void
}

export type Worker = {
  /** Takes up jobs while there is room. Safe to call at any time. */
  wake(): Promise<void>
  /** Renews leases, hears of cancellations, ends what is overdue. To be called every BEAT_MS. */
  beat(): Promise<void>
  /** Told of a cancellation ahead of the beat. */
  cancel(id: Id): void
  /** Begins no further step, waits for those under way at most `graceMs`, and leaves the jobs to other workers. */
  stop(graceMs: number): Promise<void>
}

export function createWorker(settings: WorkerSettings): Worker {
  const { database, now, run, concurrency, onEnd, onTrouble } = settings
  const worker = newId(now())
  const active = new Map<Id, RunningJob>()
  const shares = createShares(concurrency)
  let claiming: Promise<void> | undefined
  let isWoken = false
  let isStopping = false

  async function claim(): Promise<void> {
    while (isWoken) {
      isWoken = false
      const room = isStopping ? 0 : shares.room()
      if (room <= 0) return
      const jobs = await claimJobs(database, worker, room, shares.full(), now())
      for (const job of jobs) void work(job)
      // A full catch: there may be more.
      if (jobs.length === room) isWoken = true
    }
  }

  async function work(job: Job): Promise<void> {
    const running = createControl(database, worker, job, now)
    active.set(job.id, running)
    shares.take(job)
    try {
      running.control.known = await stepsOf(database, job.id)
      const end = await Promise.race([
        run(job, running.control).catch((error: unknown) => failedBy(job, error)),
        running.over,
      ])
      // Another worker has it, or will: it knows every step that was made.
      if (end === 'left') return
      const written = await finishJob(database, worker, job, end, now()).catch((error: unknown) => {
        if (error instanceof AppError) throw error
        // The database is there and what was to be written is at fault, as it would be each time that the job were done again.
        return finishJob(database, worker, job, failedBy(job, error), now())
      })
      if (written !== null) onEnd?.(job, written)
    } catch (error) {
      // Not finished in the books: the lease runs out and the job is taken up again.
      onTrouble('a job could not be finished', { jobId: job.id, error })
    } finally {
      running.end()
      active.delete(job.id)
      shares.giveBack(job)
      void wake()
    }
  }

  function failedBy(job: Job, error: unknown): JobEnd {
    onTrouble('a job broke', { jobId: job.id, error })
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
      .catch((error: unknown) => onTrouble('jobs could not be claimed', { error }))
      .finally(() => {
        claiming = undefined
        // Woken between the last look and now.
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
    const kept = new Map((await beat(database, worker, reports, now())).map((one) => [one.id, one]))
    for (const id of reports.keys()) {
      const one = kept.get(id)
      const running = active.get(id)
      if (one === undefined) running?.leave()
      else running?.kept()
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
