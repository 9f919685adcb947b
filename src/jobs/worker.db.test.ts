import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loseAnswers } from '../../test/harness/beds/jobs.ts'
import { CENT, FOUND, openSearchingBed } from '../../test/harness/beds/searching-jobs.ts'
import type { JobHandler, JobTools } from '../catalog/vocabulary/handlers.ts'
import { AppError } from '../errors/app-error.ts'
import { LEASE_MS } from './job.ts'
import { MOST_REPEATS } from './steps.ts'
import type { Worker } from './worker.ts'

const bed = await openSearchingBed()

describe('a worker that dies', () => {
  // The handler stops after its first step, so that the worker dies at a defined point.
  const stuck = (): { readonly handler: JobHandler; readonly reached: Promise<void> } => {
    const reached = Promise.withResolvers<void>()
    return {
      reached: reached.promise,
      handler: async (_input, tools) => {
        await tools.invoke('semantic', 'search', { query: 'first' })
        reached.resolve()
        return new Promise<never>(() => {})
      },
    }
  }
  const bothSteps = async (_input: unknown, tools: JobTools): ReturnType<JobHandler> => {
    await tools.invoke('semantic', 'search', { query: 'first' })
    await tools.invoke('semantic', 'search', { query: 'second' })
    return { kind: 'done', data: {}, actual: tools.budget.spent() }
  }

  it('is replaced after its lease, and no completed step is bought again', async () => {
    const { handler, reached } = stuck()
    bed.handleWith(handler)
    const jobId = await bed.submit()
    await bed.hire().wake()
    await reached
    bed.handleWith(bothSteps)

    const other = bed.hire()
    await other.wake()
    assert.equal((await bed.result(jobId)).status, 'running')
    assert.equal(bed.asked(), 1)

    bed.clock.advance(LEASE_MS + 1)
    await other.wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.attempt, job.charged_cents, bed.asked()],
      ['succeeded', 2, 2, 2],
    )
    await bed.assertSound()
  })

  it('and resumes can neither begin a step nor finish the job', async () => {
    const goOn = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'first' })
      reached.resolve()
      await goOn.promise
      await tools.invoke('semantic', 'search', { query: 'third' })
      return { kind: 'done', data: { by: 'the first' }, actual: tools.budget.spent() }
    })
    const jobId = await bed.submit()
    const sleeper = bed.hire()
    await sleeper.wake()
    await reached.promise

    bed.clock.advance(LEASE_MS + 1)
    bed.handleWith(bothSteps)
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    goOn.resolve()
    await sleeper.beat()
    assert.deepEqual([job.status, job.charged_cents, bed.asked()], ['succeeded', 2, 2])
    assert.deepEqual((await bed.result(jobId)).result, {})
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore() - 2n * CENT, held: 0n })
  })

  // One worker continues after its lease; another one has taken the job.
  async function overtaken(
    afterwards: (tools: JobTools) => ReturnType<JobHandler>,
  ): Promise<{ readonly jobId: string; readonly sleeper: Worker; wakeUp(): void; finish(): void }> {
    const [asleep, awake, overtaking, finishing] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ]
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'first' })
      asleep.resolve()
      await awake.promise
      return afterwards(tools)
    })
    const jobId = await bed.submit()
    // With one place it takes another job after leaving this one.
    const sleeper = bed.hire(1)
    await sleeper.wake()
    await asleep.promise
    bed.clock.advance(LEASE_MS + 1)
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'second' })
      overtaking.resolve()
      await finishing.promise
      return { kind: 'done', data: { by: 'the second' }, actual: tools.budget.spent() }
    })
    await bed.hire().wake()
    await overtaking.promise
    bed.handleWith(async () => ({ kind: 'done', data: {}, actual: 0n }))
    return { jobId, sleeper, wakeUp: awake.resolve, finish: finishing.resolve }
  }

  async function assertLetGo(sleeper: Worker): Promise<void> {
    const next = await bed.submit({ seed: 1 })
    while ((await bed.result(next)).status !== 'succeeded') await sleeper.wake()
  }

  const afterwards: Readonly<Record<string, (tools: JobTools) => ReturnType<JobHandler>>> = {
    'make a step': async (tools) => {
      await tools.invoke('semantic', 'search', { query: 'third' })
      return { kind: 'done', data: { by: 'the first' }, actual: tools.budget.spent() }
    },
    'end the job': async (tools) => ({
      kind: 'done',
      data: { by: 'the first' },
      actual: tools.budget.spent(),
    }),
  }
  for (const [what, next] of Object.entries(afterwards)) {
    it(`and continues while another one has the job cannot ${what}`, async () => {
      const { jobId, sleeper, wakeUp, finish } = await overtaken(next)
      wakeUp()
      await assertLetGo(sleeper)
      assert.equal((await bed.result(jobId)).status, 'running')
      finish()
      const job = await bed.ended(jobId)
      assert.deepEqual([job.result, job.charged_cents, bed.asked()], [{ by: 'the second' }, 2, 2])
      await sleeper.beat()
      assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore() - 2n * CENT, held: 0n })
    })

    it(`cannot ${what} after the other one has ended the job`, async () => {
      const { jobId, sleeper, wakeUp, finish } = await overtaken(next)
      finish()
      const job = await bed.ended(jobId)
      wakeUp()
      await assertLetGo(sleeper)
      assert.deepEqual(await bed.result(jobId), job)
      assert.deepEqual(
        [bed.asked(), await bed.balance()],
        [2, { balance: bed.balanceBefore() - 2n * CENT, held: 0n }],
      )
    })
  }

  it('and continues leaves the job of another worker at its next beat', async () => {
    const { jobId, sleeper, finish } = await overtaken(() => new Promise<never>(() => {}))
    await sleeper.beat()
    await assertLetGo(sleeper)
    finish()
    assert.equal((await bed.ended(jobId)).attempt, 2)
  })

  it('and stops does not give the job of another worker to a third', async () => {
    const { jobId, sleeper, finish } = await overtaken(() => new Promise<never>(() => {}))
    await sleeper.stop(0)
    await bed.hire().wake()
    finish()
    assert.equal((await bed.ended(jobId)).attempt, 2)
  })

  it('during a step causes one repeat with the same vendor key, charged once', async () => {
    bed.vendor.answerWith(() => 'hang')
    const jobId = await bed.submit()
    await bed.hire().wake()
    while (bed.asked() < 2) await new Promise((turn) => setImmediate(turn))

    bed.clock.advance(LEASE_MS + 1)
    bed.vendor.answerWith(() => ({ body: FOUND }))
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.status, job.charged_cents, bed.asked()], ['succeeded', 2, 4])
    assert.equal(
      new Set(bed.vendor.requests.slice(-4).map(({ headers }) => headers['idempotency-key'])).size,
      2,
    )
    await bed.assertSound()
  })

  it('in the same step repeatedly buys it a limited number of times, at no extra cost', async () => {
    bed.vendor.answerWith(() => 'hang')
    const jobId = await bed.submit({ seed: 2 })
    for (let worker = 0; worker <= MOST_REPEATS; worker += 1) {
      await bed.hire().wake()
      while (bed.asked() < 2 * (worker + 1)) await new Promise((turn) => setImmediate(turn))
      bed.clock.advance(LEASE_MS + 1)
    }
    bed.handleWith(async (_input, tools) => {
      const cutOff = await tools.invoke('semantic', 'search', { query: 'thing 0' })
      const fresh = await tools.invoke('semantic', 'search', { query: 'fresh' })
      return {
        kind: 'done',
        data: { cut_off: cutOff.hop.ok, fresh: fresh.hop.ok },
        actual: 4n * CENT,
      }
    })
    bed.vendor.answerWith(() => ({ body: FOUND }))
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.result, job.charged_cents, bed.asked()],
      [{ cut_off: false, fresh: true }, 0, 2 * (MOST_REPEATS + 1) + 1],
    )
  })

  it('and is stopped finishes its active step and leaves the job immediately', async () => {
    const vendor = Promise.withResolvers<void>()
    bed.vendor.answerWith(async () => {
      await vendor.promise
      return { body: FOUND }
    })
    bed.handleWith(bothSteps)
    const jobId = await bed.submit()
    const leaving = bed.hire()
    await leaving.wake()
    while (bed.asked() < 1) await new Promise((turn) => setImmediate(turn))
    const stopped = leaving.stop(60_000)
    vendor.resolve()
    await stopped
    assert.equal(bed.asked(), 1)
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.attempt, job.charged_cents, bed.asked()],
      ['succeeded', 2, 2, 2],
    )
  })
})

