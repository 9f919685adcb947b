import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openSearchingBed } from '../../test/harness/beds/searching-jobs.ts'
import { createAccount } from '../accounts/create-account.ts'
import { runCall } from '../calls/run.ts'
import { failed } from '../catalog/vocabulary/outcome.ts'
import type { Caller } from '../keys/caller.ts'
import { findCaller } from '../keys/find-caller.ts'
import { hashSecret } from '../keys/format.ts'
import { parsePublicId } from '../lib/ids.ts'
import type { Worker } from './worker.ts'

const bed = await openSearchingBed()

/** Lets the waiting jobs continue. */
let release: () => void

beforeEach(() => {
  const released = Promise.withResolvers<void>()
  release = released.resolve
  bed.handleWith(async () => {
    await released.promise
    return failed('no_people', 'Nobody was found.')
  })
})

async function running(): Promise<number> {
  return (await bed.database.query("select from jobs where status = 'running'")).count
}

/** A job that can take an hour. */
async function submitLong(caller: Caller = bed.caller): Promise<void> {
  await runCall(bed.calls, bed.request('work', 'wide', { budgetCents: 2 }, { caller }))
}

async function runOut(worker: Worker): Promise<void> {
  release()
  while ((await bed.database.query('select from jobs where finished_ms is null')).count > 0)
    await worker.wake()
  await bed.assertSound()
}

const created = await createAccount(
  { database: bed.database, now: bed.clock },
  { email: 'other@gate.example.com', tier: 'personal' },
)
const other = (await findCaller(bed.database, hashSecret(created.live.key), bed.clock()))?.caller
assert.ok(other !== undefined)

describe('the long jobs of one account', () => {
  for (const [places, share] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 3],
    [8, 6],
  ] as const) {
    it(`use at most ${share} of ${places} places and leave the rest to other accounts`, async () => {
      for (let place = 0; place <= places; place += 1)
        await submitLong(place % 2 === 0 ? bed.caller : bed.testCaller)
      const worker = bed.hire(places)
      await worker.wake()
      assert.equal(await running(), share)
      for (let place = 0; place <= places; place += 1) await submitLong(other)
      await worker.wake()
      assert.equal(await running(), places)
      await runOut(worker)
    })
  }
})

describe('short jobs', () => {
  it('of a single account use all places, even of a worker with two', async () => {
    for (let seed = 0; seed < 3; seed += 1) await bed.submit({ seed, budgetCents: 2 })
    const worker = bed.hire(2)
    await worker.wake()
    assert.equal(await running(), 2)
    await runOut(worker)
  })

  it('use idle places next to long jobs of the same account', async () => {
    for (let place = 0; place < 2; place += 1) await submitLong()
    await bed.submit({ budgetCents: 2 })
    const worker = bed.hire(2)
    await worker.wake()
    assert.equal(await running(), 2)
    await runOut(worker)
  })

  it('of an account at its share come after those of other accounts, despite a longer wait', async () => {
    const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    bed.handleWith(async ({ seed }) => {
      await ends[Number(seed)]?.promise
      return failed('no_people', 'Nobody was found.')
    })
    for (let seed = 0; seed < 3; seed += 1) await bed.submit({ seed, budgetCents: 2 })
    const worker = bed.hire(2)
    await worker.wake()
    const theirs = parsePublicId(
      'job',
      await bed.submit({ seed: 3, budgetCents: 2 }, { caller: other }),
    )
    ends[0]?.resolve()
    while (
      (await bed.database.query('select from jobs where finished_ms is null')).count > 3 ||
      (await running()) < 2
    )
      await worker.wake()
    assert.deepEqual(
      (await bed.database.query('select status from jobs where id = $1', [theirs])).rows,
      [{ status: 'running' }],
    )
    for (const { resolve } of ends) resolve()
    await runOut(worker)
  })
})
