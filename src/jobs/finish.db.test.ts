import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { JOB_MS } from '../../test/harness/beds/jobs.ts'
import { refusal } from '../../test/harness/refusal.ts'
import { CENT, FOUND, openSearchingBed, search } from '../../test/harness/beds/searching-jobs.ts'
import { runCall } from '../calls/run.ts'
import { failed } from '../catalog/vocabulary/outcome.ts'
import { AppError } from '../errors/app-error.ts'
import { DAY_MS } from '../lib/clock.ts'
import { newId, parsePublicId } from '../lib/ids.ts'
import { claimJobs } from './claim.ts'
import { endOverdueJobs, finishJob, deleteOldJobs } from './finish.ts'
import { RESULT_RETENTION_MS } from './job.ts'
import { storeJobReference } from './vendor-reference.ts'

const bed = await openSearchingBed()

describe('a job', () => {
  it('holds its budget when submitted and charges the delivered results at its end', async () => {
    const jobId = await bed.submit({ budgetCents: 10 })
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 10n * CENT })
    assert.equal((await bed.result(jobId)).status, 'queued')

    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.equal(job.status, 'succeeded')
    assert.equal(job.charged_micros, 20_000)
    assert.deepEqual(job.result, { skipped: [null, null] })
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore() - 2n * CENT, held: 0n })
    await bed.assertSound()
  })

  it('without results fails and is charged nothing', async () => {
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'somebody' })
      return failed('no_people', 'Nobody was found.')
    })
    const jobId = await bed.submit()
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.ok, job.charged_cents, job.error],
      [
        'failed',
        false,
        0,
        {
          code: 'no_people',
          message: 'Nobody was found.',
          fix: 'Check names and addresses, or change the description.',
          retryable: false,
        },
      ],
    )
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
  })

  it('stores the advice and the details of its failure, unless they are long', async () => {
    const failure = {
      ...failed('no_people', 'Nobody was found.', { tried: ['ana'] }),
      param: 'query',
      fix: 'Add the company of Ana.',
    }
    bed.handleWith(async () => failure)
    const told = await bed.submit()
    await bed.hire().wake()
    assert.deepEqual((await bed.ended(told)).error, {
      code: 'no_people',
      message: 'Nobody was found.',
      param: 'query',
      fix: 'Add the company of Ana.',
      retryable: false,
      details: { tried: ['ana'] },
    })

    bed.handleWith(async () => {
      throw new AppError('bad_request', 'Not so.', {
        fix: 'Send one name.',
        details: { names: 'x'.repeat(5_000) },
      })
    })
    const thrown = await bed.submit({ seed: 1 })
    await bed.hire().wake()
    assert.deepEqual((await bed.ended(thrown)).error, {
      code: 'bad_request',
      message: 'Not so.',
      fix: 'Send one name.',
      retryable: false,
    })
  })

  it('advises to submit it again with a new Idempotency-Key after a retryable failure', async () => {
    const ends = [
      async () => failed('upstream_busy', 'Busy.'),
      async () => Promise.reject(new AppError('upstream_busy')),
    ]
    for (const [seed, end] of ends.entries()) {
      bed.handleWith(end)
      const jobId = await bed.submit({ seed })
      await bed.hire().wake()
      assert.match(
        (await bed.ended(jobId)).error?.fix ?? '',
        /^Submit the job again later, with a new Idempotency-Key/,
      )
    }
  })

  it('ends even with an error message that PostgreSQL cannot store unchanged', async () => {
    bed.handleWith(async () => failed('upstream_error', 'The vendor says: no\0body.'))
    const jobId = await bed.submit()
    await bed.hire().wake()
    assert.equal((await bed.ended(jobId)).error?.['message'], 'The vendor says: nobody.')
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
  })

  it('fails as internal, uncharged and unrepeated, if its result cannot be stored', async () => {
    let worked = 0
    bed.handleWith(async (_input, tools) => {
      worked += 1
      await tools.invoke('semantic', 'search', { query: 'depths' })
      const depths = Array.from({ length: 100_000 }).reduce<unknown[]>((inner) => [inner], [])
      return { kind: 'done', data: { depths }, actual: tools.budget.spent() }
    })
    const jobId = await bed.submit()
    await bed.hire().wake()
    assert.equal((await bed.ended(jobId)).error?.code, 'internal')
    assert.equal(worked, 1)
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
    await bed.assertSound()
  })

  it('fails as internal, uncharged and without the reason, if its handler throws', async () => {
    bed.handleWith(async () => {
      throw new TypeError('secret detail')
    })
    const jobId = await bed.submit()
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.equal(job.error?.code, 'internal')
    assert.doesNotMatch(JSON.stringify(job), /secret detail/)
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
  })

  it('never spends more than its budget with many concurrent steps', async () => {
    const jobId = await bed.submit({ budgetCents: 3, seed: 12 })
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.equal(job.charged_cents, 3)
    assert.equal(bed.asked(), 3)
    assert.deepEqual(
      (job.result?.['skipped'] as unknown[]).filter((skip) => skip === 'over_budget').length,
      9,
    )
  })

  it('can spend the charge of a waived step again', async () => {
    bed.handleWith(async (_input, tools) => {
      for (let place = 0; place < 5; place += 1)
        tools.waive((await tools.invoke('semantic', 'search', { query: `wall ${place}` })).hop)
      const { hop } = await tools.invoke('semantic', 'search', { query: 'page' })
      return { kind: 'done', data: { hop: hop.skipped ?? null }, actual: tools.budget.spent() }
    })
    const jobId = await bed.submit({ budgetCents: 2 })
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.result, job.charged_cents], [{ hop: null }, 1])
  })

  it('is charged at most its delivered results, even if its handler reports more', async () => {
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'one' })
      return { kind: 'done', data: {}, actual: 9n * CENT }
    })
    const jobId = await bed.submit()
    await bed.hire().wake()
    assert.equal((await bed.ended(jobId)).charged_cents, 1)
  })

  it('does not exist for other accounts and for the test keys of its account', async () => {
    const jobId = await bed.submit()
    await refusal(
      runCall(
        bed.calls,
        bed.request('core', 'result', { job_id: jobId }, { caller: bed.testCaller }),
      ),
      'unknown_job',
    )
    await refusal(
      runCall(
        bed.calls,
        bed.request(
          'core',
          'cancel',
          { job_id: jobId },
          { caller: { ...bed.caller, accountId: bed.testCaller.keyId } },
        ),
      ),
      'unknown_job',
    )
    await refusal(bed.result('job_nonsense'), 'unknown_job')
  })

  it('shows its progress and its spending while it runs', async () => {
    const vendor = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    bed.handleWith(async (input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'first' })
      bed.vendor.answerWith(async () => {
        await vendor.promise
        return { body: FOUND }
      })
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
    assert.deepEqual(
      [status, progress],
      ['running', { rows_done: 1, rows_total: 4, spent_cents: 1, spent_micros: 10_000 }],
    )
    vendor.resolve()
    await bed.ended(jobId)
  })

  it('is deleted 30 days after its end', async () => {
    const jobId = await bed.submit()
    await bed.hire().wake()
    await bed.ended(jobId)
    await deleteOldJobs(bed.database, bed.clock() + RESULT_RETENTION_MS)
    assert.equal((await bed.result(jobId)).status, 'succeeded')
    await deleteOldJobs(bed.database, bed.clock() + RESULT_RETENTION_MS + 1)
    await refusal(bed.result(jobId), 'unknown_job')
  })

  it('is not retryable if its worker died after the vendor accepted it', async () => {
    const jobId = await bed.submit()
    await storeJobReference(bed.database, parsePublicId('job', jobId) ?? assert.fail(), 'v-1')
    bed.clock.advance(JOB_MS)
    await bed.hire().beat()
    assert.equal((await bed.result(jobId)).error?.code, 'order_unknown')
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
  })

  it('fails and releases its hold if no worker takes it before its deadline', async () => {
    const jobId = await bed.submit()
    bed.clock.advance(JOB_MS - 1)
    assert.equal(await endOverdueJobs(bed.database, bed.clock()), 0)
    bed.clock.advance(1)
    await bed.hire().beat()
    const job = await bed.result(jobId)
    assert.deepEqual([job.status, job.error?.code], ['failed', 'job_deadline'])
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
    await bed.assertSound()
  })

  it('delivers if its worker is ending it when the deadline passes', async () => {
    const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'first' })
      begun.resolve()
      await ending.promise
      return { kind: 'done', data: {}, actual: tools.budget.spent() }
    })
    const jobId = await bed.submit()
    const worker = bed.hire()
    await worker.wake()
    await begun.promise
    bed.clock.advance(JOB_MS - 1)
    await worker.beat()
    bed.clock.advance(2)
    await bed.hire().beat()
    ending.resolve()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.status, job.charged_cents], ['succeeded', 1])
  })

  it('fails without a charge if it ends after its hold was swept', async () => {
    const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    bed.handleWith(async (_input, tools) => {
      await tools.invoke('semantic', 'search', { query: 'first' })
      begun.resolve()
      await ending.promise
      return { kind: 'done', data: { found: true }, actual: tools.budget.spent() }
    })
    const jobId = await bed.submit()
    await bed.hire().wake()
    await begun.promise
    bed.clock.advance(JOB_MS + 600_001)
    assert.equal(await bed.calls.ledger.sweep(), 1)
    ending.resolve()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.error?.code, job.charged_cents, job.result],
      ['failed', 'job_deadline', 0, undefined],
    )
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
    await bed.assertSound()
  })

  it('is not ended or charged by a worker while another one takes it', async () => {
    const jobId = parsePublicId('job', await bed.submit()) ?? ''
    const [former, next] = [newId(bed.clock()), newId(bed.clock())]
    const [job] = await claimJobs(bed.database, former, 1, [], bed.clock())
    assert.equal(job?.id, jobId)
    const ended = await bed.database.transaction(async (tx) => {
      await tx.query('update jobs set worker = $2 where id = $1', [jobId, next])
      const ending = finishJob(
        bed.database,
        former,
        job,
        { kind: 'succeeded', result: {}, charge: CENT, hops: null },
        bed.clock(),
      )
      await Promise.race([ending, someoneWaits()])
      return { ending }
    })
    assert.equal(await ended.ending, null)
    assert.equal((await bed.balance()).balance, bed.balanceBefore())
    assert.deepEqual(
      await finishJob(
        bed.database,
        next,
        job,
        { kind: 'succeeded', result: {}, charge: CENT, hops: null },
        bed.clock(),
      ),
      { kind: 'succeeded', result: {}, charge: CENT, hops: null },
    )
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore() - CENT, held: 0n })
  })

  it('ends as overdue after months without a worker, and blocks no other job', async () => {
    const jobs = [await bed.submit(), await bed.submit()]
    bed.clock.advance(100 * DAY_MS)
    await bed.hire().beat()
    for (const jobId of jobs) assert.equal((await bed.result(jobId)).error?.code, 'job_deadline')
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
    await bed.assertSound()
  })
})

async function someoneWaits(): Promise<void> {
  const waiting = async (): Promise<number> =>
    (
      await bed.database.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).count
  while ((await waiting()) === 0) await new Promise((turn) => setImmediate(turn))
}
