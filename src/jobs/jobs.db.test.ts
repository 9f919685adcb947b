import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { JOB_MS, openJobBed } from '../../test/harness/jobs.ts'
import { createAccount } from '../accounts/create-account.ts'
import { runCall } from '../calls/run.ts'
import type { JobHandler, JobTools } from '../catalog/handlers.ts'
import { failed } from '../catalog/outcome.ts'
import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import { findCaller } from '../keys/find-caller.ts'
import { hashSecret } from '../keys/format.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { parsePublicId, type Id } from '../lib/ids.ts'
import { cancelJob } from './cancel.ts'
import { forgetOldJobs } from './finish.ts'
import { LEASE_MS, RESULT_KEPT_MS } from './job.ts'

const CENT = 10_000n
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }] }

const bed = await openJobBed()
let balanceBefore: bigint
let askedBefore: number

beforeEach(async () => {
  const { rows } = await bed.database.query<{ id: Id }>("update jobs set status = 'queued', worker = null, lease_until_ms = null where status in ('queued', 'running') returning id")
  for (const { id } of rows) await cancelJob(bed.database, id, bed.clock())
  bed.vendor.answerWith(() => ({ body: FOUND }))
  bed.handleWith(search)
  balanceBefore = (await bed.balance()).balance
  askedBefore = bed.vendor.requests.length
})

const asked = (): number => bed.vendor.requests.length - askedBefore

/** Searches side by side for as many things as the job was asked for, two by default. */
const search: JobHandler = async (input, tools) => {
  const count = Math.max(2, Number(input['seed']))
  const found = await Promise.all(Array.from({ length: count }, (_, place) => tools.invoke('semantic', 'search', { query: `thing ${place}` })))
  return { kind: 'done', data: { skipped: found.map(({ hop }) => hop.skipped ?? null) }, actual: tools.budget.spent() }
}

async function ended(jobId: string): ReturnType<typeof bed.result> {
  for (;;) {
    const job = await bed.result(jobId)
    if (job.status === 'succeeded' || job.status === 'failed') return job
    await new Promise((turn) => setImmediate(turn))
  }
}

async function refusal(work: Promise<unknown>, code: ErrorCode): Promise<AppError> {
  const error = await work.then(() => assert.fail(`expected ${code}`), (reason: unknown) => reason)
  assert.ok(error instanceof AppError, String(error))
  assert.equal(error.code, code)
  return error
}

async function assertSound(): Promise<void> {
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
}

