import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSearchingBed } from '../../test/harness/beds/searching-jobs.ts'
import { runCall } from '../calls/run.ts'

const bed = await openSearchingBed()

describe('a call that waits for a job', () => {
  it('is answered when the job ends', async () => {
    const jobId = await bed.submit()
    const waiting = runCall(bed.calls, bed.request('core', 'result', { job_id: jobId, wait_s: 60 }))
    await bed.hire().wake()
    await bed.ended(jobId)
    bed.ends.announceAll()
    assert.equal(
      (JSON.parse((await waiting).body) as { data: { status: string } }).data.status,
      'succeeded',
    )
  })
})
