import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { STALE_MS, WaitingCalls, type WaitingCall } from './waiting-calls.ts'

/** A call that writes down what happens to it. */
function callOf(log: string[], arrivedMs: number, isWaiting = true): WaitingCall {
  return {
    arrivedMs,
    isWaiting,
    start: () => void log.push(`start ${arrivedMs}`),
    reject: () => void log.push(`reject ${arrivedMs}`),
  }
}

function waitingSince(log: string[], ...arrivalsMs: number[]): WaitingCalls {
  const calls = new WaitingCalls()
  for (const arrivedMs of arrivalsMs) calls.add(callOf(log, arrivedMs))
  return calls
}

describe('calls that wait for capacity', () => {
  it('start in the reverse order of their arrival, as many as there is capacity for', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1, 2, 3, 4)
    assert.equal(calls.startNewest(3, 10), 0)
    assert.deepEqual([log, calls.size], [['start 4', 'start 3', 'start 2'], 1])
    assert.equal(calls.startNewest(3, 10), 2)
  })

  it('do not start once they waited too long', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1, 2)
    assert.equal(calls.startNewest(2, 2 + STALE_MS), 1)
    assert.deepEqual(log, ['start 2'])
  })

  it('are rejected in the order of their arrival', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1, 2, 3, 4)
    calls.rejectOldest(2)
    assert.deepEqual([log, calls.size], [['reject 1', 'reject 2'], 2])
    calls.rejectOldest(9)
    assert.deepEqual([log.slice(2), calls.size], [['reject 3', 'reject 4'], 0])
  })

  it('cost no capacity and get no response when their connection has closed', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1)
    calls.add(callOf(log, 2, false))
    assert.equal(calls.startNewest(1, 3), 0)
    calls.add(callOf(log, 4, false))
    calls.rejectOldest(9)
    assert.deepEqual([log, calls.size], [['start 1'], 0])
  })

  it('all start when the server stops', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1, 2, 3)
    calls.rejectOldest(1)
    calls.startAll()
    assert.deepEqual([log, calls.size], [['reject 1', 'start 2', 'start 3'], 0])
  })
})
