/** Durable jobs over the bed of `calls.ts`. The test supplies the handler of the job and drives the workers. */
import assert from 'node:assert/strict'
import type { MockTracker } from 'node:test'
import { runJob } from '../../../src/calls/jobs/run-job.ts'
import { cancelHandler, resultHandler } from '../../../src/calls/jobs/job-actions.ts'
import { runCall } from '../../../src/calls/run.ts'
import type { JobHandler, LocalHandler } from '../../../src/catalog/vocabulary/handlers.ts'
import { services } from '../../../src/vendors/index.ts'
import type { Database } from '../../../src/db/database.ts'
import { AppError } from '../../../src/errors/app-error.ts'
import { createJobWaiters, type JobWaiters } from '../../../src/jobs/waiters.ts'
import { createWorker, type Worker } from '../../../src/jobs/worker.ts'
import { openCallBed, type BedOptions, type CallBed } from './calls.ts'
import { cleanUp } from '../clean-up.ts'
import { work } from './work-service.ts'
import { assertFits } from '../../../src/catalog/testing/assert-fits.ts'

export { JOB_MS } from './work-service.ts'

/** The answer of `core/result`. */
export type ShownJob = {
  readonly ok: boolean
  readonly job_id: string
  readonly status: string
  readonly attempt: number
  readonly charged_micros: number
  readonly charged_cents: number
  readonly budget_cents: number
  readonly cancelled?: boolean
  readonly progress?: Readonly<Record<string, number>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly param?: string
    readonly fix?: string
    readonly details?: Readonly<Record<string, unknown>>
  }
}

export type JobBed = CallBed & {
  readonly ends: JobWaiters
  readonly troubles: unknown[]
  /** Sets the handler of all workers. */
  handleWith(handler: JobHandler): void
  /** A worker with its own identity in the database. It works when the test calls `wake`. */
  hire(concurrency?: number): Worker
  submit(body?: Record<string, unknown>, extra?: Parameters<CallBed['request']>[3]): Promise<string>
  result(jobId: string): Promise<ShownJob>
  cancel(jobId: string): Promise<ShownJob>
  /** Resolves with the job after its end. */
  ended(jobId: string): Promise<ShownJob>
}

export async function openJobBed({
  services: further = [],
  ...options
}: Pick<BedOptions, 'services' | 'inHouse' | 'configured'> = {}): Promise<JobBed> {
  const ends = createJobWaiters()
  const local = new Map<string, LocalHandler>()
  const bed = await openCallBed({ ...options, services: [...services, work, ...further], local })
  local
    .set('core.result', resultHandler(bed.database, ends))
    .set('core.cancel', cancelHandler(bed.database))
  const troubles: unknown[] = []
  let handler: JobHandler = async () => ({ kind: 'done', data: {}, actual: 0n })
  const handlers = new Map<string, JobHandler>([
    ['work.deep', (input, tools) => handler(input, tools)],
  ])

  async function answerOf(action: string, body: unknown): Promise<ShownJob> {
    const { body: text } = await runCall(bed.calls, bed.request('core', action, body))
    const { data } = JSON.parse(text) as { data?: ShownJob }
    assert.ok(data !== undefined, text)
    assertFits(`core/${action}`, data)
    return data
  }

  return {
    ...bed,
    ends,
    troubles,
    handleWith(next) {
      handler = next
    },
    hire(concurrency = 4) {
      const worker = createWorker({
        database: bed.database,
        now: bed.clock,
        concurrency,
        run: (job, control) => runJob(bed.calls, handlers, job, control),
        onError: (_what, { error }) => troubles.push(error),
      })
      cleanUp(() => worker.stop(0))
      return worker
    },
    async submit(body = {}, extra = {}) {
      const { body: text } = await runCall(bed.calls, bed.request('work', 'deep', body, extra))
      return (JSON.parse(text) as { data: { job_id: string } }).data.job_id
    },
    result: (jobId) => answerOf('result', { job_id: jobId }),
    cancel: (jobId) => answerOf('cancel', { job_id: jobId }),
    async ended(jobId) {
      for (;;) {
        const job = await answerOf('result', { job_id: jobId })
        if (job.status === 'succeeded' || job.status === 'failed') return job
        await new Promise((turn) => setImmediate(turn))
      }
    },
  }
}

/** Commits the statement but loses its answers and connections, until the database is restored. */
export function loseAnswers(
  mock: MockTracker,
  database: Database,
  statement: string,
): { readonly lost: Promise<void>; back(): void } {
  const lost = Promise.withResolvers<void>()
  const { query } = database
  const mocked = mock.method(database, 'query', async (...asked: Parameters<typeof query>) => {
    const answer = await query(...asked)
    if (asked[2] !== statement) return answer
    lost.resolve()
    throw new AppError('overloaded')
  })
  return { lost: lost.promise, back: () => mocked.mock.restore() }
}
