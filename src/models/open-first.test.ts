import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Candidate } from './model.ts'
import { openFirst, ROUTER_TIMES } from './open-first.ts'
import { readCompletionRequest } from './read-request.ts'

test('nobody is asked for a caller who hung up before anybody could be', async () => {
  let asked = 0
  const dispatcher = { dispatch: () => (asked += 1) }
  const upstream = { name: 'llm', origin: 'http://127.0.0.1:9', basePath: '', key: null, dispatcher, defaultRates: null, isAggregator: true, remembersList: false }
  const rates = { prompt: 1n, completion: 1n, overrides: [] }
  const model = { id: 'a/b', name: 'a/b', createdSeconds: 0, contextLength: null, maxCompletionTokens: null, rates, inputModalities: ['text'], parameters: null }
  const candidate: Candidate = { id: 'a/b', upstreamModel: 'a/b', upstream, model, rates, isPricedByUpstream: true }
  const line = { isGone: true, onGone: (listener: () => void) => listener(), start: () => {}, write: () => true, onDrain: () => {}, end: () => {} }
  const request = readCompletionRequest({ model: 'a/b', messages: [{ role: 'user', content: 'Hello.' }] })
  const opening = openFirst({ request, candidates: [candidate], maxTokens: 5, promptTokens: 5, accountId: newId(systemClock()), line, times: ROUTER_TIMES, now: systemClock, hops: [] })
  await assert.rejects(opening, { name: 'CallerGone' })
  assert.equal(asked, 0)
})
