/** The routes in OpenRouter's formats: the fields that its own client validates, in dollars. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../src/lib/clock.ts'
import { openAppBed } from '../harness/beds/app.ts'

const bed = await openAppBed({ rateLimitPerMinute: 5_000 })
const embeddings = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
  model: 'm',
  usage: { prompt_tokens: 9, total_tokens: 9 },
}
bed.vendor.answerWith(({ path }) => ({
  body: path.includes('embeddings')
    ? embeddings
    : {
        id: 'gen-1',
        object: 'chat.completion',
        created: 1,
        model: 'test/model',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'y' }, finish_reason: 'stop' },
        ],
        usage: { prompt_tokens: 4_000, completion_tokens: 5 },
      },
}))

async function read(path: string, key: string): Promise<Record<string, unknown>> {
  const answer = await bed.get(`/api/llm/v1${path}`, { authorization: `Bearer ${key}` })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['x-charged-micros'], '0')
  return answer.json<{ data: Record<string, unknown> }>().data
}

/** A call's charge in micro-dollars. */
async function complete(key: string): Promise<number> {
  const answer = await bed.post(
    '/api/llm/v1/chat/completions',
    { model: 'test/model', messages: [{ role: 'user', content: 'x' }], max_tokens: 5 },
    { authorization: `Bearer ${key}` },
  )
  assert.equal(answer.statusCode, 200, answer.body)
  const charged = Number(answer.headers['x-charged-micros'])
  assert.ok(charged > 0)
  return charged
}

test('a key reads its limit, usage and rate limit, in every field of the client', async () => {
  const made = await bed.post('/api/v1/agents', {
    label: 'indexer',
    ceiling_cents: 50,
    ceiling_period: 'day',
    rate_limit_per_minute: 90,
  })
  const { key } = made.json<{ data: { key: string } }>().data
  const charged = await complete(key)
  const expected = {
    label: 'indexer',
    limit: 0.5,
    limit_remaining: (500_000 - charged) / 1_000_000,
    limit_reset: 'daily',
    usage: charged / 1_000_000,
    usage_daily: charged / 1_000_000,
    usage_weekly: charged / 1_000_000,
    usage_monthly: charged / 1_000_000,
    byok_usage: 0,
    byok_usage_daily: 0,
    byok_usage_weekly: 0,
    byok_usage_monthly: 0,
    include_byok_in_limit: false,
    is_free_tier: false,
    is_management_key: false,
    is_provisioning_key: false,
    free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
    rate_limit: {
      requests: 90,
      interval: '1m',
      note: 'Requests of this key. Unlike at OpenRouter, this limit applies.',
    },
    expires_at: null,
    allowed_data_regions: [],
    creator_user_id: null,
    organization_id: null,
    workspace_id: null,
  }
  assert.deepEqual(await read('/key', key), expected)
  assert.deepEqual(await read('/auth/key', key), expected)
  bed.clock.advance(40 * DAY_MS)
  const { usage, usage_daily, usage_weekly, usage_monthly, limit_remaining } = await read(
    '/key',
    key,
  )
  assert.deepEqual(
    { usage, usage_daily, usage_weekly, usage_monthly, limit_remaining },
    {
      usage: charged / 1_000_000,
      usage_daily: 0,
      usage_weekly: 0,
      usage_monthly: 0,
      limit_remaining: 0.5,
    },
  )
})

test('a key without a limit reads null, and the rate limit of the gateway', async () => {
  const { limit, limit_remaining, limit_reset, is_management_key, rate_limit } = await read(
    '/key',
    bed.liveKey,
  )
  assert.deepEqual(
    [limit, limit_remaining, limit_reset, is_management_key],
    [null, null, null, true],
  )
  assert.equal((rate_limit as { requests: number }).requests, 5_000)
})

