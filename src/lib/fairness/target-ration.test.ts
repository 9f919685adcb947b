import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { AppError } from '../../errors/app-error.ts'
import { HOUR_MS } from '../clock.ts'
import { createTargetRation } from './target-ration.ts'

const open = (clock = manualClock(1_000_000)) =>
  createTargetRation({
    now: clock,
    ofAccount: 20,
    ofAccountToTarget: 4,
    toTarget: 10,
    what: 'email checks',
  })
const isLimited = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'rate_limited'

test('bounds the unpaid requests of an account, of an account to a target, and to a target', () => {
  const clock = manualClock(1_000_000)
  const ration = open(clock)
  const send = (account: string, target: string): void => {
    ration.admit(account, [target])
    ration.start(account, [target])
  }
  for (let count = 0; count < 4; count += 1) send('a', 'victim')
  assert.throws(() => send('a', 'victim'), isLimited)
  send('a', 'another')
  // One account never uses up the ration of a target.
  for (let count = 0; count < 4; count += 1) send('b', 'victim')
  for (let count = 0; count < 2; count += 1) send('c', 'victim')
  assert.throws(() => send('d', 'victim'), isLimited)
  for (let count = 0; count < 15; count += 1) send('a', `target ${count}`)
  assert.throws(() => send('a', 'fresh'), isLimited)
  send('d', 'fresh')
  clock.advance(HOUR_MS)
  send('a', 'victim')
})

test('lets paid calls and servers that answer continue without end', () => {
  const ration = open()
  for (let count = 0; count < 100; count += 1) {
    ration.admit('a', ['x', 'x'])
    ration.start('a', ['x', 'x'])
    ration.answered('a', ['x', 'x'])
    ration.paid('a')
  }
  for (let count = 0; count < 20; count += 1) {
    ration.admit('b', ['x'])
    ration.start('b', ['x'])
    ration.answered('b', ['x'])
  }
  assert.throws(() => ration.admit('b', ['x']), isLimited)
})
