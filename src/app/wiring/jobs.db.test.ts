import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Logger } from 'pino'
import { openJobBed } from '../../../test/harness/beds/jobs.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { runCall } from '../../calls/run.ts'
import type { JobHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import { startJobs } from './jobs.ts'

type Facts = Readonly<Record<string, unknown>>

const bed = await openJobBed()

/** Runs a worker on `database` and returns the fields of its first log line with the message `awaited`. */
async function namedIn(awaited: string, database: typeof bed.database): Promise<Facts> {
  const line = Promise.withResolvers<Facts>()
  const logger = {
    error: (facts: Facts, what: string) => what === awaited && line.resolve(facts),
  } as unknown as Logger
  const breaks: JobHandler = async () => Promise.reject(new TypeError('a bug'))
  const jobs = startJobs({
    calls: { ...bed.calls, database },
    handlers: new Map([['work.deep', breaks]]),
    waiters: bed.ends,
    logger,
    concurrency: 1,
  })
  try {
    return await line.promise
  } finally {
    await jobs.close()
  }
}

it('a log line has the public job id, and none when no job is at fault', async () => {
  const broken = namedIn('a job broke', bed.database)
  const jobId = await bed.submit()
  assert.equal((await broken)['job_id'], jobId)

  const away = {
    ...bed.database,
    query: async () => Promise.reject(new Error('away')),
  } as typeof bed.database
  assert.deepEqual(Object.keys(await namedIn('jobs could not be claimed', away)), ['err'])
})

it('logs jobs that fail because of the gateway or a vendor, not the caller', async () => {
  const failures: Outcome[] = [
    { kind: 'failed', code: 'overloaded', message: 'There is no room for the file.' },
    { kind: 'failed', code: 'bad_url', message: 'That is no address.' },
    { kind: 'failed', code: 'upstream_payment', message: 'The vendor wants a payment.' },
  ]
  const [first, , last] = [
    await bed.submit({ seed: 10 }),
    await bed.submit({ seed: 11 }),
    await bed.submit({ seed: 12 }),
  ]
  const lines: unknown[] = []
  const told = Promise.withResolvers<void>()
  const tell =
    (level: string) =>
    ({ code, job_id: jobId, action }: Facts, what: string) => {
      lines.push([level, code, jobId, action, what])
      if (code === 'upstream_payment') told.resolve()
    }
  // One after another, in order of submission.
  const fails: JobHandler = async () => failures.shift() ?? assert.fail('there are three jobs')
  const jobs = startJobs({
    calls: bed.calls,
    handlers: new Map([['work.deep', fails]]),
    waiters: bed.ends,
    logger: { error: tell('error'), warn: tell('warn') } as unknown as Logger,
    concurrency: 1,
  })
  await told.promise
  await jobs.close()
  assert.deepEqual(lines, [
    ['error', 'overloaded', first, 'work/deep', 'There is no room for the file.'],
    ['warn', 'upstream_payment', last, 'work/deep', 'The vendor wants a payment.'],
  ])
})

it(
  'receives a new job, its cancellation and its end immediately, between heartbeats',
  { timeout: 30_000 },
  async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] })
    const [begun, toldToStop] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const waits: JobHandler = async (_input, tools) => {
      begun.resolve()
      while (tools.stopReason() === null) await new Promise((turn) => setImmediate(turn))
      await toldToStop.promise
      return { kind: 'partial', data: {}, actual: 0n }
    }
    const jobs = startJobs({
      calls: bed.calls,
      handlers: new Map([['work.deep', waits]]),
      waiters: bed.ends,
      logger: {} as Logger,
      concurrency: 1,
    })
    cleanUp(() => jobs.close())
    const jobId = await bed.submit({ seed: 1 })
    await begun.promise
    await bed.cancel(jobId)
    const waiting = runCall(bed.calls, bed.request('core', 'result', { job_id: jobId, wait_s: 60 }))
    toldToStop.resolve()
    assert.match(
      (await waiting).body,
      /"cancelled":true,.*"status":"succeeded"|"status":"succeeded",.*"cancelled":true/,
    )
  },
)
