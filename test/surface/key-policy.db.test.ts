/** The policy of a key on every surface: HTTP, router, MCP, paid fetch, files and pages. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openKeySession } from '../../src/auth/records/browser-session.ts'
import type { KeyRecord } from '../../src/keys/key-record.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { mcpClient } from '../harness/clients/mcp.ts'

type Made = KeyRecord & { readonly key: string }
type Body = {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly param: string | null
    readonly details?: Record<string, unknown>
  }
}

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const MODELS = {
  data: [{ id: 'test/model', pricing: { prompt: '0.000001', completion: '0.000001' } }],
}

const COMPLETION = {
  id: 'c',
  object: 'chat.completion',
  model: 'test/model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

let bed: AppBed
before(async () => {
  bed = await openAppBed({ trustedProxies: ['10.0.0.0/8'] })
  bed.vendor.answerWith(({ path }) => ({
    body: path.endsWith('/models') ? MODELS : path.endsWith('/completions') ? COMPLETION : FOUND,
  }))
})

async function createWith(policy: object): Promise<Made> {
  const reply = await bed.post('/api/v1/agents', policy)
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json<{ data: Made }>().data
}

const by = (key: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${key}`,
  ...more,
})

const patch = (id: string, body: object) =>
  bed.app.inject({
    method: 'PATCH',
    url: `/api/v1/agents/${id}`,
    headers: by(bed.liveKey),
    payload: body,
  })

function assertRefused(
  reply: LightMyRequestResponse,
  status: number,
  code: string,
  details: Record<string, unknown>,
): void {
  const { error } = reply.json<Body>()
  assert.deepEqual([reply.statusCode, error.code], [status, code], reply.body)
  for (const [name, value] of Object.entries(details))
    assert.deepEqual(error.details?.[name], value, `${name} of ${reply.body}`)
}

const search = (key: string, more: Record<string, string> = {}) =>
  bed.post('/api/run/semantic/search', { query: 'x' }, by(key, more))
const ask = (key: string, body: object = {}) =>
  bed.post(
    '/api/llm/v1/chat/completions',
    { model: 'core/cheap', messages: [{ role: 'user', content: 'hi' }], max_tokens: 5, ...body },
    by(key),
  )

describe('allow and deny', () => {
  it('refuse free and paid actions on every surface, and name the rule and the key', async () => {
    const { id, key } = await createWith({ allow: ['semantic/*'], deny: ['semantic/contents'] })
    assert.equal((await search(key)).statusCode, 200)
    const rule = { rule: 'allow', key_id: id, allow: ['semantic/*'] }
    const refused = [
      await bed.post('/api/run/files/list', {}, by(key)),
      await bed.post('/api/run/files/upload', { filename: 'a.txt' }, by(key)),
      await bed.post('/api/run/core/onescrape-deep', {}, by(key)),
      await bed.post('/api/run/boxd/create_session', {}, by(key)),
      await bed.post('/api/fetch', { url: 'https://a.example/', max_cost_cents: 1 }, by(key)),
    ]
    for (const reply of refused) assertRefused(reply, 403, 'action_not_allowed', rule)
    for (const [path, body] of [
      ['messages', { messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 }],
      ['responses', { input: 'hi' }],
    ] as const)
      assertRefused(
        await bed.post(`/api/llm/v1/${path}`, { model: 'core/cheap', ...body }, by(key)),
        403,
        'action_not_allowed',
        rule,
      )
    const model = (await ask(key)).json<{ error: { code: string; message: string } }>()
    assert.equal(model.error.code, 'action_not_allowed')
    assert.match(model.error.message, new RegExp(`"llm/core/cheap".*"allow" of the key ${id}`))
    assertRefused(
      await bed.post('/api/run/semantic/contents', { urls: ['https://a.example/'] }, by(key)),
      403,
      'action_not_allowed',
      { rule: 'deny', pattern: 'semantic/contents', key_id: id, action: 'semantic/contents' },
    )
    const tools = mcpClient(bed)
    for (const result of [
      await tools.tool('discover', { query: 'x' }, { key }),
      await tools.tool('run', { service: 'core', action: 'onescrape', params: {} }, { key }),
    ]) {
      assert.equal(result.structuredContent.error.code, 'action_not_allowed')
      assert.equal(result.structuredContent.error.details?.['key_id'], id)
    }
  })

  it('let core/result pass for jobs of the key, unless "deny" names it', async () => {
    const job = { job_id: `job_${'0'.repeat(32)}` }
    const ofKey = async (policy: object) =>
      (await bed.post('/api/run/core/result', job, by((await createWith(policy)).key))).json<Body>()
        .error.code
    assert.equal(await ofKey({ allow: ['semantic/search'] }), 'upstream_not_configured')
    assert.equal(await ofKey({ deny: ['core/result'] }), 'action_not_allowed')
  })

  it('of a tier also judge the model that serves it', async () => {
    for (const [policy, status] of [
      [{ allow: ['llm/core/cheap'] }, 200],
      [{ allow: ['llm/test/*'] }, 200],
      [{ allow: ['llm/*'], deny: ['llm/test/*'] }, 403],
      [{ allow: ['llm/other/*'] }, 403],
      [{ deny: ['llm/core/cheap'] }, 403],
    ] as const) {
      const { key } = await createWith(policy)
      assert.equal((await ask(key)).statusCode, status, JSON.stringify(policy))
    }
  })

  it('take effect with the commit of a change', async () => {
    const { id, key } = await createWith({})
    assert.equal((await search(key)).statusCode, 200)
    assert.equal((await patch(id, { deny: ['semantic/*'] })).statusCode, 200)
    assert.equal((await search(key)).statusCode, 403)
    assert.equal((await patch(id, { deny: null })).statusCode, 200)
    assert.equal((await search(key)).statusCode, 200)
  })
})

describe('max_call_cents', () => {
  it('rejects a dearer call with 402 and names the key, and lets free calls pass', async () => {
    const { id, key } = await createWith({ max_call_cents: 0 })
    const bound = { bound_by: 'key', key_id: id, max_call_cents: 0 }
    assertRefused(await search(key), 402, 'max_cost_exceeded', bound)
    assert.equal((await bed.post('/api/run/files/list', {}, by(key))).statusCode, 200)
    assert.equal((await ask(key)).statusCode, 402)
  })

  it('is the limit of calls without max_cost_cents, and no higher than one with it', async () => {
    const { key } = await createWith({ max_call_cents: 1 })
    const many = await bed.post(
      '/api/run/semantic/search',
      { query: 'x', numResults: 100 },
      by(key),
    )
    assert.ok(Number(many.headers['x-charged-micros'] ?? 0) <= 10_000, many.body)
    assert.equal((await search(key)).statusCode, 200)
  })
})

describe('expires_at', () => {
  it('ends the key on every surface with 401 key_expired from that moment', async () => {
    const at = new Date(bed.clock() + 60_000).toISOString()
    const { id, key } = await createWith({ expires_at: at })
    const cookie = `__Host-tollgate-page=${await openKeySession({ database: bed.database, now: bed.clock }, key)}`
    const page = () => bed.app.inject({ url: '/balance', headers: { cookie } })
    assert.equal((await search(key)).statusCode, 200)
    assert.match((await page()).body, /Signed in with a key/)
    bed.clock.advance(60_000)
    const replies = [
      await search(key),
      await bed.post('/api/run/files/list', {}, by(key)),
      await bed.post('/api/fetch', { url: 'https://a.example/', max_cost_cents: 1 }, by(key)),
      await bed.app.inject({ url: '/api/v1/agents/me', headers: by(key) }),
    ]
    for (const reply of replies)
      assertRefused(reply, 401, 'key_expired', { expired_at: at, key_id: id })
    assert.equal((await ask(key)).statusCode, 401)
    assert.equal((await mcpClient(bed).send({}, by(key))).statusCode, 401)
    assert.doesNotMatch((await page()).body, /Signed in with a key/)
    const later = new Date(bed.clock() + 60_000).toISOString()
    assert.equal((await patch(id, { expires_at: later })).statusCode, 200)
    assert.equal((await search(key)).statusCode, 200)
  })

  it('cannot be set on a primary key, or to a time in the past', async () => {
    const own = await bed.app.inject({ url: '/api/v1/agents/me', headers: by(bed.liveKey) })
    const { id } = own.json<{ data: KeyRecord }>().data
    const later = new Date(bed.clock() + 60_000).toISOString()
    assert.equal((await patch(id, { expires_at: later })).json<Body>().error.param, 'expires_at')
    const past = await bed.post('/api/v1/agents', { expires_at: '2020-01-01T00:00:00Z' })
    assert.deepEqual([past.statusCode, past.json<Body>().error.param], [400, 'expires_at'])
  })
})

describe('rate_limit_per_minute', () => {
  it('rejects further requests of the minute with 429 and names the key', async () => {
    const { id, key } = await createWith({ rate_limit_per_minute: 3 })
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => search(key)))
    assert.deepEqual(
      replies.map(({ statusCode }) => statusCode).sort((a, b) => a - b),
      [200, 200, 200, 429, 429],
    )
    const over = await search(key)
    assertRefused(over, 429, 'rate_limited', {
      rule: 'rate_limit_per_minute',
      rate_limit_per_minute: 3,
      key_id: id,
    })
    assert.ok(Number(over.headers['retry-after']) >= 1)
    bed.clock.advance(60_000)
    assert.equal((await search(key)).statusCode, 200)
  })
})

describe('allowed_ips', () => {
  it('allows its networks only, behind a trusted proxy too', async () => {
    const { id, key } = await createWith({ allowed_ips: ['192.0.2.0/24', '2001:db8::/32'] })
    const from = (remoteAddress: string, forwarded?: string) =>
      bed.app.inject({
        method: 'POST',
        url: '/api/run/files/list',
        remoteAddress,
        headers: by(key, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
        payload: {},
      })
    for (const address of ['192.0.2.9', '::ffff:192.0.2.9', '2001:db8::7'])
      assert.equal((await from(address)).statusCode, 200, address)
    assert.equal((await from('10.0.0.1', '192.0.2.1')).statusCode, 200)
    for (const [address, forwarded] of [
      ['198.51.100.1', '192.0.2.1'],
      ['10.0.0.1', '192.0.2.1, 198.51.100.1'],
      ['10.0.0.1', undefined],
    ] as const)
      assertRefused(await from(address, forwarded), 403, 'ip_not_allowed', {
        rule: 'allowed_ips',
        key_id: id,
      })
    const cookie = `__Host-tollgate-page=${await openKeySession({ database: bed.database, now: bed.clock }, key)}`
    const page = (remoteAddress: string) =>
      bed.app.inject({ url: '/balance', remoteAddress, headers: { cookie } })
    assert.match((await page('192.0.2.9')).body, /Signed in with a key/)
    assert.doesNotMatch((await page('198.51.100.1')).body, /Signed in with a key/)
  })
})

describe('an invalid policy', () => {
  const invalid: readonly (readonly [object, string])[] = [
    [{ alow: ['core/*'] }, 'alow'],
    [{ allow: 'core/*' }, 'allow'],
    [{ allow: ['core'] }, 'allow[0]'],
    [{ allow: ['core/discover', 'core/onescrpae'] }, 'allow[1]'],
    [{ deny: ['*/sandbxo-*'] }, 'deny[0]'],
    [{ max_call_cents: -1 }, 'max_call_cents'],
    [{ max_call_cents: 1.5 }, 'max_call_cents'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: 1_900_000_000 }, 'expires_at'],
    [{ rate_limit_per_minute: 0 }, 'rate_limit_per_minute'],
    [{ allowed_ips: ['192.0.2.0/33'] }, 'allowed_ips[0]'],
    [{ allowed_ips: ['192.0.2.1', 'example.com'] }, 'allowed_ips[1]'],
  ]
  for (const [policy, param] of invalid)
    it(`is a 400 that names the field: ${JSON.stringify(policy)}`, async () => {
      const { id } = await createWith({})
      for (const reply of [await bed.post('/api/v1/agents', policy), await patch(id, policy)])
        assert.deepEqual(
          [reply.statusCode, reply.json<Body>().error.param],
          [400, param],
          reply.body,
        )
    })
})
