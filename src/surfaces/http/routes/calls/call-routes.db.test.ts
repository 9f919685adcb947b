import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { mcpClient } from '../../../../../test/harness/clients/mcp.ts'
import type { CallRecord } from '../../../../history/calls/call-record.ts'

const bed = await openAppBed()
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const SEARCH = '/api/run/semantic/search'

beforeEach(() => bed.vendor.answerWith(() => ({ body: FOUND })))

const list = async (query = '', key = bed.liveKey): Promise<readonly CallRecord[]> => {
  const reply = await bed.get(`/api/v1/calls${query}`, { authorization: `Bearer ${key}` })
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json().data
}

async function makeKey(fields: object): Promise<string> {
  const made = await bed.post('/api/v1/agents', { label: 'calls', ...fields })
  assert.equal(made.statusCode, 201, made.body)
  return made.json().data.key
}

const send = (path: string, body: unknown, key: string, headers: Record<string, string> = {}) =>
  bed.post(path, body, { authorization: `Bearer ${key}`, ...headers })

describe('every call is listed', () => {
  test('with its HTTP status, its error and whether it was charged', async () => {
    const key = await makeKey({ scope: 'own', deny: ['semantic/contents'] })
    const sent = [
      await send(SEARCH, { query: 'a' }, key),
      await send(SEARCH, { query: 'a', nonsense: 1 }, key),
      await send('/api/run/semantic/searhc', {}, key),
      await send('/api/run/semantic/contents', { urls: ['https://a.example'] }, key),
      await send(SEARCH, { query: 'a', max_cost_cents: 0 }, key),
      await send('/api/run/files/list', {}, key),
    ]
    bed.vendor.answerWith(() => ({ status: 500 }))
    sent.push(await send(SEARCH, { query: 'b' }, key))
    const calls = await list('', key)
    assert.deepEqual(
      new Set(calls.map(({ id }) => id)),
      new Set(sent.map(({ headers }) => headers['x-request-id'])),
    )
    const shown = calls
      .toReversed()
      .map(({ charge, http_status, error, action }) => [charge, http_status, error?.code, action])
    assert.deepEqual(shown, [
      ['charged', 200, undefined, 'search'],
      ['not_charged', 400, 'invalid_params', 'search'],
      ['not_charged', 404, 'unknown_action', 'searhc'],
      ['not_charged', 403, 'action_not_allowed', 'contents'],
      ['not_charged', 402, 'max_cost_exceeded', 'search'],
      ['not_charged', 200, undefined, 'list'],
      ['not_charged', 502, 'upstream_error', 'search'],
    ])
    for (const reply of sent.slice(1)) {
      const { error } = reply.json()
      const logged = calls.find(({ id }) => id === reply.headers['x-request-id'])?.error
      assert.deepEqual(
        logged ?? undefined,
        error === undefined
          ? undefined
          : { code: error.code, message: error.message, param: error.param, fix: error.fix },
      )
    }
  })

  test('also one that repeats an idempotency key, and calls over MCP and the router', async () => {
    const key = await makeKey({ scope: 'own' })
    const headers = { 'idempotency-key': 'twice' }
    await send(SEARCH, { query: 'a' }, key, headers)
    await send(SEARCH, { query: 'a' }, key, headers)
    await send('/api/llm/v1/chat/completions', { model: 'no/such-model', messages: [] }, key)
    const client = mcpClient(bed)
    await client.tool(
      'run',
      { service: 'semantic', action: 'search', params: { query: 'a' } },
      { key },
    )
    await client.tool('run', { service: 'semantic', action: 'search', params: {} }, { key })
    const calls = await list('', key)
    assert.deepEqual(
      calls
        .toReversed()
        .map(({ surface, replayed, http_status, charge }) => [
          surface,
          replayed,
          http_status,
          charge,
        ]),
      [
        ['api', false, 200, 'charged'],
        ['api', true, 200, 'not_charged'],
        ['router', false, calls[2]?.http_status, 'not_charged'],
        ['mcp', false, 200, 'charged'],
        ['mcp', false, 400, 'not_charged'],
      ],
    )
    assert.equal((await list('?surface=mcp', key)).length, 2)
    assert.equal((await list('?surface=api', key)).length, 2)
    assert.equal((await list('?surface=router', key)).length, 1)
  })

  test('also with an expired key, and from an address that the key does not allow', async () => {
    const key = await makeKey({ allowed_ips: ['203.0.113.0/24'] })
    const refused = await send(SEARCH, { query: 'a' }, key)
    assert.equal(refused.statusCode, 403)
    const short = await makeKey({ expires_at: new Date(bed.clock() + 60_000).toISOString() })
    bed.clock.advance(61_000)
    const expired = await send(SEARCH, { query: 'a' }, short)
    assert.equal(expired.statusCode, 401)
    const calls = await list('?limit=2')
    assert.deepEqual(
      calls.map(({ id, error }) => [id, error?.code]),
      [
        [expired.headers['x-request-id'], 'key_expired'],
        [refused.headers['x-request-id'], 'ip_not_allowed'],
      ],
    )
  })

  test('in test mode apart from live mode', async () => {
    const sent = await send(SEARCH, { nonsense: 1 }, bed.testKey)
    const id = sent.headers['x-request-id']
    assert.ok((await list('', bed.testKey)).some((call) => call.id === id))
    assert.ok((await list()).every((call) => call.id !== id))
  })
})

