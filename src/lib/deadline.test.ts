import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { Deadline } from './deadline.ts'

describe('a deadline', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('a deadline calls its listeners once, when its time is up', () => {
    const deadline = new Deadline(1000)
    let calls = 0
    deadline.onExpire(() => (calls += 1))
    mock.timers.tick(999)
    assert.deepEqual([calls, deadline.isOver], [0, false])
    mock.timers.tick(5000)
    assert.deepEqual([calls, deadline.isOver], [1, true])
  })

  it('an ended deadline and a removed listener are not called', () => {
    const ended = new Deadline(1000)
    ended.onExpire(() => assert.fail('ended'))
    ended.end()
    const other = new Deadline(1000)
    const listener = (): void => assert.fail('removed')
    other.onExpire(listener)
    other.removeListener(listener)
    mock.timers.tick(5000)
    assert.equal(ended.isOver, false)
  })

  it('a child deadline ends with its parent and leaves nothing behind when it ends first', () => {
    const call = new Deadline(1000)
    const step = new Deadline(60_000, call)
    const early = new Deadline(60_000, call)
    early.end()
    mock.timers.tick(1000)
    assert.deepEqual([step.isOver, early.isOver], [true, false])
  })

  it('a signal is aborted with the deadline, also when it is created afterwards', () => {
    const deadline = new Deadline(1000)
    const before = deadline.signal
    mock.timers.tick(1000)
    assert.equal(before.aborted, true)
    const late = new Deadline(0)
    mock.timers.tick(1)
    assert.equal(late.signal.aborted, true)
  })

  it('calls a late listener immediately', () => {
    const deadline = new Deadline(1)
    mock.timers.tick(1)
    let called = false
    deadline.onExpire(() => (called = true))
    assert.equal(called, true)
  })

  it("reports the remaining time within the parent's; an aborted one has time left", () => {
    const call = new Deadline(1_000)
    const step = new Deadline(60_000, call)
    assert.ok(step.givenMs <= 1_000 && step.givenMs > 500, `given ${step.givenMs} ms`)
    assert.ok(step.leftMs <= step.givenMs)
    step.expire()
    assert.ok(step.isOver && step.leftMs > 0)
    assert.equal(new Deadline(0).leftMs, 0)
    call.end()
  })
})
