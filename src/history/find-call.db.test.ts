import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { openAppBed } from '../../test/harness/beds/app.ts'
import { mcpClient } from '../../test/harness/clients/mcp.ts'
import type { CallState } from './find-call.ts'

const bed = await openAppBed()
const { app } = bed
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const SEARCH = '/api/run/semantic/search'

beforeEach(() => bed.vendor.answerWith(() => ({ body: FOUND })))

const headersOf = (key: string) => ({ authorization: `Bearer ${key}` })
const look = (path: string, key = bed.liveKey) =>
  app.inject({ url: `/api/v1/calls${path}`, headers: headersOf(key) })
const stateOf = async (path: string, key = bed.liveKey): Promise<CallState> =>
  (await look(path, key)).json().data
const search = (idempotencyKey: string, body: object = { query: 'a' }, key = bed.liveKey) =>
  app.inject({
    method: 'POST',
    url: SEARCH,
    headers: { ...headersOf(key), 'idempotency-key': idempotencyKey },
    payload: body,
  })

async function makeKey(scope: 'own' | 'account'): Promise<string> {
  const made = await bed.post('/api/v1/agents', { label: scope, scope })
  return made.json().data.key
}

describe('a call whose response was lost', () => {
  test('is found with its answer by its idempotency key and by its ids', async () => {
    const sent = await search('lost-1')
    const state = await stateOf('?idempotency_key=lost-1')
    assert.deepEqual(
      [state.state, state.answer, state.charged_micros],
      ['answered', { status: 200, body: sent.json() }, sent.json().charged_micros],
    )
    assert.equal(state.request_id, sent.headers['x-request-id'])
    for (const id of [state.request_id, state.transaction_id])
      assert.deepEqual(await stateOf(`/${id}`), state)
  })

  test('is reported as running until it ends', async () => {
    const asked = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    bed.vendor.answerWith(async () => {
      asked.resolve()
      await finish.promise
      return { body: FOUND }
    })
    const running = search('running')
    await asked.promise
    const { state, answer } = await stateOf('?idempotency_key=running')
    finish.resolve()
    await running
    assert.deepEqual([state, answer], ['in_progress', null])
    assert.equal((await stateOf('?idempotency_key=running')).state, 'answered')
  })

  test('is unknown under its key and uncharged under its id after a failure', async () => {
    bed.vendor.answerWith(() => ({ status: 500 }))
    const failed = await search('failed')
    assert.equal(failed.statusCode, 502)
    assert.equal((await stateOf('?idempotency_key=failed')).state, 'unknown')
    const state = await stateOf(`/${String(failed.headers['x-request-id'])}`)
    assert.deepEqual(
      [state.state, state.charged_micros, state.error_code, state.answer],
      ['uncharged', 0, 'upstream_error', null],
    )
  })

  test('without an idempotency key has a state and no answer', async () => {
    const sent = await bed.post(SEARCH, { query: 'no key' })
    const state = await stateOf(`/${String(sent.headers['x-request-id'])}`)
    assert.deepEqual([state.state, state.answer], ['answered', null])
  })

  test('is invisible to other accounts, other modes and sibling keys of scope "own"', async () => {
    const [maker, sibling, wide] = await Promise.all([
      makeKey('own'),
      makeKey('own'),
      makeKey('account'),
    ])
    const sent = await search('mine-alone', { query: 'b' }, maker)
    const id = String(sent.headers['x-request-id'])
    for (const key of [maker, wide, bed.liveKey]) {
      assert.equal((await stateOf('?idempotency_key=mine-alone', key)).state, 'answered')
      assert.equal((await stateOf(`/${id}`, key)).state, 'answered')
    }
    for (const key of [sibling, bed.testKey, bed.strangerKey]) {
      assert.equal((await stateOf('?idempotency_key=mine-alone', key)).state, 'unknown')
      const refused = await look(`/${id}`, key)
      assert.deepEqual(
        [refused.statusCode, refused.json().error.code],
        [404, 'unknown_transaction'],
      )
    }
  })

  test('never reveals a stored answer with a secret', async () => {
    await app.inject({
      method: 'POST',
      url: '/api/v1/agents',
      headers: { ...headersOf(bed.liveKey), 'idempotency-key': 'makes-a-key' },
      payload: { label: 'sealed' },
    })
    assert.equal((await stateOf('?idempotency_key=makes-a-key')).state, 'unknown')
  })

  test('rejects a look-up with filters and an invalid id', async () => {
    const both = await look('?idempotency_key=a&service=semantic')
    assert.deepEqual([both.statusCode, both.json().error.param], [400, 'service'])
    assert.equal((await look('/not-an-id')).statusCode, 404)
  })

  test('is found by the result tool', async () => {
    const client = mcpClient(bed)
    await search('over-mcp')
    const { result } = await client.ask<{ structuredContent: { data: CallState } }>('tools/call', {
      name: 'result',
      arguments: { idempotency_key: 'over-mcp' },
    })
    assert.equal(result.structuredContent.data.state, 'answered')
  })
})

describe('a repeated body', () => {
  test('is the same request with its members in another order, and another one with other values', async () => {
    const first = await search('by-meaning', { query: 'c', numResults: 3 })
    assert.equal(first.statusCode, 200)
    const again = await search('by-meaning', { numResults: 3, query: 'c' })
    assert.deepEqual([again.headers['idempotency-replayed'], again.body], ['true', first.body])
    const other = await search('by-meaning', { query: 'c', numResults: 4 })
    assert.equal(other.json().error.code, 'idempotency_key_reused')
  })
})
