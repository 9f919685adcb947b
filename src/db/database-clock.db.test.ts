import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { openBank } from '../../test/harness/ledger.ts'
import { HOUR_MS, systemClock, type Clock } from '../lib/clock.ts'
import { openDatabaseClock } from './database-clock.ts'

const bank = await openBank()

async function clockOf(own: Clock) {
  const shifts: number[] = []
  const clock = await openDatabaseClock(bank.database, own, (aheadMs) => shifts.push(aheadMs))
  cleanUp(() => clock.close())
  return { ...clock, shifts }
}

for (const [words, astrayMs] of [['ahead', HOUR_MS], ['behind', -HOUR_MS]] as const) {
  test(`a process whose clock is an hour ${words} goes by the time of the database`, async () => {
    const { now, shifts } = await clockOf(() => systemClock() + astrayMs)
    const { rows } = await bank.database.query<{ now_ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms')
    assert.ok(Math.abs(now() - (rows[0]?.now_ms ?? 0)) < HOUR_MS / 2)
    assert.equal(shifts.length, 1)
  })
}

test('a process whose clock is an hour ahead releases no hold of a call that is under way elsewhere, and a hold of its own is released by nobody before its time', async () => {
  const wallet = await bank.openWallet(10n)
  const { now } = await clockOf(() => systemClock() + HOUR_MS)
  const [gateway, worker] = [bank.anotherLedger({ now: systemClock }), bank.anotherLedger({ now })]
  const [ofGateway, ofWorker] = [bank.request(wallet, 6n, { deadlineMs: systemClock() + HOUR_MS / 2 }), bank.request(wallet, 4n, { deadlineMs: now() + HOUR_MS / 2 })]
  const held = await gateway.hold(ofGateway)
  await worker.hold(ofWorker)
  assert.deepEqual([await worker.sweep(), await gateway.sweep()], [0, 0])
  assert.ok(held.opened)
  assert.equal((await gateway.resolve({ hold: held, charge: 6n, latencyMs: 5, errorCode: null, hops: null })).charged, 6n)
})

test('clocks that are in step are left as they are, and so is one that was set right', async () => {
  let astrayMs = 800
  const { now, look, shifts } = await clockOf(() => systemClock() + astrayMs)
  await look()
  assert.deepEqual(shifts, [])
  astrayMs = HOUR_MS
  await look()
  assert.equal(shifts.length, 1)
  astrayMs = 0
  await look()
  assert.equal(shifts[1], 0)
  const before = systemClock()
  const told = now()
  assert.ok(before <= told && told <= systemClock())
})
