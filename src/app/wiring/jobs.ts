import type { Logger } from 'pino'
import { runJob } from '../../calls/jobs/run-job.ts'
import type { Calls } from '../../calls/call.ts'
import type { JobHandler } from '../../catalog/vocabulary/handlers.ts'
import { listenTo } from '../../db/listen.ts'
import { errorCatalog, type ErrorCode } from '../../errors/catalog.ts'
import type { JobWaiters } from '../../jobs/waiters.ts'
import { BEAT_MS, JOBS_CHANNEL, parseJobMessage, type Job, type JobEnd } from '../../jobs/job.ts'
import { createWorker } from '../../jobs/worker.ts'
import { publicId } from '../../lib/ids.ts'

export type Jobs = {
  /** Answers every request that waits for a job, and lets no request wait from now on. */
  answerWaiting(): void
  close(): Promise<void>
}

export type JobsDeps = {
  readonly calls: Calls
  readonly handlers: ReadonlyMap<string, JobHandler>
  readonly waiters: JobWaiters
  readonly logger: Logger
  /** Concurrent jobs of this process; 0 when it only serves the API. */
  readonly concurrency: number
}

// Running steps get this long when the process stops. Another worker continues unfinished jobs.
const STOP_GRACE_MS = 20_000

// As for calls: caller errors are not logged, and bugs were logged with their stack.
function logFailure(logger: Logger, { id, service, action }: Job, end: JobEnd): void {
  if (end.kind === 'succeeded' || end.code === 'internal') return
  const { fault } = errorCatalog[end.code as ErrorCode]
  const facts = {
    code: end.code,
    job_id: publicId('job', id),
    action: `${service}/${action}`,
    upstream: end.details?.['upstream'],
  }
  if (fault === 'gateway') logger.error(facts, end.message)
  else if (fault !== 'caller') logger.warn(facts, end.message)
}

/** Listens for new jobs, cancelled jobs and ended jobs. */
export function startJobs({ calls, handlers, waiters, logger, concurrency }: JobsDeps): Jobs {
  const worker = createWorker({
    database: calls.database,
    now: calls.now,
    concurrency,
    run: (job, control) => runJob(calls, handlers, job, control),
    onEnd(job, end) {
      const { mode, service } = job
      logFailure(logger, job, end)
      calls.tally?.jobEnded(mode, service, end.kind === 'succeeded' ? 'ok' : end.code)
      if (end.kind === 'succeeded') calls.tally?.charged(mode, service, end.charge)
    },
    onError: (what, { jobId, error }) =>
      logger.error(
        { err: error, ...(jobId === undefined ? {} : { job_id: publicId('job', jobId) }) },
        what,
      ),
  })
  const wake = (): void => void (concurrency > 0 && worker.wake())
  const listener = listenTo({
    database: calls.database,
    purpose: 'jobs',
    channel: JOBS_CHANNEL,
    onMessage(payload) {
      const message = parseJobMessage(payload)
      if (message?.about === 'queued') wake()
      if (message?.about === 'cancelled') worker.cancel(message.id)
      if (message?.about === 'ended') waiters.announce(message.id)
    },
    onGap() {
      waiters.announceAll()
      wake()
    },
  })
  let beating = Promise.resolve()
  const timer = setInterval(() => {
    beating = beating
      .then(() => worker.beat())
      .catch((error: unknown) => logger.error({ err: error }, 'the heartbeat of the jobs failed'))
  }, BEAT_MS)
  if (concurrency === 0) clearInterval(timer)

  return {
    answerWaiting: () => waiters.close(),
    async close() {
      clearInterval(timer)
      await beating
      await worker.stop(STOP_GRACE_MS)
      await listener.close()
    },
  }
}
