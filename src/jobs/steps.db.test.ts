import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { openSearchingBed } from '../../test/harness/beds/searching-jobs.ts'
import { newId, parsePublicId, type Id } from '../lib/ids.ts'
import { claimJobs } from './claim.ts'
import { createControl } from './control.ts'
import { LEASE_MS, type Job } from './job.ts'
import { beginStep, finishStep, readSteps } from './steps.ts'

const bed = await openSearchingBed()
const { database, clock } = bed
const STEP = '00'.repeat(33)

/** A job that a worker has. */
async function claimed(): Promise<{ readonly worker: Id; readonly jobId: Id; readonly job: Job }> {
  const jobId = parsePublicId('job', await bed.submit()) ?? ''
  const worker = newId(clock())
  const [job] = await claimJobs(database, worker, 1, [], clock())
  assert.ok(job)
  return { worker, jobId, job }
}

describe('a step of a job', () => {
  it('keeps its first result when another one arrives later', async () => {
    const { worker, jobId } = await claimed()
    await beginStep(database, worker, jobId, STEP, newId(clock()))
    await finishStep(database, jobId, STEP, { brought: 'first' })
    await finishStep(database, jobId, STEP, { brought: 'later' })
    assert.deepEqual((await readSteps(database, jobId)).get(STEP)?.invocation, { brought: 'first' })
  })

  it('is not recorded by a worker that has left the job', async () => {
    const { worker, jobId, job } = await claimed()
    let asked = 0
    const counted: typeof database = {
      ...database,
      query: (...words) => ((asked += 1), database.query(...words)),
    }
    const { control, leave, end } = createControl(counted, worker, job, clock)
    cleanUp(end)
    await control.begin(STEP)
    assert.equal(asked, 1)
    leave()
    void control.finish(STEP, { brought: 'nothing' })
    await new Promise((turn) => setImmediate(turn))
    assert.deepEqual([asked, (await readSteps(database, jobId)).get(STEP)?.invocation], [1, null])
  })

  it('begins once, with one key for its vendor', async () => {
    const { worker, jobId } = await claimed()
    const key = newId(clock())
    assert.equal(await beginStep(database, worker, jobId, STEP, key), true)
    assert.equal(await beginStep(database, worker, jobId, STEP, key), true)
    assert.equal(await beginStep(database, worker, jobId, STEP, newId(clock())), false)
    assert.equal((await readSteps(database, jobId)).get(STEP)?.vendorKey, key)
  })

  it('does not begin with the old worker while another one takes the job', async () => {
    const { worker, jobId } = await claimed()
    const begun = await database.transaction(async (tx) => {
      await tx.query('update jobs set worker = $2, lease_until_ms = $3 where id = $1', [
        jobId,
        newId(clock()),
        clock() + LEASE_MS,
      ])
      const beginning = beginStep(database, worker, jobId, STEP, newId(clock()))
      await Promise.race([beginning, someoneWaits()])
      return { beginning }
    })
    assert.equal(await begun.beginning, false)
    assert.equal((await readSteps(database, jobId)).size, 0)
  })
})

async function someoneWaits(): Promise<void> {
  const waiting = async (): Promise<number> =>
    (
      await database.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).count
  while ((await waiting()) === 0) await new Promise((turn) => setImmediate(turn))
}
