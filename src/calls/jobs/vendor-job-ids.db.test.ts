/** A vendor's job has one id for its caller: the job_id of the launch. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { storeJobReference } from '../../jobs/vendor-reference.ts'
import { parsePublicId } from '../../lib/ids.ts'
import { startSimulators } from '../../simulators/start.ts'
import { runCall } from '../run.ts'

const simulators = await startSimulators({ now: () => Date.UTC(2026, 9, 14) })
cleanUp(() => simulators.close())
const bed = await openCallBed({ simulatorUrl: simulators.url })
const { database, calls } = bed

for (const [mode, caller] of [
  ['live', bed.caller],
  ['test', bed.testCaller],
] as const) {
  describe(`a job of companyfind with a ${mode} key`, () => {
    const dataOf = async (action: string, body: Data): Promise<Data> => {
      const answer = await runCall(calls, bed.request('companyfind', action, body, { caller }))
      return (JSON.parse(answer.body) as { data: Data }).data
    }

    it('is found by the job_id of its launch and by the id of the vendor', async () => {
      const { job_id } = await dataOf('tam-build', { query: 'bakeries', max_companies: 20 })
      const vendorId = mode === 'live' ? 'vendor-job-1' : 'sim-0-eyJxdWVyeSI6ImJha2VyaWVzIn0'
      await storeJobReference(database, parsePublicId('job', String(job_id)) ?? '', vendorId)
      bed.vendor.answerWith(() => ({
        body: { job_id: vendorId, status: 'running', rows: [], next_cursor: null },
      }))
      for (const [action, body] of [
        ['results', { kind: 'tam', job_id }],
        ['job-control', { kind: 'tam', job_id, action: 'cancel' }],
      ] as const) {
        const data = await dataOf(action, body)
        assert.deepEqual([data['job_id'], data['vendor_job_id']], [job_id, vendorId], action)
      }
      // The first requested path contains the vendor's id.
      if (mode === 'live')
        assert.match(bed.vendor.requests.at(-1)?.path ?? '', /\/vendor-job-1\/cancel$/)
    })
  })
}