describe('a job', () => {
  it('holds its budget at submit and charges nothing before its end, then what its steps delivered', async () => {
    const jobId = await bed.submit({ budgetCents: 10 })
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 10n * CENT })
    assert.equal((await bed.result(jobId)).status, 'queued')

    await bed.hire().wake()
    const job = await ended(jobId)
    assert.equal(job.status, 'succeeded')
    assert.equal(job.charged_micros, 20_000)
    assert.deepEqual(job.result, { skipped: [null, null] })
    assert.deepEqual(await bed.balance(), { balance: balanceBefore - 2n * CENT, held: 0n })
    await assertSound()
  })

  it('that brings nothing fails and is charged nothing', async () => {
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'somebody' })
      return failed('no_people', 'Nobody was found.')
    })
    const jobId = await bed.submit()
    await bed.hire().wake()
    const job = await ended(jobId)
    assert.deepEqual([job.status, job.ok, job.charged_cents, job.error], ['failed', false, 0, { code: 'no_people', message: 'Nobody was found.', fix: 'Check names and addresses, or describe the people in other words.', retryable: false }])
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 0n })
  })

  it('keeps the advice that its failure came with, and its details unless they are long', async () => {
    const failure = { ...failed('no_people', 'Nobody was found.', { tried: ['ana'] }), param: 'query', fix: 'Add the company of Ana.' }
    bed.handleWith(async () => failure)
    const told = await bed.submit()
    await bed.hire().wake()
    assert.deepEqual((await ended(told)).error, { code: 'no_people', message: 'Nobody was found.', param: 'query', fix: 'Add the company of Ana.', retryable: false, details: { tried: ['ana'] } })

    bed.handleWith(async () => {
      throw new AppError('bad_request', 'Not so.', { fix: 'Send one name.', details: { names: 'x'.repeat(5_000) } })
    })
    const thrown = await bed.submit({ seed: 1 })
    await bed.hire().wake()
    assert.deepEqual((await ended(thrown)).error, { code: 'bad_request', message: 'Not so.', fix: 'Send one name.', retryable: false })
  })

  it('whose handler breaks fails as our fault, uncharged, and tells callers nothing of the reason', async () => {
    bed.handleWith(async () => {
      throw new TypeError('secret detail')
    })
    const jobId = await bed.submit()
    await bed.hire().wake()
    const job = await ended(jobId)
    assert.equal(job.error?.code, 'internal')
    assert.doesNotMatch(JSON.stringify(job), /secret detail/)
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 0n })
  })

  it('never spends past its budget, however many steps it makes side by side', async () => {
    const jobId = await bed.submit({ budgetCents: 3, seed: 12 })
    await bed.hire().wake()
    const job = await ended(jobId)
    assert.equal(job.charged_cents, 3)
    assert.equal(asked(), 3)
    assert.deepEqual((job.result?.['skipped'] as unknown[]).filter((skip) => skip === 'over_budget').length, 9)
  })

  it('gets the charge of a waived step back for further steps', async () => {
    bed.handleWith(async (_input, tools) => {
      for (let place = 0; place < 5; place += 1) tools.waive((await tools.invoke('semantic', 'search', { query: `wall ${place}` })).hop)
      const { hop } = await tools.invoke('semantic', 'search', { query: 'page' })
      return { kind: 'done', data: { hop: hop.skipped ?? null }, actual: tools.budget.spent() }
    })
    const jobId = await bed.submit({ budgetCents: 2 })
    await bed.hire().wake()
    const job = await ended(jobId)
    assert.deepEqual([job.result, job.charged_cents], [{ hop: null }, 1])
  })

  it('is charged no more than its steps delivered, whatever its handler says', async () => {
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'one' })
      return { kind: 'done', data: {}, actual: 9n * CENT }
    })
    const jobId = await bed.submit()
    await bed.hire().wake()
    assert.equal((await ended(jobId)).charged_cents, 1)
  })

  it('belongs to its account: others, and test keys of the same account, are told that there is none', async () => {
    const jobId = await bed.submit()
    await refusal(runCall(bed.calls, bed.request('core', 'result', { job_id: jobId }, { caller: bed.testCaller })), 'unknown_job')
    await refusal(runCall(bed.calls, bed.request('core', 'cancel', { job_id: jobId }, { caller: { ...bed.caller, accountId: bed.testCaller.keyId } })), 'unknown_job')
    await refusal(bed.result('job_nonsense'), 'unknown_job')
  })

  it('shows how far it is while it runs', async () => {
    const vendor = Promise.withResolvers<void>()
    bed.vendor.answerWith(async () => {
      await vendor.promise
      return { body: FOUND }
    })
    const begun = Promise.withResolvers<void>()
    bed.handleWith(async (input, tools) => {
      tools.progress({ rows_done: 1, rows_total: 4 })
      begun.resolve()
      return search(input, tools)
    })
    const jobId = await bed.submit()
    const worker = bed.hire()
    await worker.wake()
    await begun.promise
    await worker.beat()
    const { status, progress } = await bed.result(jobId)
    assert.deepEqual([status, progress], ['running', { rows_done: 1, rows_total: 4, spent_cents: 0, spent_micros: 0 }])
    vendor.resolve()
    await ended(jobId)
  })
})

describe('submitting', () => {
  it('forty times at once starts exactly three deep jobs; the others are told to come back', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, seed) => bed.submit({ seed, budgetCents: 2 })))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as AppError] : []))
    assert.equal(refused.length, 37)
    for (const error of refused) {
      assert.equal(error.code, 'too_many_inflight')
      assert.ok((error.retryAfterSeconds ?? 0) > 0)
    }
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 6n * CENT })
    await assertSound()
  })

  it('with less credit than the budget is refused, and leaves nothing', async () => {
    await bed.submit({ budgetCents: 150 })
    const error = await refusal(bed.submit({ budgetCents: 100 }), 'credits_required')
    assert.equal(error.details?.['required_cents'], 100)
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 150n * CENT })
  })

  it('holds max_cost_cents when that is less than the budget, and refuses one below what such a job needs', async () => {
    await bed.submit({ budgetCents: 100, max_cost_cents: 7 })
    assert.equal((await bed.balance()).held, 7n * CENT)
    const error = await refusal(bed.submit({ budgetCents: 100, max_cost_cents: 1 }), 'invalid_params')
    assert.equal(error.param, 'max_cost_cents')
  })

  it('twice with one Idempotency-Key makes one job, also while it runs and after it has ended', async () => {
    const idempotency = { key: 'again', fingerprint: 'aa'.repeat(32) }
    const jobId = await bed.submit({}, { idempotency })
    assert.equal(await bed.submit({}, { idempotency }), jobId)
    await bed.hire().wake()
    await ended(jobId)
    assert.equal(await bed.submit({}, { idempotency }), jobId)
    await refusal(bed.submit({ seed: 1 }, { idempotency: { ...idempotency, fingerprint: 'bb'.repeat(32) } }), 'idempotency_key_reused')
    assert.equal((await bed.balance()).balance, balanceBefore - 2n * CENT)
    await assertSound()
  })
})

