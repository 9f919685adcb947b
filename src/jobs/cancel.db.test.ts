import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSearchingBed } from '../../test/harness/beds/searching-jobs.ts'
import { LEASE_MS } from './job.ts'

const bed = await openSearchingBed()

describe('a job that ends early', () => {
  it('is cancelled immediately and uncharged while it is queued', async () => {
    const jobId = await bed.submit()
    const job = await bed.cancel(jobId)
    assert.deepEqual(
      [job.status, job.charged_cents, job.error?.code],
      ['failed', 0, 'job_cancelled'],
    )
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
    await bed.hire().wake()
    assert.equal(bed.asked(), 0)
    assert.deepEqual(await bed.cancel(jobId), job)
  })

  it('does not change when it is cancelled after its end', async () => {
    const jobId = await bed.submit()
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(await bed.cancel(jobId), job)
  })

  it('delivers and charges its results so far when it is cancelled while it runs', async () => {
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
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.cancelled, job.result, job.charged_cents, bed.asked()],
      ['succeeded', true, { second: 'cancelled' }, 1, 1],
    )
  })

  it('names the cancellation when no step had a result', async () => {
    const worker = bed.hire()
    bed.handleWith(async (_input, tools) => {
      await bed.cancel(jobId)
      await worker.beat()
      await tools.invoke('semantic', 'search', { query: 'first' })
      return { kind: 'failed', code: 'no_results', message: 'Nothing was found.' }
    })
    const jobId = await bed.submit()
    await worker.wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.error?.code, job.charged_cents, bed.asked()],
      ['failed', 'job_cancelled', 0, 0],
    )
  })

  it('is cancelled for the next worker if its worker died after the cancellation', async () => {
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
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.cancelled, job.result, job.charged_cents, bed.asked()],
      [true, { second: 'cancelled' }, 1, 1],
    )
  })
})
