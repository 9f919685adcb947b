/** Every action of a vendor, called with a test key from validation to the books: nothing in the catalog is only a promise. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { runJob } from '../../src/calls/jobs/run-job.ts'
import { storeReference } from '../../src/calls/perform/vendor-references.ts'
import { runCall } from '../../src/calls/run.ts'
import { isLaunched } from '../../src/catalog/vocabulary/define.ts'
import { createCatalog } from '../../src/catalog/index.ts'
import { worstCase } from '../../src/catalog/prices/price.ts'
import { createWorker } from '../../src/jobs/worker.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { newId, parsePublicId } from '../../src/lib/ids.ts'
import { dollars } from '../../src/lib/money.ts'
import { startSimulators, type Simulators } from '../../src/simulators/start.ts'
import { openCallBed, START_MS, type CallBed } from '../harness/beds/calls.ts'

const vendors = createCatalog()
  .allActions()
  .filter(({ service }) => service.vendor !== undefined)
const jobs = vendors.filter(({ action }) => isLaunched(action, action.example))
const actions = vendors.filter((entry) => entry.action.kind !== 'local' && !jobs.includes(entry))
/** Actions that answer 202 and deliver later. */
const LAUNCHES = new Set([
  'deepenrich/person-enrich',
  'deepenrich/company-funders',
  'deepenrich/person-interactions',
])

let bed: CallBed
let simulators: Simulators
before(async () => {
  // Each reading of the clock is two seconds later, so a launched task is finished at the first poll.
  let nowMs = START_MS
  simulators = await startSimulators({ now: () => (nowMs += 2_000) })
  bed = await openCallBed({ simulatorUrl: simulators.url, configured: false })
  const { database, clock, testCaller } = bed
  await database.query(
    "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
    [clock(), newId(clock()), testCaller.walletId, dollars('100')],
  )
})
after(() => simulators.close())

type Ended = { readonly status: string; readonly charged: bigint; readonly result: unknown }

async function ended(jobId: string): Promise<Ended> {
  for (;;) {
    const { rows } = await bed.database.query<Ended>(
      'select status, charged_micros as charged, result from jobs where id = $1',
      [parsePublicId('job', jobId) ?? ''],
    )
    const [job] = rows
    if (job !== undefined && job.status !== 'queued' && job.status !== 'running') return job
    await new Promise((turn) => setImmediate(turn))
  }
}

describe('with a test key', () => {
  for (const { service, name, action } of actions) {
    it(`${service.id}/${name} answers its example within its price`, async () => {
      const { calls, testCaller: caller, database, clock } = bed
      const input = calls.validator.validate(action.input, action.example)
      const asked = action.kind === 'call' ? action.ownership?.targetId?.(input) : undefined
      // A poll is answered only for what the account launched.
      if (asked !== undefined)
        await storeReference(
          database,
          {
            accountId: caller.accountId,
            service: service.id,
            mode: 'test',
            keyId: null,
            scope: 'account',
          },
          asked,
          clock(),
        )
      const answer = await runCall(calls, bed.request(service.id, name, action.example, { caller }))
      const body = JSON.parse(answer.body) as { ok: boolean; data: unknown; test?: boolean }
      assert.deepEqual(
        [answer.status, body.ok, body.test],
        [LAUNCHES.has(`${service.id}/${name}`) ? 202 : 200, true, true],
      )
      assert.ok(typeof body.data === 'object' && body.data !== null)
      const shape = service.returns?.[name]
      if (shape !== undefined) assert.deepEqual([...Value.Errors(shape, body.data)], [])
      assert.ok(answer.charged <= worstCase(action, input))
    })
  }

  for (const { service, name, action } of jobs) {
    it(`${service.id}/${name} runs its example in the background and charges the delivery`, async () => {
      const { calls, testCaller: caller, database, clock } = bed
      const worker = createWorker({
        database,
        now: clock,
        concurrency: 1,
        run: (job, control) => runJob(calls, new Map(), job, control),
        onError: (what, { error }) => assert.fail(`${what}: ${String(error)}`),
      })
      const submitted = await runCall(
        calls,
        bed.request(service.id, name, action.example, { caller }),
      )
      const { job_id } = (JSON.parse(submitted.body) as { data: { job_id: string } }).data
      await worker.wake()
      const job = await ended(job_id)
      await worker.stop(0)
      assert.equal(job.status, 'succeeded')
      const shape = service.returns?.[name]
      if (shape !== undefined) assert.deepEqual([...Value.Errors(shape, job.result)], [])
      assert.ok(
        job.charged > 0n &&
          job.charged <= worstCase(action, calls.validator.validate(action.input, action.example)),
      )
    })
  }

  it('nothing is left held, and the books balance', async () => {
    const { rows } = await bed.database.query<{ held: bigint }>(
      'select sum(held_micros)::bigint as held from wallets',
    )
    assert.equal(rows[0]?.held, 0n)
    assert.equal((await verifyLedger(bed.database)).ok, true)
    assert.equal(bed.vendor.requests.length, 0, 'no vendor was asked')
  })
})
