import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedWith } from '../../test/harness/refusal.ts'
import { createEventWaiters } from './event-waiters.ts'

const stream = { accountId: 'a', mode: 'live' } as const
const LONG_MS = 60_000

test('wakes the requests of one stream', async () => {
  const waiters = createEventWaiters()
  const mine = waiters.waitFor(stream, LONG_MS)
  const other = waiters.waitFor({ accountId: 'a', mode: 'test' }, LONG_MS)
  waiters.announce('a live')
  await mine.next()
  assert.deepEqual([mine.isOver(), other.isOver()], [false, false])
  assert.equal(await Promise.race([other.next(), Promise.resolve('waits')]), 'waits')
  waiters.close()
})

test('an announcement before the wait is not missed', async () => {
  const waiters = createEventWaiters()
  const waiter = waiters.waitFor(stream, LONG_MS)
  waiters.announceAll()
  await waiter.next()
  assert.equal(waiter.isOver(), false)
  waiter.giveUp()
})

test('ends on timeout, when the caller disconnects, and when the process stops', async () => {
  const waiters = createEventWaiters()
  const short = waiters.waitFor(stream, 1)
  await short.next()
  const gone = new AbortController()
  const left = waiters.waitFor(stream, LONG_MS, gone.signal)
  gone.abort()
  const last = waiters.waitFor(stream, LONG_MS)
  waiters.close()
  assert.deepEqual(
    [short, left, last].map((one) => one.isOver()),
    [true, true, true],
  )
  assert.ok(waiters.waitFor(stream, LONG_MS).isOver())
})

test('rejects the 21st waiting request of an account, and none of another', () => {
  const waiters = createEventWaiters()
  const waiting = Array.from({ length: 20 }, () => waiters.waitFor(stream, LONG_MS))
  assert.throws(() => waiters.waitFor(stream, LONG_MS), refusedWith('rate_limited'))
  waiters.waitFor({ accountId: 'b', mode: 'live' }, LONG_MS)
  waiting[0]?.giveUp()
  waiters.waitFor(stream, LONG_MS)
  waiters.close()
})
