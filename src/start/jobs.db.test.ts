import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Logger } from 'pino'
import { openJobBed } from '../../test/harness/jobs.ts'
import { cleanUp } from '../../test/harness/clean-up.ts'
import type { JobHandler } from '../catalog/handlers.ts'
import { startJobs } from './jobs.ts'

type Facts = Readonly<Record<string, unknown>>

const bed = await openJobBed()

/** Has a worker at `database`, and tells what its first line that says `awaited` names. */
function namedIn(awaited: string, database: typeof bed.database): Promise<Facts> {
  const line = Promise.withResolvers<Facts>()
  const logger = { error: (facts: Facts, what: string) => what === awaited && line.resolve(facts) } as unknown as Logger
  const breaks: JobHandler = async () => Promise.reject(new TypeError('a bug'))
  const jobs = startJobs({ calls: { ...bed.calls, database }, handlers: new Map([['work.deep', breaks]]), ends: bed.ends, logger, concurrency: 1 })
  cleanUp(() => jobs.close())
  return line.promise
}

it('a line of the log names a job as its caller knows it, and no job where none is at fault', async () => {
  const broken = namedIn('a job broke', bed.database)
  const jobId = await bed.submit()
  assert.equal((await broken)['job_id'], jobId)

  const away = { ...bed.database, query: async () => Promise.reject(new Error('away')) } as typeof bed.database
  assert.deepEqual(Object.keys(await namedIn('jobs could not be claimed', away)), ['err'])
})
