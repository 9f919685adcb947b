/** Jobs and compute sessions are counted too, although they end after the response. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { openCallBed, withSessions } from '../../test/harness/beds/calls.ts'
import { JOB_MS } from '../../test/harness/beds/jobs.ts'
import { CENT, openSearchingBed, search } from '../../test/harness/beds/searching-jobs.ts'
import { createStandIn } from '../../test/harness/vendors/stand-in-box.ts'
import type { JobHandler } from '../catalog/vocabulary/handlers.ts'
import { createJobWaiters } from '../jobs/waiters.ts'
import { CallTally } from '../lib/metrics/call-tally.ts'
import { maintainSessions } from '../resources/sessions/maintain-sessions.ts'
import { createMeteredSessions } from '../resources/sessions/metered-sessions.ts'
import { startJobs } from '../app/wiring/jobs.ts'
import { runCall } from './run.ts'

const MINUTE_MS = 60_000

const bed = await openSearchingBed()

let tally: CallTally
beforeEach(() => {
  tally = new CallTally()
})

const of = (mode: 'live' | 'test', service: string) =>
  [...tally.services()].find((one) => one.mode === mode && one.service === service)?.tally
const jobsOf = (service: string) =>
  [...(of('live', service)?.jobs ?? [])].map(([code, { count }]) => [code, count])

async function ended(handler: JobHandler): Promise<void> {
  const jobs = startJobs({
    calls: { ...bed.calls, tally },
    handlers: new Map([['work.deep', handler]]),
    waiters: createJobWaiters(),
    logger: pino({ level: 'silent' }),
    concurrency: 1,
  })
  await bed.ended(await bed.submit())
  // The count follows the commit of the end, so it can appear a moment later.
  while (jobsOf('work').length === 0) await new Promise((turn) => setImmediate(turn))
  await jobs.close()
}

describe('a job', () => {
  it('that succeeds is counted with its charge', async () => {
    await ended(search)
    assert.deepEqual([jobsOf('work'), of('live', 'work')?.charged], [[['ok', 1]], 2n * CENT])
  })

  it('that fails is counted by its code, uncharged', async () => {
    await ended(async () => ({ kind: 'failed', code: 'no_results', message: 'Nothing.' }))
    assert.deepEqual([jobsOf('work'), of('live', 'work')?.charged], [[['no_results', 1]], 0n])
  })

  it('is counted as failed if its hold was swept, even after its work succeeded', async () => {
    await ended(async (input, tools) => {
      const outcome = await search(input, tools)
      bed.clock.advance(JOB_MS + 11 * MINUTE_MS)
      await bed.calls.ledger.sweep()
      return outcome
    })
    assert.deepEqual([jobsOf('work'), of('live', 'work')?.charged], [[['job_deadline', 1]], 0n])
  })
})

describe('a compute session', () => {
  it('is counted by the charge of each stretch and of its end, once', async () => {
    const shop = await openCallBed()
    const { box } = createStandIn()
    const parts = { database: shop.database, now: shop.clock, boxFor: () => box, tally }
    const calls = { ...withSessions(shop.calls, parts), tally }
    const before = (await shop.balance()).balance
    const { body } = await runCall(calls, shop.request('boxa', 'create_session', {}))
    const id = (JSON.parse(body) as { data: { session_id: string } }).data.session_id
    shop.clock.advance(9.5 * MINUTE_MS)
    await maintainSessions(parts)
    const first = of('live', 'boxa')?.charged
    assert.ok(first !== undefined && first > 0n)
    assert.equal(first, before - (await shop.balance()).balance)

    shop.clock.advance(MINUTE_MS)
    const driver = createMeteredSessions(parts)
    const owner = {
      accountId: shop.caller.accountId,
      mode: 'live' as const,
      keyId: null,
      scope: 'account' as const,
    }
    await driver.close(owner, id)
    await driver.close(owner, id)
    const { balance } = await shop.balance()
    assert.ok(before - balance > first)
    assert.equal(of('live', 'boxa')?.charged, before - balance)
  })
})