describe('the list', () => {
  test('filters by charge, HTTP status, error, action, time and id', async () => {
    const key = await makeKey({ scope: 'own' })
    const paid = await send(SEARCH, { query: 'a' }, key)
    const bad = await send(SEARCH, {}, key)
    bed.vendor.answerWith(() => ({ status: 500 }))
    const failed = await send(SEARCH, { query: 'b' }, key)
    const idOf = ({ headers }: typeof paid) => headers['x-request-id']
    const ids = async (query: string) => (await list(query, key)).map(({ id }) => id)
    assert.deepEqual(await ids('?charge=charged'), [idOf(paid)])
    assert.deepEqual(await ids('?charge=not_charged'), [idOf(failed), idOf(bad)])
    assert.deepEqual(await ids('?charge=pending'), [])
    assert.deepEqual(await ids('?http_status=2xx'), [idOf(paid)])
    assert.deepEqual(await ids('?http_status=400'), [idOf(bad)])
    assert.deepEqual(await ids('?http_status=5xx'), [idOf(failed)])
    assert.deepEqual(await ids('?error_code=upstream_error'), [idOf(failed)])
    assert.deepEqual(await ids('?service=semantic&action=search'), await ids(''))
    assert.deepEqual(await ids('?service=core'), [])
    assert.deepEqual(await ids(`?request_id=${idOf(bad)}`), [idOf(bad)])
    assert.deepEqual(await ids(`?from=${new Date(bed.clock() + 1_000).toISOString()}`), [])
  })

  test('has pages that contain each call once, from both sources', async () => {
    const key = await makeKey({ scope: 'own' })
    for (let count = 0; count < 3; count += 1) {
      await send(SEARCH, { query: 'a' }, key)
      await send(SEARCH, {}, key)
      await send(SEARCH, {}, key)
    }
    const all = (await list('', key)).map(({ id }) => id)
    const paged: (string | null)[] = []
    let cursor = ''
    do {
      const reply = await bed.get(`/api/v1/calls?limit=2${cursor}`, {
        authorization: `Bearer ${key}`,
      })
      const page = reply.json()
      paged.push(...page.data.map(({ id }: CallRecord) => id))
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
    } while (cursor !== '')
    assert.equal(all.length, 9)
    assert.deepEqual(paged, all)
  })

  test('shows a key of scope "own" its own calls only, and strangers nothing', async () => {
    const [one, other] = [await makeKey({ scope: 'own' }), await makeKey({ scope: 'own' })]
    const id = (await send(SEARCH, {}, one)).headers['x-request-id']
    assert.deepEqual(
      (await list('', one)).map((call) => call.id),
      [id],
    )
    assert.deepEqual(await list('', other), [])
    assert.ok((await list()).some((call) => call.id === id))
    for (const key of [other, bed.strangerKey]) {
      const reply = await bed.get(`/api/v1/calls/${id}`, { authorization: `Bearer ${key}` })
      assert.equal(reply.statusCode, 404)
    }
    const own = await bed.get(`/api/v1/calls/${id}`, { authorization: `Bearer ${one}` })
    const { state, call } = own.json().data
    assert.deepEqual(
      [state, call.error.code, call.error.param],
      ['uncharged', 'invalid_params', 'query'],
    )
  })

  test('is a CSV file on request', async () => {
    const key = await makeKey({ scope: 'own' })
    await send(SEARCH, {}, key)
    const reply = await bed.get('/api/v1/calls?format=csv', { authorization: `Bearer ${key}` })
    const [head, row] = reply.body.split('\r\n')
    assert.match(String(reply.headers['content-type']), /^text\/csv/)
    assert.match(head ?? '', /^id,created_at,charge,http_status/)
    assert.match(row ?? '', /^req_\w+,[^,]+,not_charged,400,api,semantic,search/)
  })
})
