import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { createPlainDispatcher } from '../../upstream/http1/plain-dispatcher.ts'
import { readGenerationRecord } from './generation-record.ts'
import type { ModelUpstream } from '../ask/upstream.ts'

const requests: { readonly url: string; readonly authorization: string | undefined }[] = []
/** Replies in order; repeats the last one. `null`: no reply. */
let answers: readonly (readonly [number, string] | null)[] = []
const server = createServer(({ url = '', headers: { authorization } }, response) => {
  const answer = answers[Math.min(requests.length, answers.length - 1)]
  requests.push({ url, authorization })
  if (answer != null)
    response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1])
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
const dispatcher = createPlainDispatcher()
after(async () => {
  await dispatcher.destroy()
  server.close()
})
beforeEach(() => void requests.splice(0))

const upstream: ModelUpstream = {
  name: 'llm',
  origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  basePath: '/api/v1',
  key: 'secret',
  dispatcher,
  defaultRates: null,
  isAggregator: true,
  remembersList: true,
}
const read = (id: unknown, recordMs = 60_000) =>
  readGenerationRecord(upstream, id, { recordMs, recordPauseMs: 1 })
const PENDING = [404, '{"error":{"code":404,"message":"Generation gen-1 not found"}}'] as const
const RECORD = {
  id: 'gen-1',
  native_tokens_prompt: 10,
  native_tokens_completion: 25,
  native_tokens_reasoning: 5,
  native_tokens_cached: 3,
  total_cost: 0.0015,
  is_byok: false,
}

test("reads a record with the upstream's key as soon as it exists", async () => {
  answers = [PENDING, [500, 'oops'], [429, '{}'], [200, JSON.stringify({ data: RECORD })]]
  const found = await read('gen-1')
  assert.deepEqual(
    [
      found?.usage.prompt,
      found?.usage.completion,
      found?.usage.reasoning,
      found?.usage.cacheRead,
      found?.cost,
    ],
    [10, 25, 5, 3, 1_500n],
  )
  assert.deepEqual(
    requests,
    Array.from({ length: 4 }, () => ({
      url: '/api/v1/generation?id=gen-1',
      authorization: 'Bearer secret',
    })),
  )
})

test('requests once from an upstream without records, and never for unrecorded ids', async () => {
  for (const answer of [
    [404, '{"detail":"Not Found"}'],
    [404, '<html>'],
    [401, '{"error":{}}'],
    [200, 'no JSON'],
  ] as const) {
    requests.length = 0
    answers = [answer]
    assert.equal(await read('gen-1'), null)
    assert.equal(requests.length, 1, answer[1])
  }
  requests.length = 0
  for (const id of [undefined, 7, 'chatcmpl-1', 'gen-../models', `gen-${'x'.repeat(300)}`])
    assert.equal(await read(id), null)
  assert.equal(requests.length, 0)
})

test('waits for a missing record no longer than its time limit', async () => {
  for (const answer of [PENDING, null]) {
    answers = [answer]
    assert.equal(await read('gen-1', 50), null)
  }
})
