import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualTiming } from '../../lib/fairness/testing/manual-timing.ts'
import { createPlaces, type Length } from './places.ts'

const SECOND = 1_000

/** Runs calls that take this time on a manual clock, and logs when they end. */
function openMachine(processors: number, boxes: number) {
  const clock = manualTiming()
  const places = createPlaces(processors, boxes, clock.timing)
  const ended: Record<string, number> = {}
  return {
    clock,
    ended,
    call(accountId: string, length: Length, ms: number, name = accountId): Promise<void> {
      const visitor = { accountId, signal: new AbortController().signal }
      return places.run(length, visitor, async (turn) => {
        await clock.pause(ms, turn)
        ended[name] = clock.nowMs()
      })
    },
  }
}

test('speech waits for no long render on a machine of any size', async () => {
  for (const [processors, boxes] of [
    [1, 1],
    [2, 1],
    [2, 11],
    [16, 64],
  ] as const) {
    const { clock, ended, call } = openMachine(processors, boxes)
    for (let at = 0; at < 40; at += 1) void call(`thief ${at % 5}`, 'long', 900 * SECOND)
    await clock.advance(SECOND)
    const speech = call('other', 'short', 300)
    await clock.advance(300)
    await speech
    assert.equal(ended['other'], SECOND + 300, `${processors} processors`)
  }
})

test('a render starts immediately while another account renders all that it may', async () => {
  for (const [processors, boxes] of [
    [1, 4],
    [2, 11],
    [16, 64],
  ] as const) {
    const { clock, ended, call } = openMachine(processors, boxes)
    for (let at = 0; at < 40; at += 1) void call('thief', 'long', 900 * SECOND)
    const render = call('other', 'long', 60 * SECOND)
    await clock.advance(60 * SECOND)
    await render
    assert.equal(ended['other'], 60 * SECOND, `${processors} processors`)
  }
})

test('a render or a frame that occupies the last place yields it within seconds', async () => {
  for (const [length, shareMs] of [
    ['short', 5 * SECOND],
    ['long', 15 * SECOND],
  ] as const) {
    const { clock, ended, call } = openMachine(2, 2)
    const thief = call('thief', length, 120 * SECOND)
    const other = call('other', length, SECOND)
    await clock.advance(shareMs + SECOND)
    await other
    assert.equal(ended['other'], shareMs + SECOND)
    await clock.advance(120 * SECOND)
    await thief
  }
})
