import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../lib/clock.ts'
import { cents } from '../../lib/money.ts'
import type { Extracted } from './extraction.ts'
import { limitUnpaid } from './limit-unpaid.ts'

const NO_FIT: Extracted = { kind: 'failed', reason: 'no fit', isAnswered: true }
const UNANSWERED: Extracted = { kind: 'failed', reason: 'no model' }
const DATA: Extracted = { kind: 'data', data: { price: 40 }, isCut: false }

/** Extractions of 10 cents each. */
function setUp() {
  let [calls, nowMs]: [number, number] = [0, 1_000]
  let answer: Extracted = NO_FIT
  const extract = limitUnpaid(
    async () => {
      calls += 1
      return answer
    },
    () => nowMs,
  )
  return {
    answer: (next: Extracted) => void (answer = next),
    advance: (ms: number) => void (nowMs += ms),
    /** The number of requests to the model. */
    async run(times: number, accountId = 'a', mode: 'live' | 'test' = 'live'): Promise<number> {
      const before = calls
      await Promise.all(
        Array.from({ length: times }, () =>
          extract({
            wanted: { schema: { not: {} } },
            pages: [],
            mostMicros: cents('10'),
            mode,
            visitor: { accountId, signal: new AbortController().signal },
          }),
        ),
      )
      return calls - before
    },
  }
}

test('stops extractions that an account never pays for, for an hour', async () => {
  const { run, advance } = setUp()
  assert.equal(await run(20), 5)
  assert.equal(await run(1), 0)
  assert.equal(await run(1, 'b'), 1)
  assert.equal(await run(20, 'a', 'test'), 20)
  advance(HOUR_MS)
  assert.equal(await run(20), 5)
})

test('does not limit extractions that return data, or that no model answered', async () => {
  const { run, answer } = setUp()
  for (const result of [DATA, UNANSWERED]) {
    answer(result)
    for (let round = 0; round < 20; round += 1) assert.equal(await run(5), 5)
  }
  for (let round = 0; round < 20; round += 1) {
    answer(NO_FIT)
    assert.equal(await run(2), 2)
    answer(DATA)
    assert.equal(await run(2), 2)
  }
})
