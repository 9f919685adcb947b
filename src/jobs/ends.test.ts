import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newId } from '../lib/ids.ts'
import { createJobEnds } from './ends.ts'

const WAIT_MS = 60_000
const id = newId(0)
const nobodyLeft = new AbortController().signal

describe('who waits for a job', () => {
  it('that does not end is answered when the time is up, and not before', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] })
    let isAnswered = false
    const { promise } = createJobEnds().waitFor(id, WAIT_MS, nobodyLeft)
    void promise.then(() => (isAnswered = true))
    test.mock.timers.tick(WAIT_MS - 1)
    await Promise.resolve()
    assert.equal(isAnswered, false)
    test.mock.timers.tick(1)
    await promise
  })

  it('waits no longer once the caller has gone', async () => {
    const gone = new AbortController()
    const { promise } = createJobEnds().waitFor(id, WAIT_MS, gone.signal)
    gone.abort()
    await promise
  })

  it('is answered when the process stops, also when the waiting begins only then', async () => {
    const ends = createJobEnds()
    const { promise } = ends.waitFor(id, WAIT_MS, nobodyLeft)
    ends.close()
    await promise
    await ends.waitFor(id, WAIT_MS, nobodyLeft).promise
  })
})
