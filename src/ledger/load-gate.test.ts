import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLoadGate, type LoadGate } from './load-gate.ts'

const TURN_MS = 10

/** A gateway whose ledger finishes a number of operations per step, in order of arrival. */
function openQueue(perTurn: number) {
  let now = 0
  const gate: LoadGate = createLoadGate({
    nowMs: () => now,
    targetMs: 80,
    intervalMs: 100,
    alwaysAdmitted: 20,
  })
  const queue: number[] = []
  const waits: number[] = []
  return {
    gate,
    queue,
    waits,
    /** Lets calls arrive in each step. Returns the number of admitted calls. */
    run(turns: number, offered: number, ends = perTurn): number {
      let admitted = 0
      for (let turn = 0; turn < turns; turn += 1) {
        for (let call = 0; call < offered; call += 1) {
          if (gate.capacity() <= 0) {
            gate.countRejection()
            continue
          }
          admitted += 1
          gate.enter()
          queue.push(now)
        }
        now += TURN_MS
        const ended = queue.splice(0, ends)
        if (ended.length === 0) continue
        waits.push(...ended.map((sinceMs) => now - sinceMs))
        gate.leave(ended.length, ended[0] ?? now)
      }
      return admitted
    },
  }
}

describe('the load gate', () => {
  it('admits every call while calls arrive no faster than they end', () => {
    const { run, gate } = openQueue(10)
    assert.equal(run(1_000, 10), 10_000)
    assert.deepEqual([gate.rejected(), gate.isShedding()], [0, false])
  })

  it('keeps the wait near its target and uses all capacity at five times the load', () => {
    const { run, waits } = openQueue(10)
    run(100, 50)
    waits.length = 0
    const admitted = run(500, 50)
    assert.ok(admitted >= 0.95 * 500 * 10, `${admitted} admitted`)
    assert.ok(Math.max(...waits) <= 2 * 80, `${Math.max(...waits)} ms at most`)
  })

  it('admits a burst that ends within an interval', () => {
    const { run, gate } = openQueue(50)
    assert.equal(run(1, 400), 400)
    run(50, 10)
    assert.equal(gate.rejected(), 0)
  })

  it('admits every call again within a second after an overload', () => {
    const { run, gate } = openQueue(10)
    run(200, 50)
    assert.ok(gate.isShedding())
    run(100, 5)
    assert.equal(gate.isShedding(), false)
    assert.equal(run(100, 10), 1_000)
  })

  it('rejects calls while no operation ends, except the few that can always wait', () => {
    const { run, gate, queue } = openQueue(10)
    run(10, 10)
    run(100, 1, 0)
    assert.equal(queue.length, 20)
    assert.ok(gate.isShedding())
  })

  it('admits as many operations as keep the wait at its target, and none when stuck', () => {
    let nowMs = 0
    const gate = createLoadGate({ nowMs: () => nowMs, alwaysAdmitted: 4 })
    assert.equal(gate.capacity(), 4)
    for (let count = 0; count < 4; count += 1) gate.enter()
    assert.equal(gate.capacity(), Number.POSITIVE_INFINITY)
    nowMs = 10_000
    assert.equal(gate.capacity(), 0)
    gate.countRejection()
    assert.equal(gate.rejected(), 1)
  })

  it('estimates the wait of the next call by the current rate', () => {
    const { run, gate, queue } = openQueue(10)
    run(100, 12)
    assert.equal(gate.expectedWaitMs(), queue.length)
  })
})
