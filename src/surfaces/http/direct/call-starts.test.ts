import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCallStarts, SLICE_MS } from './call-starts.ts'
import { STALE_MS, type WaitingCall } from './waiting-calls.ts'

const COST_MS = 1

/** An event loop whose time passes only with the work in it. A call takes a millisecond to start. */
function openLoop(capacity: () => number = () => Number.POSITIVE_INFINITY) {
  let now = 0
  let rejections = 0
  let started = 0
  let atEnd: (() => void)[] = []
  let timers: { readonly dueMs: number; readonly run: () => void }[] = []
  const starts = createCallStarts({
    load: { capacity, countRejection: () => void (rejections += 1) },
    nowMs: () => now,
    soon: (run) => void atEnd.push(run),
    later: (run, ms) => void timers.push({ dueMs: now + ms, run }),
  })
  const start = (): void => {
    started += 1
    now += COST_MS
  }
  return {
    counts: () => ({ started, rejections }),
    arrive(count: number): void {
      for (let call = 0; call < count; call += 1) {
        const waiting: WaitingCall = {
          group: 'one',
          arrivedMs: now,
          isEarly: false,
          isWaiting: true,
          start,
          reject: () => {},
        }
        if (starts.admits(now)) start()
        else starts.wait(waiting)
      }
    },
    pass: (ms: number) => void (now += ms),
    /** Ends the iteration: timers that are due, then the functions planned for its end. */
    async endIteration(): Promise<void> {
      const due = timers.filter(({ dueMs }) => dueMs <= now)
      timers = timers.filter((timer) => !due.includes(timer))
      const runs = [...due.map(({ run }) => run), ...atEnd.splice(0)]
      for (const run of runs) {
        run()
        await new Promise(setImmediate)
      }
    },
    hasWork: () => atEnd.length + timers.length > 0,
  }
}

describe('the starts of calls', () => {
  it('happen immediately while an iteration of the event loop is short', async () => {
    const loop = openLoop()
    for (let iteration = 0; iteration < 100; iteration += 1) {
      loop.arrive(SLICE_MS)
      await loop.endIteration()
    }
    assert.deepEqual(loop.counts(), { started: 100 * SLICE_MS, rejections: 0 })
    assert.equal(loop.hasWork(), false)
  })

  it('take a bounded part of each iteration, and all of a burst start', async () => {
    const loop = openLoop()
    loop.arrive(20 * SLICE_MS)
    assert.equal(loop.counts().started, SLICE_MS)
    for (let slices = 2; slices <= 20; slices += 1) {
      await loop.endIteration()
      assert.equal(loop.counts().started, slices * SLICE_MS)
    }
    await loop.endIteration()
    assert.equal(loop.hasWork(), false)
  })

  it('use all capacity under twice the load; the other calls are rejected, none is lost', async () => {
    const loop = openLoop()
    let arrived = 0
    // One slice is for calls that arrive, and one for those that wait.
    for (let iteration = 0; iteration < 300; iteration += 1) {
      loop.arrive(4 * SLICE_MS)
      arrived += 4 * SLICE_MS
      await loop.endIteration()
    }
    const { started, rejections } = loop.counts()
    assert.ok(started >= 300 * SLICE_MS, `${started} started`)
    assert.ok(
      rejections > 0 && arrived - started - rejections <= 4 * STALE_MS,
      `${rejections} rejected of ${arrived}`,
    )
  })

  it('wait while the ledger has no capacity, and are rejected when they are stale', async () => {
    const loop = openLoop(() => 0)
    loop.arrive(3)
    await loop.endIteration()
    assert.deepEqual(loop.counts(), { started: 0, rejections: 0 })
    loop.pass(STALE_MS)
    await loop.endIteration()
    assert.deepEqual(loop.counts(), { started: 0, rejections: 3 })
  })
})
