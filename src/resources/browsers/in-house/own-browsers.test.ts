import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { LONGEST_SECONDS } from '../browser-driver.ts'
import { createOwnBrowsers, type OwnBrowsers } from './own-browsers.ts'

let ends: number
let own: OwnBrowsers

beforeEach(async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  ends = 0
  own = createOwnBrowsers({
    start: async () => ({
      hub: { connect: () => assert.fail('connects no client') },
      ended: new Promise(() => undefined),
      end: async () => void (ends += 1),
    }),
    places: 2,
    publicUrl: 'http://gate.example',
    graceMs: 0,
  })
  const { signal } = new AbortController()
  await own.open({ session: 'ses_1', accountId: 'one', keepAlive: true, signal })
})
afterEach(() => mock.timers.reset())

describe('a session without a database', () => {
  it('ends after the longest duration', () => {
    mock.timers.tick(LONGEST_SECONDS * 1000 - 1)
    assert.equal(ends, 0)
    mock.timers.tick(1)
    assert.equal(ends, 1)
  })

  it('ends after its last known paid time', () => {
    own.endAfter('ses_1', 1_000)
    own.endAfter('ses_1', 5_000)
    mock.timers.tick(4_999)
    assert.equal(ends, 0)
    mock.timers.tick(1)
    assert.equal(ends, 1)
  })
})
