import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Candidate } from '../lists/model.ts'
import { openFirst, ROUTER_TIMES, type RouterTimes } from './open-first.ts'
import { readCompletionRequest } from './read-request.ts'

const TIMES: RouterTimes = { ...ROUTER_TIMES, firstByteMs: 10_000, answerMs: 100_000 }

/** A call for `count` silent models, with a clock that `wait` advances. */
function callOf(
  { mock }: TestContext,
  count: number,
  { isDisconnected = false, stream = true } = {},
) {
  const clock = manualClock(0)
  mock.timers.enable({ apis: ['setTimeout'] })
  let asked = 0
  const dispatcher = { dispatch: () => (asked += 1) }
  const upstream = {
    name: 'llm',
    origin: 'http://127.0.0.1:9',
    basePath: '',
    key: null,
    dispatcher,
    defaultRates: null,
    isAggregator: true,
    remembersList: false,
  }
  const rates = { prompt: 1n, completion: 1n, overrides: [] }
  const model = {
    id: 'a/b',
    name: 'a/b',
    createdSeconds: 0,
    contextLength: null,
    maxCompletionTokens: null,
    rates,
    inputModalities: ['text'],
    parameters: null,
  }
  const candidate: Candidate = {
    id: 'a/b',
    upstreamModel: 'a/b',
    upstream,
    model,
    rates,
    isPricedByUpstream: true,
  }
  const line = {
    isDisconnected,
    onDisconnect: (listener: () => void) => void (isDisconnected && listener()),
  }
  const request = readCompletionRequest({
    model: 'a/b',
    stream,
    messages: [{ role: 'user', content: 'Hello.' }],
  })
  let isOver = false
  const opening = openFirst({
    request,
    candidates: Array.from({ length: count }, () => candidate),
    maxTokens: 5,
    promptTokens: 5,
    accountId: newId(0),
    line,
    leave: () => {},
    calls: [],
    times: TIMES,
    now: clock,
    hops: [],
  }).finally(() => (isOver = true))
  opening.catch(() => undefined)
  return {
    opening,
    asked: () => asked,
    isOver: () => isOver,
    async wait(ms: number, lateMs = 0): Promise<void> {
      clock.advance(ms + lateMs)
      mock.timers.tick(ms)
      await new Promise((turn) => setImmediate(turn))
    },
  }
}

test('calls no upstream if the caller has already disconnected', async (t) => {
  const { opening, asked } = callOf(t, 1, { isDisconnected: true })
  await assert.rejects(opening, { name: 'CallerDisconnected' })
  assert.equal(asked(), 0)
})

test('tries the next model after a silent one; the last one gets exactly the remaining time', async (t) => {
  const { opening, asked, isOver, wait } = callOf(t, 2)
  await wait(9_999)
  assert.equal(asked(), 1)
  await wait(1)
  assert.equal(asked(), 2)
  await wait(89_999)
  assert.equal(isOver(), false)
  await wait(1)
  assert.equal(isOver(), true)
  await assert.rejects(opening, { code: 'upstream_timeout' })
})

test('tries no further model after the time of the call, which its hold covers', async (t) => {
  const { opening, asked, wait } = callOf(t, 3)
  await wait(10_000, 90_000)
  await assert.rejects(opening, { code: 'upstream_timeout' })
  assert.equal(asked(), 1)
})
