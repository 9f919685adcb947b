import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { newId } from '../../lib/ids.ts'
import { createCallLog } from '../log/call-log.ts'
import { MOST_RECENT, type RecentCall } from './read-recent-calls.ts'
import { createCallWatch, type CallWatcher } from './watch-calls.ts'

const bed = await openCallBed()
const { database, clock: now } = bed
const NEVER_MS = 1_000_000_000
const ledger = bed.calls.ledger
const { walletId, accountId, budgetId } = bed.caller

function openWatch(count: { queries: number } = { queries: 0 }) {
  const query: typeof database.query = (...args) => {
    count.queries += 1
    return database.query(...args)
  }
  return createCallWatch({ database: { query }, now, everyMs: NEVER_MS })
}

function watcher(seen: RecentCall[], more: Partial<CallWatcher> = {}): CallWatcher {
  return {
    accountId,
    walletId,
    onCalls: (calls) => seen.push(...calls),
    onGap: () => {},
    onEnd: () => {},
    ...more,
  }
}

async function makeCall(): Promise<void> {
  const held = await hold()
  assert.ok(held.opened)
  await ledger.resolve({ hold: held, charge: 1n, latencyMs: 1, errorCode: null, hops: null })
}

function hold() {
  return ledger.hold({
    id: newId(now()),
    walletId,
    budgetId,
    externalId: null,
    kind: 'call',
    service: 'semantic',
    action: 'search',
    amount: 1_000n,
    deadlineMs: now() + 60_000,
    claim: null,
  })
}

async function rejectCalls(count: number): Promise<void> {
  const log = createCallLog({ database, now, onFailure: () => assert.fail(), everyMs: NEVER_MS })
  for (let made = 0; made < count; made += 1)
    log.record({
      id: newId(now()),
      walletId,
      keyId: budgetId,
      externalId: null,
      surface: 'mcp',
      service: 'semantic',
      action: 'search',
      httpStatus: 400,
      error: { code: 'invalid_params', message: 'm', param: null, fix: 'f' },
      isReplayed: false,
      isCharged: false,
      hasTransaction: false,
      durationMs: 1,
    })
  await log.close()
}

describe('a watch', () => {
  test('reports a call when it begins and when it ends, once each, and rejected ones', async () => {
    const watch = openWatch()
    const seen: RecentCall[] = []
    watch.watch(watcher(seen))
    await watch.read()
    const held = await hold()
    assert.ok(held.opened)
    for (let count = 0; count < 2; count += 1) await watch.read()
    assert.deepEqual(
      seen.map(({ call }) => call.charge),
      ['pending'],
    )
    await ledger.resolve({ hold: held, charge: 500n, latencyMs: 3, errorCode: null, hops: null })
    await rejectCalls(1)
    for (let count = 0; count < 2; count += 1) await watch.read()
    assert.deepEqual(
      seen.map(({ call }) => [call.charge, call.http_status]),
      [
        ['pending', null],
        ['charged', 200],
        ['not_charged', 400],
      ],
    )
    watch.close()
  })

  test('reports the end of a slow call after many newer calls', async () => {
    const watch = openWatch()
    const seen: RecentCall[] = []
    watch.watch(watcher(seen))
    const slow = await hold()
    assert.ok(slow.opened)
    await watch.read()
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: MOST_RECENT }, makeCall))
      await watch.read()
    }
    await ledger.resolve({ hold: slow, charge: 1n, latencyMs: 3, errorCode: null, hops: null })
    for (let count = 0; count < 2; count += 1) await watch.read()
    assert.deepEqual(
      seen.filter(({ id }) => id === slow.id).map(({ call }) => call.charge),
      ['pending', 'charged'],
    )
    watch.close()
  })

  test('reports a gap when a quiet account makes more calls than one read returns', async () => {
    now.advance(3_600_000)
    const watch = openWatch()
    let gaps = 0
    watch.watch(watcher([], { onGap: () => (gaps += 1) }))
    await watch.read()
    await Promise.all(Array.from({ length: MOST_RECENT + 1 }, makeCall))
    await watch.read()
    await watch.read()
    assert.equal(gaps, 1)
    watch.close()
  })

  test('reports a call once when many newer ones are rejected', async () => {
    now.advance(1_000)
    const watch = openWatch()
    const seen: RecentCall[] = []
    watch.watch(watcher(seen))
    await watch.read()
    await makeCall()
    for (let round = 0; round < 5; round += 1) {
      await rejectCalls(MOST_RECENT)
      await watch.read()
    }
    assert.equal(seen.filter(({ call }) => call.charge === 'charged').length, 1)
    watch.close()
  })

  test('reads twice for any number of streams, and nothing without one', async () => {
    const count = { queries: 0 }
    const watch = openWatch(count)
    await watch.read()
    assert.equal(count.queries, 0)
    const leaves = Array.from({ length: 10 }, () => watch.watch(watcher([])))
    await watch.read()
    assert.equal(count.queries, 2)
    for (const leave of leaves) leave()
    await watch.read()
    assert.equal(count.queries, 2)
  })

  test('limits the streams of an account, and ends all at a stop', async () => {
    const watch = openWatch()
    let ended = 0
    const open = () => watch.watch(watcher([], { onEnd: () => (ended += 1) }))
    const leaves = Array.from({ length: 10 }, open)
    assert.throws(open, { code: 'rate_limited' })
    leaves[0]?.()
    leaves[0]?.()
    open()
    assert.throws(open, { code: 'rate_limited' })
    watch.close()
    assert.equal(ended, 10)
  })

  test('survives an outage of the database and continues', async () => {
    let isAway = true
    now.advance(1_000)
    const query: typeof database.query = (...args) =>
      isAway ? Promise.reject(new Error('away')) : database.query(...args)
    const watch = createCallWatch({ database: { query }, now, everyMs: NEVER_MS })
    const seen: RecentCall[] = []
    watch.watch(watcher(seen))
    await watch.read()
    const held = await hold()
    isAway = false
    await watch.read()
    assert.deepEqual(
      seen.map(({ id }) => id),
      [held.opened ? held.id : null],
    )
    watch.close()
  })
})