describe('a worker that dies', () => {
  // The handler stands still after its first step, so that the worker can be lost at a known place.
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

  it('is replaced when its lease is over, and no step that had answered is bought again', async () => {
    const { handler, reached } = stuck()
    bed.handleWith(handler)
    const jobId = await bed.submit()
    await bed.hire().wake()
    await reached
    bed.handleWith(bothSteps)

    const other = bed.hire()
    await other.wake()
    assert.equal((await bed.result(jobId)).status, 'running')
    assert.equal(asked(), 1)

    bed.clock.advance(LEASE_MS + 1)
    await other.wake()
    const job = await ended(jobId)
    assert.deepEqual([job.status, job.attempt, job.charged_cents, asked()], ['succeeded', 2, 2, 2])
    await assertSound()
  })

  it('and wakes up again can neither begin a step nor finish the job', async () => {
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
    const job = await ended(jobId)
    goOn.resolve()
    await sleeper.beat()
    assert.deepEqual([job.status, job.charged_cents, asked()], ['succeeded', 2, 2])
    assert.deepEqual((await bed.result(jobId)).result, {})
    assert.deepEqual(await bed.balance(), { balance: balanceBefore - 2n * CENT, held: 0n })
  })

  it('in the middle of a step that its vendor cannot recognise leaves that step unbought and uncharged', async () => {
    bed.vendor.answerWith(() => 'hang')
    const jobId = await bed.submit()
    await bed.hire().wake()
    while (asked() < 2) await new Promise((turn) => setImmediate(turn))

    bed.clock.advance(LEASE_MS + 1)
    bed.vendor.answerWith(() => ({ body: FOUND }))
    // "thing 0" and "thing 1" were cut off; the new worker makes other steps, and asks for the first of those again.
    bed.handleWith(async (_input, tools) => {
      const cutOff = await tools.invoke('semantic', 'search', { query: 'thing 0' })
      const fresh = await tools.invoke('semantic', 'search', { query: 'fresh' })
      return { kind: 'done', data: { cut_off: cutOff.hop.ok, fresh: fresh.hop.ok }, actual: tools.budget.spent() }
    })
    await bed.hire().wake()
    const job = await ended(jobId)
    assert.deepEqual([job.result, job.charged_cents, asked()], [{ cut_off: false, fresh: true }, 1, 3])
  })

  it('asked to stop finishes the step under way, begins none, and leaves the job to the next at once', async () => {
    const vendor = Promise.withResolvers<void>()
    bed.vendor.answerWith(async () => {
      await vendor.promise
      return { body: FOUND }
    })
    bed.handleWith(bothSteps)
    const jobId = await bed.submit()
    const leaving = bed.hire()
    await leaving.wake()
    while (asked() < 1) await new Promise((turn) => setImmediate(turn))
    const stopped = leaving.stop(60_000)
    vendor.resolve()
    await stopped
    assert.equal(asked(), 1)
    await bed.hire().wake()
    const job = await ended(jobId)
    assert.deepEqual([job.status, job.attempt, job.charged_cents, asked()], ['succeeded', 2, 2, 2])
  })
})