describe('a stopping worker', () => {
  it('with several active steps begins no further one when the first ends', async () => {
    const answers = { first: Promise.withResolvers<void>(), slow: Promise.withResolvers<void>() }
    bed.vendor.answerWith(async ({ body }) => {
      await answers[JSON.stringify(body).includes('slow') ? 'slow' : 'first'].promise
      return { body: FOUND }
    })
    const brought = Promise.withResolvers<void>()
    bed.handleWith(async (_input, tools) => {
      const slow = tools.invoke('semantic', 'search', { query: 'slow' })
      await tools.invoke('semantic', 'search', { query: 'first' })
      brought.resolve()
      await tools.invoke('semantic', 'search', { query: 'further' })
      await slow
      return { kind: 'done', data: {}, actual: tools.budget.spent() }
    })
    await bed.submit()
    const leaving = bed.hire()
    await leaving.wake()
    while (bed.asked() < 2) await new Promise((turn) => setImmediate(turn))
    const stopped = leaving.stop(60_000)
    answers.first.resolve()
    await brought.promise
    answers.slow.resolve()
    await stopped
    assert.equal(bed.asked(), 2)
  })

  it('claims no further job', async () => {
    const leaving = bed.hire()
    await leaving.stop(0)
    const jobId = await bed.submit()
    await leaving.wake()
    assert.equal((await bed.result(jobId)).status, 'queued')
  })

  it('waits at most its grace period for an active step', { timeout: 20_000 }, async () => {
    bed.vendor.answerWith(() => 'hang')
    const jobId = await bed.submit()
    const leaving = bed.hire()
    await leaving.wake()
    while (bed.asked() < 2) await new Promise((turn) => setImmediate(turn))
    await leaving.stop(0)
    bed.handleWith(async () => ({ kind: 'done', data: {}, actual: 0n }))
    await bed.hire().wake()
    assert.equal((await bed.ended(jobId)).attempt, 2)
  })
})

