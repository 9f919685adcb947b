import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../test/harness/beds/world.ts'
import { sum } from '../read-daily-stack.ts'
import { countCalls } from './count-calls.ts'

const { account, call, database, now } = await createWorld()
const MINUTE_MS = 60_000

test('counts calls in the bar of their time, and reports a scan that ended early', async () => {
  const { caller } = await account()
  const fromMs = now()
  await call(caller, { hold: '0.01' })
  now.advance(2 * MINUTE_MS)
  await call(caller, { hold: '0.02' })
  await call(caller, { hold: '0.04', open: true })
  const read = (lookedThrough: number) =>
    countCalls(
      { database, lookedThrough },
      {
        walletId: caller.walletId,
        filter: { fromMs },
        toMs: now(),
        bucketMs: MINUTE_MS,
      },
    )
  // The account's first credit is scanned, too.
  const all = await read(4)
  assert.deepEqual(
    [all.counts.charged, all.counts.pending, all.chargedMicros, all.complete],
    [[1, 0, 1], [0, 0, 1], 300, true],
  )
  const cut = await read(1)
  assert.deepEqual([sum(cut.counts.charged), cut.complete], [1, false])
})

test('counts nothing of other accounts', async () => {
  const { caller } = await account()
  const fromMs = now()
  await call(caller, { hold: '0.01' })
  const other = (await account()).caller
  const { counts, complete } = await countCalls(
    { database },
    { walletId: other.walletId, filter: { fromMs }, toMs: now(), bucketMs: MINUTE_MS },
  )
  assert.deepEqual([counts.charged, complete], [[0], true])
})
