import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSearchingBed } from '../../test/harness/searching-jobs.ts'
import { createAccount } from '../accounts/create-account.ts'
import { runCall } from '../calls/run.ts'
import { failed } from '../catalog/outcome.ts'
import { findCaller } from '../keys/find-caller.ts'
import { hashSecret } from '../keys/format.ts'
import { parsePublicId } from '../lib/ids.ts'

const bed = await openSearchingBed()

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
    await bed.assertSound()
  })
})
