import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { JOB_MS } from '../../test/harness/beds/jobs.ts'
import { refusal } from '../../test/harness/refusal.ts'
import { CENT, openSearchingBed } from '../../test/harness/beds/searching-jobs.ts'
import { runCall } from '../calls/run.ts'
import type { AppError } from '../errors/app-error.ts'

const bed = await openSearchingBed()

describe('submitting', () => {
  it('forty deep jobs concurrently starts exactly three and rejects the others', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, seed) => bed.submit({ seed, budgetCents: 2 })),
    )
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as AppError] : [],
    )
    assert.equal(refused.length, 37)
    for (const error of refused) {
      assert.equal(error.code, 'too_many_inflight')
      assert.ok((error.retryAfterSeconds ?? 0) > 0)
    }
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 6n * CENT })
    await bed.assertSound()
  })

  it('a deep job ignores the number of running jobs of other kinds', async () => {
    for (let seed = 0; seed < 4; seed += 1)
      await runCall(bed.calls, bed.request('work', 'wide', { seed }))
    assert.equal((await bed.result(await bed.submit())).status, 'queued')
  })

  it('with less credit than the budget is refused and leaves nothing', async () => {
    await bed.submit({ budgetCents: 150 })
    const error = await refusal(bed.submit({ budgetCents: 100 }), 'room_held')
    assert.equal(error.details?.['required_micros'], 1_000_000)
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 150n * CENT })
  })

  it('holds a max_cost_cents below the budget and refuses one below the minimum of the job', async () => {
    await bed.submit({ budgetCents: 100, max_cost_cents: 7 })
    assert.equal((await bed.balance()).held, 7n * CENT)
    const error = await refusal(
      bed.submit({ budgetCents: 100, max_cost_cents: 1 }),
      'invalid_params',
    )
    assert.equal(error.param, 'max_cost_cents')
  })

  it('twice with one Idempotency-Key creates one job, even after its end', async () => {
    const idempotency = { key: 'again', fingerprint: 'aa'.repeat(32) }
    const jobId = await bed.submit({}, { idempotency })
    assert.equal(await bed.submit({}, { idempotency }), jobId)
    await bed.hire().wake()
    await bed.ended(jobId)
    assert.equal(await bed.submit({}, { idempotency }), jobId)
    await refusal(
      bed.submit({ seed: 1 }, { idempotency: { ...idempotency, fingerprint: 'bb'.repeat(32) } }),
      'idempotency_key_reused',
    )
    assert.equal((await bed.balance()).balance, bed.balanceBefore() - 2n * CENT)
    await bed.assertSound()
  })

  it('twice with one Idempotency-Key creates one job, even after its hold was swept', async () => {
    const idempotency = { key: 'nobody came', fingerprint: 'aa'.repeat(32) }
    const jobId = await bed.submit({}, { idempotency })
    bed.clock.advance(JOB_MS + 600_001)
    assert.equal(await bed.calls.ledger.sweep(), 1)
    assert.equal(await bed.submit({}, { idempotency }), jobId)
    await bed.hire().beat()
    assert.equal((await bed.ended(jobId)).error?.code, 'job_deadline')
    assert.equal(await bed.submit({}, { idempotency }), jobId)
    assert.deepEqual(await bed.balance(), { balance: bed.balanceBefore(), held: 0n })
    await bed.assertSound()
  })
})
