import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { runCall } from '../run.ts'
import { createLoopWatch } from './loop-watch.ts'

const bed = await openCallBed()
const calls = { ...bed.calls, loops: createLoopWatch(bed.clock) }
const FOUND = [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }]

const search = async (body: object, idempotencyKey?: string) => {
  const { body: text, replayed } = await runCall(
    calls,
    bed.request(
      'semantic',
      'search',
      body,
      idempotencyKey === undefined
        ? {}
        : { idempotency: { key: idempotencyKey, fingerprint: 'aa'.repeat(32) } },
    ),
  )
  return { ...(JSON.parse(text) as { advice?: { code: string; spent_micros: number } }), replayed }
}

test('an agent that repeats a paid call reads advice in the fifth answer, and pays as before', async () => {
  let count = 0
  bed.vendor.answerWith(() => ({ body: { requestId: `r${(count += 1)}`, results: FOUND } }))
  const { balance: before } = await bed.balance()
  for (let place = 0; place < 4; place += 1)
    assert.equal((await search({ query: 'same' })).advice, undefined)
  const fifth = await search({ query: 'same' })
  const { balance: after } = await bed.balance()
  assert.deepEqual(
    [fifth.advice?.code, fifth.advice?.spent_micros],
    ['repeated_call', Number(before - after)],
  )
})

test('replays are never counted as repetitions', async () => {
  bed.vendor.answerWith(() => ({ body: { requestId: 'r', results: FOUND } }))
  const first = await search({ query: 'replayed' }, 'one-key')
  for (let place = 0; place < 8; place += 1) {
    const { replayed, advice } = await search({ query: 'replayed' }, 'one-key')
    assert.deepEqual([replayed, advice], [true, undefined])
  }
  assert.equal(first.replayed, false)
})
