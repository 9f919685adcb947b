import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newId } from '../lib/ids.ts'
import { createJobWaiters } from './waiters.ts'

const WAIT_MS = 60_000
const id = newId(0)
const neverAborted = new AbortController().signal

describe('a call that waits for a job', () => {
  it('is answered at its timeout and not before', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] })
    let isAnswered = false
    const { promise } = createJobWaiters().waitFor(id, WAIT_MS, neverAborted)
    void promise.then(() => (isAnswered = true))
    test.mock.timers.tick(WAIT_MS - 1)
    await Promise.resolve()
    assert.equal(isAnswered, false)
    test.mock.timers.tick(1)
    await promise
  })

  it('stops waiting when the caller disconnects', async () => {
    const gone = new AbortController()
    const { promise } = createJobWaiters().waitFor(id, WAIT_MS, gone.signal)
    gone.abort()
    await assert.doesNotReject(promise)
  })

  it('is answered when the process stops, even if it begins to wait afterwards', async () => {
    const ends = createJobWaiters()
    const { promise } = ends.waitFor(id, WAIT_MS, neverAborted)
    ends.close()
    await assert.doesNotReject(promise)
    await assert.doesNotReject(ends.waitFor(id, WAIT_MS, neverAborted).promise)
  })
})
