/** Leases on a real database. A test moves the time and calls the beats. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { manualClock } from '../../test/harness/manual-clock.ts'
import { cloneDatabase } from '../../test/harness/postgres.ts'
import { StatementPipeline } from '../db/pipeline/statement-pipeline.ts'
import { leaseOf, newId, NO_LEASE, type LeaseNumber } from '../lib/ids.ts'
import { createBeatConnection } from './beat-connection.ts'
import { BEAT_MS, ENDED_WITHIN_MS, RELIED_ON_MS } from './lease.ts'
import {
  openProcessLease,
  type LeaseEvent,
  type LeaseDeps,
  type ProcessLease,
} from './process-lease.ts'

const { database } = await cloneDatabase()
const clock = manualClock(1_000_000)

type Process = ProcessLease & {
  readonly events: LeaseEvent[]
  readonly released: LeaseNumber[]
  number(): LeaseNumber
}

async function open(overrides: Partial<LeaseDeps> = {}): Promise<Process> {
  const events: LeaseEvent[] = []
  const released: LeaseNumber[] = []
  const lease = await openProcessLease({
    database,
    line: createBeatConnection(
      () => new StatementPipeline(database.connect('lease'), 10_000),
      10_000,
    ),
    now: clock,
    monotonic: clock,
    release: async (number) => released.push(number),
    onEvent: (event) => void events.push(event),
    ...overrides,
  })
  cleanUp(() => lease.close())
  return { ...lease, events, released, number: () => leaseOf(lease.newCallId()) }
}

/** Lets only these processes beat for some time, and waits until their releases are done. */
async function pass(ms: number, ...beating: readonly Process[]): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += BEAT_MS) {
    clock.advance(BEAT_MS)
    for (const one of beating) await one.beat()
  }
}

/** Waits for the releases that beats started. */
async function rest(...processes: readonly Process[]): Promise<void> {
  for (const one of processes) await one.close()
}

async function known(): Promise<readonly string[]> {
  const { rows } = await database.query<{ number: string }>(
    'select number from process_leases order by number',
  )
  return rows.map(({ number }) => number)
}

describe('the lease of a process', () => {
  it("is the end of its calls' ids, which stay ordered and distinct", async () => {
    const [a, b] = [await open(), await open()]
    const ids = Array.from({ length: 10_000 }, (_, index) => (index % 2 === 0 ? a : b).newCallId())
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(ids, ids.toSorted())
    assert.equal(new Set(ids.map(leaseOf)).size, 2)
    assert.ok(ids.every((id) => /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id)))
    await rest(a, b)
  })

  it('of a dead process is ended by exactly one other, which releases its work within 8 s', async () => {
    const dead = await open()
    const others = await Promise.all(Array.from({ length: 5 }, () => open()))
    const number = dead.number()
    await pass(BEAT_MS, dead, ...others)
    await pass(ENDED_WITHIN_MS, ...others)
    await rest(...others)
    assert.equal(
      others.flatMap(({ released }) => released).filter((one) => one === number).length,
      1,
    )
    assert.ok(!(await known()).includes(number))
    await dead.close()
  })

  it('is released immediately by an orderly stop', async () => {
    const one = await open()
    const number = one.number()
    assert.ok((await known()).includes(number))
    await one.close()
    assert.deepEqual(one.released, [number])
    assert.ok(!(await known()).includes(number))
  })

  it('is never used again after it was ended while its process was frozen', async () => {
    const [frozen, other] = [await open(), await open()]
    const call = frozen.newCallId()
    assert.equal(frozen.covers(call), true)
    await pass(30_000, other)
    // It resumes without a look at its lease.
    assert.equal(frozen.number(), NO_LEASE)
    assert.equal(frozen.covers(call), false)
    await frozen.beat()
    assert.deepEqual(frozen.events, [{ kind: 'lost', number: leaseOf(call) }])
    assert.ok(frozen.number() !== leaseOf(call) && frozen.number() !== NO_LEASE)
    assert.equal(frozen.covers(call), false)
    assert.equal(frozen.covers(frozen.newCallId()), true)
    await rest(frozen, other)
  })

  it('is not relied on before another process can end it', async () => {
    const one = await open()
    clock.advance(RELIED_ON_MS - 1)
    assert.notEqual(one.number(), NO_LEASE)
    clock.advance(1)
    assert.equal(one.number(), NO_LEASE)
    await one.beat()
    assert.notEqual(one.number(), NO_LEASE)
    await one.close()
  })

  it('is replaced by the next beat if a failover lost it', async () => {
    const one = await open()
    const before = one.number()
    await database.query('delete from process_leases where number = $1', [before])
    await one.beat()
    assert.notEqual(one.number(), before)
    assert.ok((await known()).includes(one.number()))
    await one.close()
  })

  it('survives a minute in which no process can beat', async () => {
    const all = await Promise.all(Array.from({ length: 3 }, () => open()))
    const numbers = all.map((one) => one.number())
    await pass(2 * BEAT_MS, ...all)
    clock.advance(60_000)
    await pass(20_000, ...all)
    assert.deepEqual(
      all.map((one) => one.number()),
      numbers,
    )
    assert.deepEqual(
      all.flatMap(({ released }) => released),
      [],
    )
    await rest(...all)
  })

  it('covers calls of other processes that it continues', async () => {
    const [one, other] = [await open(), await open()]
    assert.equal(one.covers(other.newCallId()), true)
    assert.equal(one.covers(newId(clock())), true)
    await rest(one, other)
  })

  it('takes another number if one is in use', async () => {
    const numbers = ['00000a', '00000a', '00000b']
    const pick = (): LeaseNumber => numbers.shift() ?? assert.fail('no more')
    const [one, other] = [await open({ pick }), await open({ pick })]
    assert.deepEqual([one.number(), other.number()], ['00000a', '00000b'])
    await rest(one, other)
  })

  it('is ended again by another process if its release failed', async () => {
    const [dead, failing, other] = [
      await open(),
      await open({ release: () => Promise.reject(new RangeError('no')) }),
      await open(),
    ]
    const number = dead.number()
    await pass(BEAT_MS, dead, failing, other)
    // The release of the only observer fails.
    await pass(ENDED_WITHIN_MS, failing)
    // Its close waits for the failing release.
    await failing.close()
    assert.equal(other.released.length, 0)
    await pass(ENDED_WITHIN_MS, other)
    await other.close()
    assert.ok(other.released.includes(number))
    await rest(dead)
  })
})
