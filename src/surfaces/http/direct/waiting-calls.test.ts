import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  EARLY_REJECTED_AFTER_MS,
  MOST_WAITING,
  STALE_MS,
  WaitingCalls,
  type WaitingCall,
} from './waiting-calls.ts'

/** A call that writes down what happens to it. */
function callOf(log: string[], arrivedMs: number, facts: Partial<WaitingCall> = {}): WaitingCall {
  return {
    group: 'one',
    arrivedMs,
    isEarly: false,
    isWaiting: true,
    start: () => void log.push(`start ${facts.group ?? ''}${arrivedMs}`),
    reject: () => void log.push(`reject ${arrivedMs}`),
    ...facts,
  }
}

function waitingSince(log: string[], ...arrivalsMs: number[]): WaitingCalls {
  const calls = new WaitingCalls()
  for (const arrivedMs of arrivalsMs) calls.add(callOf(log, arrivedMs))
  return calls
}

function startUpTo(calls: WaitingCalls, count: number, nowMs: number): void {
  for (let started = 0; started < count && calls.startNext(nowMs); started += 1) continue
}

describe('calls that wait for capacity', () => {
  it('start in the order of their arrival while none waits for long', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1, 2, 3, 4)
    startUpTo(calls, 3, 10)
    assert.deepEqual([log, calls.size], [['start 1', 'start 2', 'start 3'], 1])
    assert.deepEqual([calls.startNext(10), calls.startNext(10)], [true, false])
    assert.equal(calls.isContended, false)
  })

  it('start the newest first once the oldest waits for long', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1, 298, 299, 300)
    startUpTo(calls, 2, 301)
    assert.deepEqual(log, ['start 300', 'start 299'])
  })

  it('start alternately for all accounts, however many calls each has', () => {
    const log: string[] = []
    const calls = new WaitingCalls()
    for (let at = 0; at < 100; at += 1) calls.add(callOf(log, at, { group: 'flood' }))
    for (const at of [100, 101]) calls.add(callOf(log, at, { group: 'polite' }))
    startUpTo(calls, 4, 102)
    assert.deepEqual(log, ['start flood0', 'start polite100', 'start flood1', 'start polite101'])
  })

  it('do not start once they waited too long', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1, 2)
    startUpTo(calls, 2, 1 + STALE_MS)
    assert.deepEqual([log, calls.isContended, calls.size], [['start 2'], false, 1])
  })

  it('are rejected in the order of their arrival', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1, 2, 3, 4)
    assert.equal(calls.rejectOld(2 + STALE_MS), 2)
    assert.deepEqual([log, calls.size], [['reject 1', 'reject 2'], 2])
    assert.equal(calls.rejectOld(9 + STALE_MS), 2)
    assert.deepEqual([log.slice(2), calls.size], [['reject 3', 'reject 4'], 0])
  })

  it('are rejected later if their clients did not wait for Retry-After', () => {
    const log: string[] = []
    const calls = new WaitingCalls()
    calls.add(callOf(log, 1, { isEarly: true }))
    assert.equal(calls.rejectOld(EARLY_REJECTED_AFTER_MS), 0)
    assert.equal(calls.rejectOld(1 + EARLY_REJECTED_AFTER_MS), 1)
  })

  it('are rejected before their time when too many wait', () => {
    const log: string[] = []
    const calls = new WaitingCalls()
    for (let at = 0; at < MOST_WAITING + 2; at += 1)
      calls.add(callOf(log, at / MOST_WAITING, { isEarly: at % 2 === 1 }))
    assert.equal(calls.rejectOld(1), 2)
    assert.equal(calls.size, MOST_WAITING)
  })

  it('cost no capacity and get no response when their connection has closed', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1)
    calls.add(callOf(log, 2, { isWaiting: false }))
    startUpTo(calls, 2, 3)
    calls.add(callOf(log, 4, { isWaiting: false }))
    assert.equal(calls.rejectOld(9 + STALE_MS), 0)
    assert.deepEqual([log, calls.size], [['start 1'], 0])
  })

  it('all start when the server stops', () => {
    const log: string[] = []
    const calls = waitingSince(log, 1, 2, 3)
    calls.rejectOld(1 + STALE_MS)
    calls.startAll()
    assert.deepEqual([log, calls.size], [['reject 1', 'start 2', 'start 3'], 0])
  })

  it('counts each call once, however it ends', () => {
    const log: string[] = []
    const calls = new WaitingCalls()
    for (let at = 0; at < 1_000; at += 1) {
      calls.add(callOf(log, at, { group: `${at % 7}-`, isEarly: at % 3 === 0 }))
      if (at % 2 === 0) calls.startNext(at)
      calls.rejectOld(at)
    }
    calls.startAll()
    assert.deepEqual(
      [log.length, new Set(log.map((line) => /\d+$/.exec(line)?.[0])).size],
      [1_000, 1_000],
    )
    assert.equal(calls.size, 0)
  })
})