describe('an outage of the database', () => {
  for (const statement of ['job_step_begin', 'job_step_finish']) {
    it(`delays a step (${statement}), and nothing is lost or bought twice`, async ({ mock }) => {
      const { lost, back } = loseAnswers(mock, bed.database, statement)
      const jobId = await bed.submit()
      const worker = bed.hire()
      await worker.wake()
      await lost
      assert.equal((await bed.result(jobId)).status, 'running')
      back()
      while ((await bed.result(jobId)).status === 'running') await worker.beat()
      const job = await bed.ended(jobId)
      assert.deepEqual(
        [job.status, job.attempt, job.charged_cents, bed.asked()],
        ['succeeded', 1, 2, 2],
      )
      await bed.assertSound()
    })
  }

  it('at the end of a job leaves the end to the next worker, without a failure or a repeat', async ({
    mock,
  }) => {
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'first' })
      return { kind: 'done', data: {}, actual: tools.budget.spent() }
    })
    const jobId = await bed.submit()
    const tried = Promise.withResolvers<void>()
    mock.method(
      bed.database,
      'transaction',
      async () => {
        tried.resolve()
        throw new AppError('overloaded')
      },
      { times: 1 },
    )
    await bed.hire().wake()
    await tried.promise
    bed.clock.advance(LEASE_MS + 1)
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.attempt, job.charged_cents, bed.asked()],
      ['succeeded', 2, 1, 1],
    )
    await bed.assertSound()
  })
})