describe('a job that ends early', () => {
  it('is cancelled at once and uncharged while it waits', async () => {
    const jobId = await bed.submit()
    const job = await bed.cancel(jobId)
    assert.deepEqual([job.status, job.charged_cents, job.error?.code], ['failed', 0, 'job_cancelled'])
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 0n })
    await bed.hire().wake()
    assert.equal(asked(), 0)
    assert.equal((await bed.cancel(jobId)).status, 'failed')
  })

  it('when it is cancelled as it runs delivers what it has, makes no further step and is charged for what it has', async () => {
    const worker = bed.hire()
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'first' })
      await bed.cancel(jobId)
      await worker.beat()
      const second = await tools.invoke('semantic', 'search', { query: 'second' })
      return { kind: 'partial', data: { second: second.hop.skipped }, actual: tools.budget.spent() }
    })
    const jobId = await bed.submit()
    await worker.wake()
    const job = await ended(jobId)
    assert.deepEqual([job.status, job.cancelled, job.result, job.charged_cents, asked()], ['succeeded', true, { second: 'cancelled' }, 1, 1])
  })

  it('is taken up by another worker as cancelled, when its own died after the cancellation', async () => {
    const reached = Promise.withResolvers<void>()
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'first' })
      reached.resolve()
      return new Promise<never>(() => {})
    })
    const jobId = await bed.submit()
    await bed.hire().wake()
    await reached.promise
    await bed.cancel(jobId)
    bed.clock.advance(LEASE_MS + 1)
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'first' })
      const second = await tools.invoke('semantic', 'search', { query: 'second' })
      return { kind: 'partial', data: { second: second.hop.skipped }, actual: tools.budget.spent() }
    })
    await bed.hire().wake()
    const job = await ended(jobId)
    assert.deepEqual([job.cancelled, job.result, job.charged_cents, asked()], [true, { second: 'cancelled' }, 1, 1])
  })

  it('is kept for 30 days after its end, and then forgotten', async () => {
    const jobId = await bed.submit()
    await bed.hire().wake()
    await ended(jobId)
    await forgetOldJobs(bed.database, bed.clock() + RESULT_KEPT_MS)
    assert.equal((await bed.result(jobId)).status, 'succeeded')
    await forgetOldJobs(bed.database, bed.clock() + RESULT_KEPT_MS + 1)
    await refusal(bed.result(jobId), 'unknown_job')
  })

  it('when its deadline passes before any worker came fails, and its hold is given back', async () => {
    const jobId = await bed.submit()
    bed.clock.advance(JOB_MS + 1)
    await bed.hire().beat()
    const job = await bed.result(jobId)
    assert.deepEqual([job.status, job.error?.code], ['failed', 'job_deadline'])
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 0n })
    await assertSound()
  })
})

describe('waiting for a job', () => {
  it('is answered as soon as it ends, and by its time when it does not', async () => {
    const jobId = await bed.submit()
    const waiting = runCall(bed.calls, bed.request('core', 'result', { job_id: jobId, wait_s: 60 }))
    await bed.hire().wake()
    await ended(jobId)
    bed.ends.announceAll()
    assert.equal((JSON.parse((await waiting).body) as { data: { status: string } }).data.status, 'succeeded')
  })
})

describe('the jobs of one account', () => {
  it('leave places to those of others, however many wait', async () => {
    const created = await createAccount({ database: bed.database, now: bed.clock }, { email: 'other@gate.example', tier: 'personal' })
    const other = (await findCaller(bed.database, hashSecret(created.live.key), bed.clock()))?.caller
    assert.ok(other !== undefined)
    const finish = Promise.withResolvers<void>()
    const running = async (): Promise<number> => (await bed.database.query("select from jobs where status = 'running'")).count
    bed.handleWith(async () => {
      await finish.promise
      return failed('no_people', 'Nobody was found.')
    })
    const submit = async (caller: typeof other): Promise<string> => {
      const { body } = await runCall(bed.calls, bed.request('work', 'wide', { budgetCents: 2 }, { caller }))
      return (JSON.parse(body) as { data: { job_id: string } }).data.job_id
    }
    const mine = await Promise.all(Array.from({ length: 8 }, (_, place) => submit(place % 2 === 0 ? bed.caller : bed.testCaller)))
    const worker = bed.hire(4)
    await worker.wake()
    assert.equal(await running(), 3)
    await submit(other)
    await worker.wake()
    assert.equal(await running(), 4)
    finish.resolve()
    for (const jobId of mine) while ((await bed.database.query('select from jobs where id = $1 and finished_ms is null', [parsePublicId('job', jobId)])).count > 0) await new Promise((turn) => setImmediate(turn))
    await assertSound()
  })
})