test('the credits less the usage are the available credit, before and after a charge', async () => {
  const available = async (): Promise<number> =>
    (await bed.get('/api/v1/balance')).json<{ data: { available_micros: number } }>().data
      .available_micros
  const inMicros = async () => {
    const { total_credits, total_usage } = await read('/credits', bed.liveKey)
    return [total_credits, total_usage].map((dollars) => Math.round(Number(dollars) * 1_000_000))
  }
  const [credits = 0, usage = 0] = await inMicros()
  assert.equal(credits - usage, await available())
  const charged = await complete(bed.liveKey)
  assert.deepEqual(await inMicros(), [credits, usage + charged])
  assert.equal(credits - usage - charged, await available())
})

test('a call is found by each of its ids, by its own account and key alone', async () => {
  const made = await bed.post('/api/v1/agents', { label: 'sibling' })
  const { key } = made.json<{ data: { key: string } }>().data
  const answer = await bed.post('/api/llm/v1/chat/completions', {
    model: 'test/model',
    messages: [{ role: 'user', content: 'x' }],
    max_tokens: 5,
  })
  const requestId = String(answer.headers['x-request-id'])
  const ids = [requestId, requestId.replace('req_', 'tx_'), 'gen-1']
  const charged = Number(answer.headers['x-charged-micros']) / 1_000_000
  const find = (id: string, secret: string) =>
    bed.get(`/api/llm/v1/generation?id=${encodeURIComponent(id)}`, {
      authorization: `Bearer ${secret}`,
    })
  for (const id of ids) {
    const data = await read(`/generation?id=${id}`, bed.liveKey)
    assert.equal(Object.keys(data).length, 46)
    const { request_id, upstream_id, total_cost, tokens_prompt, tokens_completion } = data
    assert.deepEqual(
      { request_id, upstream_id, total_cost, tokens_prompt, tokens_completion },
      {
        request_id: requestId,
        upstream_id: 'gen-1',
        total_cost: charged,
        tokens_prompt: 4_000,
        tokens_completion: 5,
      },
    )
    for (const other of [key, bed.strangerKey, bed.testKey])
      assert.equal((await find(id, other)).statusCode, 404, id)
  }
  assert.equal((await find('gen-2', bed.liveKey)).statusCode, 404)
  for (const id of ['', 'a b', '\u0000', 'a'.repeat(201)])
    assert.equal((await find(id, bed.liveKey)).statusCode, 400)
  bed.clock.advance(2 * DAY_MS)
  assert.equal((await find('gen-1', bed.liveKey)).statusCode, 404)
  assert.equal((await find(requestId, bed.liveKey)).statusCode, 200)
})

test('the app of a call is in its generation and the history, on every API', async () => {
  const app = { 'http-referer': 'https://app.example/', 'x-title': 'My <b>App</b>' }
  const messages = [{ role: 'user', content: 'x' }]
  const model = 'test/model'
  for (const [path, body] of [
    ['chat/completions', { model, messages, max_tokens: 5 }],
    ['messages', { model, messages, max_tokens: 5 }],
    ['responses', { model, input: 'x', max_output_tokens: 5 }],
    ['embeddings', { model: 'text-embedding-3-small', input: 'x' }],
  ] as const) {
    const answer = await bed.post(`/api/llm/v1/${path}`, body, app)
    assert.equal(answer.statusCode, 200, answer.body)
    const history = await bed.get('/api/v1/transactions?limit=1')
    const [row] = history.json<{ data: Record<string, unknown>[] }>().data
    assert.deepEqual(
      [row?.['request_id'], row?.['http_referer'], row?.['app_title']],
      [answer.headers['x-request-id'], app['http-referer'], app['x-title']],
      path,
    )
    if (path === 'embeddings') continue
    const { http_referer, app_title } = await read(
      `/generation?id=${String(row?.['id'])}`,
      bed.liveKey,
    )
    assert.deepEqual([http_referer, app_title], [app['http-referer'], app['x-title']])
  }
})

test('an error has the format of chat completions', async () => {
  for (const path of ['/key', '/auth/key', '/credits']) {
    const answer = await bed.get(`/api/llm/v1${path}`, { authorization: 'Bearer none' })
    assert.equal(answer.statusCode, 401)
    assert.equal(typeof answer.json<{ error: { type: unknown } }>().error.type, 'string')
  }
})
