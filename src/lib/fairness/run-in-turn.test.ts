import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlots } from './fair-slots.ts'
import { manualTiming } from './testing/manual-timing.ts'
import { runInTurn } from './run-in-turn.ts'

const visitor = (accountId: string) => ({ accountId, signal: new AbortController().signal })

function setUp() {
  const clock = manualTiming()
  const slots = createSlots({ places: 1, waiting: 9, what: 'a turn', timing: clock.timing })
  const log: string[] = []
  /** Work that takes this time on the manual clock. */
  const run = (accountId: string, ms: number) =>
    runInTurn(slots, visitor(accountId), 5_000, async (turn) => {
      log.push(`${accountId} at ${clock.nowMs()}`)
      await clock.pause(ms, turn)
      return accountId
    })
  return { clock, slots, log, run }
}

test('a long work of one account delays a short one of another by its share', async () => {
  const { clock, log, run } = setUp()
  const long = run('a', 60_000)
  await clock.advance(1_000)
  const short = run('b', 3_000)
  await clock.advance(90_000)
  assert.deepEqual(await Promise.all([long, short]), ['a', 'b'])
  assert.deepEqual(log, ['a at 0', 'b at 5000', 'a at 8000'])
})

test('works of accounts that always wait end, because their shares double', async () => {
  const { clock, log, run } = setUp()
  const works = [run('a', 30_000), run('b', 30_000)]
  await clock.advance(200_000)
  await Promise.all(works)
  assert.deepEqual(log.slice(-2), ['a at 70000', 'b at 100000'])
})

test('work that fails or whose caller leaves is not repeated', async () => {
  const { log, slots } = setUp()
  const failing = async () => {
    log.push('failed')
    throw new TypeError('broken file')
  }
  await assert.rejects(runInTurn(slots, visitor('a'), 5_000, failing), TypeError)
  const caller = new AbortController()
  const left = runInTurn(slots, { accountId: 'a', signal: caller.signal }, 5_000, (turn) => {
    log.push('began')
    return new Promise((_, reject) => turn.addEventListener('abort', () => reject(turn.reason)))
  })
  await Promise.resolve()
  caller.abort()
  await assert.rejects(left, { name: 'AbortError' })
  assert.deepEqual([log, slots.use().taken], [['failed', 'began'], 0])
})
