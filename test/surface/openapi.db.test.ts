/** Every route behaves as /openapi.json describes: path, parameters, answers and errors. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { createDiscover } from '../../src/composites/discover/create-discover.ts'
import { discoverHandler } from '../../src/composites/discover/handler.ts'
import { createCatalog } from '../../src/catalog/index.ts'
import { NewChildBody } from '../../src/keys/children/child-input.ts'
import { KeyPatchBody, NewKeyBody, RotateBody } from '../../src/keys/key-input.ts'
import { TransactionQuery } from '../../src/surfaces/http/routes/account/transaction-query.ts'
import { createFakeBrowsers } from '../harness/fake-browsers.ts'
import { parsePublicId } from '../../src/lib/ids.ts'
import { storeInbox } from '../harness/store-inbox.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { openApiChecker, type OpenApi, type OpenApiChecker } from '../harness/clients/openapi.ts'

const FOUND = {
  requestId: 'r',
  results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }],
}
/** Pages for people and their assets are HTML, so the document omits them. */
const FOR_PEOPLE =
  /^GET \/($|guide$|catalog|status$|assets\/|docs|favicon\.ico$|robots\.txt$|sitemap\.xml$|login$|signup$|dashboard$|pricing$|models|search\.json$)|^(GET|POST) \/(balance|browsers|calls|credit|sign-in|sign-up|welcome|keys|account|team|invitations|webhooks|changes|operate|playground|oauth\/(authorize|consent))(\/|\.csv$|$)/
/** JSON-RPC, which describes itself by its list of tools, and the addresses of OAuth, whose form standards give. */
const FOR_MCP =
  /^POST \/(mcp|oauth\/(token|register|revoke))$|^GET \/\.well-known\/oauth-(protected-resource|authorization-server)(\/mcp)?$/

const routes = new Set<string>()
function listen(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat())
      if (one !== 'HEAD' && one !== 'OPTIONS')
        routes.add(
          `${one} ${url.replaceAll(/:([A-Za-z]+)/g, '{$1}').replace('/models/*', '/models/{model}')}`,
        )
  })
}

describe('/openapi.json', () => {
  let bed: AppBed
  let document: OpenApi
  let check: OpenApiChecker
  let keyId: string
  const seen = new Set<string>()

  before(async () => {
    const catalog = createCatalog()
    const discover = createDiscover({
      services: catalog.services,
      laneOf: () => ({ live: null, lanes: [] }),
    })
    subscribe('fastify.initialization', listen)
    bed = await openAppBed({
      browsers: createFakeBrowsers().own,
      local: new Map([['core.discover', discoverHandler(discover)]]),
    })
    unsubscribe('fastify.initialization', listen)
    bed.vendor.answerWith(() => ({ body: FOUND }))
    document = (await bed.get('/openapi.json')).json()
    check = openApiChecker(document)
    keyId = (await bed.post('/api/v1/agents', { label: 'of the test' })).json<{
      data: { id: string }
    }>().data.id
  })

  /** The answer matches the documented schema of this operation and status, without further fields. */
  function fits(
    method: string,
    path: string,
    response: LightMyRequestResponse,
    status: number,
  ): void {
    assert.equal(response.statusCode, status, response.body)
    const problems = check.response(method, path, response)
    assert.deepEqual(problems, [], `${method} ${path} ${status}: ${response.body.slice(0, 500)}`)
    seen.add(`${method} ${path}`)
  }

  const send = (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    payload?: unknown,
    headers: Record<string, string> = {},
  ) =>
    bed.app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${bed.liveKey}`,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    })

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document))
    assert.deepEqual(result.errors, undefined)
  })

  it('lists every route that there is, and no other', () => {
    const listed = check.operations.map(({ method, path }) => `${method} ${path}`)
    const actions = createCatalog()
      .allActions()
      .map(({ service, name }) => `POST /api/run/${service.id}/${name}`)
    const real = [...routes]
      .filter((route) => !FOR_PEOPLE.test(route) && !FOR_MCP.test(route))
      .flatMap((route) => (route === 'POST /api/run/{service}/{action}' ? actions : [route]))
    assert.deepEqual(
      real.filter((route) => !listed.includes(route)),
      [],
      'src/surfaces/http/openapi tells of every route',
    )
    assert.deepEqual(
      listed.filter((route) => !real.includes(route)),
      [],
      'src/surfaces/http/openapi tells of no route that is not there',
    )
  })

  it('marks exactly the routes that accept a browser session', async () => {
    const security = (value: unknown): string =>
      JSON.stringify((value as { security?: unknown }).security)
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => security(operation) === '[{"key":[]},{"session":[]}]')
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    const own = check.operations
      .filter(({ path }) => path.startsWith('/api/v1/'))
      .map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(told.toSorted(), own.toSorted())
    const { securitySchemes } = document.components as unknown as {
      securitySchemes: Record<string, object>
    }
    assert.deepEqual(Object.keys(securitySchemes), ['key', 'session'])
    fits(
      'GET',
      '/api/v1/balance',
      await bed.app.inject({
        method: 'GET',
        url: '/api/v1/balance',
        headers: { cookie: '__Host-tollgate-page=x', 'sec-fetch-site': 'cross-site' },
      }),
      403,
    )
  })

  it('describes bodies and queries by the very schemas that validate them', () => {
    const same = (real: unknown, told: unknown): void =>
      assert.deepEqual(told, JSON.parse(JSON.stringify(real)))
    same(NewKeyBody, check.body('POST', '/api/v1/agents'))
    same(NewChildBody, check.body('POST', '/api/v1/agents/me/children'))
    same(KeyPatchBody, check.body('PATCH', '/api/v1/agents/{id}'))
    same(RotateBody, check.body('POST', '/api/v1/agents/{id}/rotate'))
    assert.deepEqual(
      check.queryNames('/api/v1/transactions'),
      Object.keys(TransactionQuery.properties),
    )
    assert.deepEqual(check.queryNames('/api/v1/transactions').toSorted(), [
      'action',
      'agent_id',
      'cursor',
      'external_id',
      'format',
      'from',
      'key',
      'kind',
      'limit',
      'request_id',
      'service',
      'status',
      'to',
    ])
  })

  it('describes the answers of routes without a key', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/api/run',
      '/api/catalog',
      '/api/status',
      '/openapi.json',
      '/llms.txt',
      '/llms-full.txt',
    ])
      fits('GET', path, await bed.app.inject(path), 200)
    fits('GET', '/llms/{page}', await bed.app.inject('/llms/core.txt'), 200)
    fits('GET', '/llms/{page}', await bed.app.inject('/llms/cor.txt'), 404)
    fits('GET', '/sdk/{name}', await bed.app.inject('/sdk/tollgate-cli.tgz'), 200)
    fits('GET', '/sdk/{name}', await bed.app.inject('/sdk/tollgate.tgz'), 404)
    for (const { service, name } of createCatalog().allActions())
      fits(
        'GET',
        '/api/run/{service}/{action}',
        await bed.app.inject(`/api/run/${service.id}/${name}`),
        200,
      )
    fits('GET', '/api/run/{service}/{action}', await bed.app.inject('/api/run/core/discovr'), 404)
  })

  it('describes the answers of paid, free, repeated and simulated calls', async () => {
    const body = { query: 'ledgers', max_cost_cents: 2 }
    fits(
      'POST',
      '/api/run/semantic/search',
      await send('POST', '/api/run/semantic/search', body, { 'idempotency-key': 'openapi-1' }),
      200,
    )
    const repeat = await send('POST', '/api/run/semantic/search', body, {
      'idempotency-key': 'openapi-1',
    })
    assert.equal(repeat.headers['idempotency-replayed'], 'true')
    fits('POST', '/api/run/semantic/search', repeat, 200)
    fits(
      'POST',
      '/api/run/core/discover',
      await send('POST', '/api/run/core/discover', { query: 'read a page' }),
      200,
    )
    fits(
      'POST',
      '/api/run/semantic/search',
      await send('POST', '/api/run/semantic/search', body, {
        authorization: `Bearer ${bed.testKey}`,
      }),
      200,
    )
  })

  it('describes the answers of the language-model router', async () => {
    const path = '/api/llm/v1/chat/completions'
    const messages = [{ role: 'user', content: 'x' }]
    bed.vendor.answerWith(() => ({
      body: {
        id: 'g',
        object: 'chat.completion',
        created: 1,
        model: 'a',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'y' }, finish_reason: 'stop' },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      },
    }))
    fits(
      'POST',
      path,
      await send(
        'POST',
        path,
        { model: 'test/model', messages },
        { 'idempotency-key': 'openapi-llm' },
      ),
      200,
    )
    fits('POST', path, await send('POST', path, { model: 'test/model', messages: [] }), 400)
    fits(
      'POST',
      path,
      await send('POST', path, { model: 'test/model', messages }, { authorization: '' }),
      401,
    )
    fits(
      'POST',
      path,
      await send('POST', path, { model: 'test/model', messages, max_cost_cents: 0 }),
      402,
    )
    fits(
      'POST',
      path,
      await send(
        'POST',
        path,
        { model: 'test/model', messages, seed: 1 },
        { 'idempotency-key': 'openapi-llm' },
      ),
      422,
    )
    fits('POST', path, await bed.post(path, '{"model"'), 400)
    fits('POST', path, await bed.post(path, 'a', { 'content-type': 'text/plain' }), 415)
    for (const [own, body] of [
      ['/api/llm/v1/messages', { messages, max_tokens: 5 }],
      ['/api/llm/v1/responses', { input: 'x' }],
      ['/api/llm/v1/completions', { prompt: 'x' }],
    ] as const) {
      fits('POST', own, await send('POST', own, { model: 'test/model', ...body }), 200)
      fits('POST', own, await send('POST', own, { model: 'test/model' }), 400)
      fits('POST', own, await send('POST', own, { model: 'test/none', ...body }), 503)
    }
    const count = '/api/llm/v1/messages/count_tokens'
    fits('POST', count, await send('POST', count, { model: 'test/model', messages }), 200)
    fits('POST', count, await send('POST', count, { model: 'test/model' }), 400)
    const embed = '/api/llm/v1/embeddings'
    const texts = { model: 'openai/text-embedding-3-small', input: 'x' }
    const byTestKey = { authorization: `Bearer ${bed.testKey}` }
    bed.vendor.answerWith(() => ({
      body: { object: 'list', data: [{ embedding: [1] }], usage: { prompt_tokens: 1 } },
    }))
    fits('POST', embed, await send('POST', embed, texts, byTestKey), 200)
    fits('POST', embed, await send('POST', embed, { model: 'none', input: 'x' }, byTestKey), 400)
    bed.vendor.answerWith(() => ({ body: { data: [{ b64_json: 'YQ==' }] } }))
    for (const own of ['/api/llm/v1/images/generations', '/api/llm/v1/images']) {
      fits('POST', own, await send('POST', own, { prompt: 'x' }, byTestKey), 200)
      fits('POST', own, await send('POST', own, { prompt: '' }, byTestKey), 400)
    }
    const speech = '/api/llm/v1/audio/speech'
    const spoken = { model: 'kokoro', voice: 'alloy', input: 'x' }
    bed.vendor.answerWith(() => ({ body: { audio: { url: 'https://vendor.invalid/a' } } }))
    fits('POST', speech, await send('POST', speech, spoken, byTestKey), 303)
    fits('POST', speech, await send('POST', speech, { ...spoken, input: '' }, byTestKey), 400)
    fits('POST', speech, await send('POST', speech, { ...spoken, model: 'x' }, byTestKey), 404)
    for (const own of ['/api/llm/v1/key', '/api/llm/v1/auth/key', '/api/llm/v1/credits'])
      fits('GET', own, await send('GET', own), 200)
    const generation = '/api/llm/v1/generation'
    fits('GET', generation, await send('GET', `${generation}?id=g`), 200)
    fits('GET', generation, await send('GET', `${generation}?id=none`), 404)
    fits('GET', generation, await send('GET', generation), 400)
    fits('GET', '/api/llm/v1/models', await send('GET', '/api/llm/v1/models'), 200)
    fits(
      'GET',
      '/api/llm/v1/models/{model}',
      await send('GET', '/api/llm/v1/models/test/model'),
      200,
    )
    fits('GET', '/api/llm/v1/pricing', await bed.app.inject('/api/llm/v1/pricing'), 200)
    bed.vendor.answerWith(() => ({ status: 500, body: {} }))
    fits('POST', path, await send('POST', path, { model: 'test/model', messages }), 502)
    bed.vendor.answerWith(() => ({ body: FOUND }))
  })

  it('describes the answers of paid fetch', async () => {
    const path = '/api/fetch'
    fits('POST', path, await send('POST', path, { url: bed.vendor.url }), 200)
    fits(
      'POST',
      path,
      await send(
        'POST',
        path,
        { url: bed.vendor.url, max_cost_cents: 1 },
        { 'idempotency-key': 'openapi-fetch' },
      ),
      200,
    )
    fits(
      'POST',
      path,
      await send(
        'POST',
        path,
        { url: bed.vendor.url, max_cost_cents: 1 },
        { authorization: `Bearer ${bed.testKey}` },
      ),
      200,
    )
    fits('POST', path, await send('POST', path, { url: 'http://10.0.0.1/' }), 400)
    fits(
      'POST',
      path,
      await send('POST', path, { url: bed.vendor.url }, { authorization: '' }),
      401,
    )
    fits(
      'POST',
      path,
      await send(
        'POST',
        path,
        { url: bed.vendor.url, max_cost_cents: 10_000 },
        { authorization: `Bearer ${bed.testKey}` },
      ),
      402,
    )
    bed.vendor.answerWith(() => ({ status: 402 }))
    fits('POST', path, await send('POST', path, { url: bed.vendor.url }), 503)
    bed.vendor.answerWith(() => ({ body: FOUND }))
  })

  it('describes the answers of the member routes', async () => {
    const [members, invitations] = ['/api/v1/members', '/api/v1/members/invitations']
    const listed = await send('GET', members)
    fits('GET', members, listed, 200)
    const { id } = listed.json<{ data: { id: string }[] }>().data[0] ?? { id: '' }
    const one = `${members}/{id}`
    fits('PATCH', one, await send('PATCH', `${members}/${id}`, { role: 'owner' }), 200)
    fits('PATCH', one, await send('PATCH', `${members}/${id}`, { role: 'viewer' }), 409)
    fits('PATCH', one, await send('PATCH', `${members}/mem_0`, { role: 'viewer' }), 404)
    fits('PATCH', one, await send('PATCH', `${members}/${id}`, { role: 'king' }), 400)
    fits('DELETE', one, await send('DELETE', `${members}/${id}`), 409)
    fits('DELETE', one, await send('DELETE', `${members}/${id}?keys=sell`), 400)
    const made = await send('POST', invitations, { role: 'viewer', email: 'lea@example.com' })
    fits('POST', invitations, made, 201)
    fits('POST', invitations, await send('POST', invitations, { role: 'viewer', email: '@' }), 400)
    fits('GET', invitations, await send('GET', invitations), 200)
    const { id: openId } = made.json<{ data: { id: string } }>().data
    const open = `${invitations}/{id}`
    fits('DELETE', open, await send('DELETE', `${invitations}/${openId}`), 200)
    fits('DELETE', open, await send('DELETE', `${invitations}/${openId}`), 404)
  })

  it('describes the answers of the key routes', async () => {
    fits(
      'POST',
      '/api/v1/agents',
      await send(
        'POST',
        '/api/v1/agents',
        { label: 'a', external_id: 'e', ceiling_cents: 5, ceiling_period: 'daily', mode: 'test' },
        { 'idempotency-key': 'openapi-2' },
      ),
      201,
    )
    fits('POST', '/api/v1/agents', await send('POST', '/api/v1/agents'), 201)
    fits('GET', '/api/v1/agents', await send('GET', '/api/v1/agents?limit=2'), 200)
    fits('GET', '/api/v1/agents/me', await send('GET', '/api/v1/agents/me'), 200)
    const children = '/api/v1/agents/me/children'
    const child = await send('POST', children, { ceiling_cents: 50, ttl_s: 1_200 })
    fits('POST', children, child, 201)
    fits('POST', children, await send('POST', children, { ttl_s: 0 }), 400)
    fits('GET', children, await send('GET', `${children}?limit=2`), 200)
    const { id: childId } = child.json<{ data: { id: string } }>().data
    fits('DELETE', `${children}/{id}`, await send('DELETE', `${children}/${childId}`), 200)
    fits('DELETE', `${children}/{id}`, await send('DELETE', `${children}/agk_0`), 404)
    fits(
      'PATCH',
      '/api/v1/agents/{id}',
      await send('PATCH', `/api/v1/agents/${keyId}`, { ceiling_cents: 100, paused: false }),
      200,
    )
    fits(
      'POST',
      '/api/v1/agents/{id}/rotate',
      await send('POST', `/api/v1/agents/${keyId}/rotate`, { grace_seconds: 604_800 }),
      200,
    )
    fits(
      'POST',
      '/api/v1/agents/{id}/rotate',
      await send('POST', `/api/v1/agents/${keyId}/rotate`),
      200,
    )
    fits(
      'POST',
      '/api/v1/agents/{id}/rotate',
      await send('POST', `/api/v1/agents/${keyId}/rotate`, { grace_seconds: 604_801 }),
      400,
    )
  })

  it('describes the answers of balance, spending and history in every format', async () => {
    fits('GET', '/api/v1/balance', await send('GET', '/api/v1/balance'), 200)
    fits(
      'GET',
      '/api/v1/spending',
      await send('GET', `/api/v1/spending?days=7&agent_id=${keyId}`),
      200,
    )
    fits('GET', '/api/v1/spending', await send('GET', '/api/v1/spending?days=0'), 400)
    fits('GET', '/api/v1/changes', await send('GET', '/api/v1/changes?limit=100'), 200)
    fits('GET', '/api/v1/changes', await send('GET', '/api/v1/changes?limit=0'), 400)
    const found = await send('GET', '/api/v1/calls?idempotency_key=never-sent')
    fits('GET', '/api/v1/calls', found, 200)
    fits('GET', '/api/v1/calls', await send('GET', '/api/v1/calls'), 200)
    fits('GET', '/api/v1/calls', await send('GET', '/api/v1/calls?charge=pending'), 200)
    fits('GET', '/api/v1/calls', await send('GET', '/api/v1/calls?http_status=9'), 400)
    fits('GET', '/api/v1/calls/{id}', await send('GET', '/api/v1/calls/req_0'), 404)
    const stream = '/api/v1/calls/stream'
    const since = { 'last-event-id': 'x' }
    fits('GET', stream, await send('GET', stream, undefined, since), 400)
    fits('GET', '/api/v1/changes', await send('GET', '/api/v1/changes'), 200)
    const query = `from=2020-01-01&to=2099-01-01T00:00:00Z&service=semantic&action=search&status=settled&kind=call&limit=5`
    for (const url of [
      '/api/v1/transactions',
      '/api/v1/transactions?format=csv',
      '/api/v1/transactions?format=ndjson',
      `/api/v1/transactions?${query}`,
      `/api/v1/transactions?key=${keyId}&external_id=e`,
    ]) {
      fits('GET', '/api/v1/transactions', await send('GET', url), 200)
    }
    const first = await send('GET', '/api/v1/transactions?limit=1')
    const { next_cursor: cursor } = first.json<{ next_cursor: string }>()
    fits(
      'GET',
      '/api/v1/transactions',
      await send('GET', `/api/v1/transactions?limit=1&cursor=${cursor}`),
      200,
    )
  })

  it('describes the answers of file links', async () => {
    const slot = (
      await bed.post('/api/run/files/upload', { filename: 'a.bin', size_bytes: 3 })
    ).json<{ data: { put_url: string; get_url: string } }>().data
    const [put, get] = [slot.put_url, slot.get_url].map((url) =>
      url.replace('https://gate.example', ''),
    ) as [string, string]
    const upload = (url: string, payload: string) =>
      bed.app.inject({
        method: 'PUT',
        url,
        payload,
        headers: { 'content-type': 'application/octet-stream' },
      })
    fits('GET', '/files/{id}', await bed.app.inject(get), 404)
    fits('PUT', '/files/{id}', await upload(put, 'four'), 422)
    fits('PUT', '/files/{id}', await upload(get, 'abc'), 403)
    fits('PUT', '/files/{id}', await upload(put, 'abc'), 200)
    fits('GET', '/files/{id}', await bed.app.inject(get), 200)
    fits(
      'GET',
      '/files/{id}',
      await bed.app.inject({ url: get, headers: { range: 'bytes=1-' } }),
      206,
    )
    fits(
      'GET',
      '/files/{id}',
      await bed.app.inject({ url: get, headers: { range: 'bytes=9-' } }),
      416,
    )
    fits('GET', '/files/{id}', await bed.app.inject(put), 403)
  })

  it('describes the answers of the live view of a browser', async () => {
    const path = '/api/v1/browsers/{session}/live'
    fits('GET', path, await send('GET', '/api/v1/browsers/ses_unknown/live'), 404)
  })

  it('describes the answers of repositories', async () => {
    const path = '/api/v1/repositories/{repo}/clone-url'
    const sent = await send('POST', '/api/v1/repositories/repo_unknown/clone-url', {})
    fits('POST', path, sent, 404)
  })

  it('describes the answers of inboxes', async () => {
    const list = '/api/v1/inboxes'
    const { rows } = await bed.database.query<{ account_id: string }>(
      'select account_id from keys where id = $1',
      [parsePublicId('key', keyId)],
    )
    const accountId = rows[0]?.account_id ?? assert.fail('the key has an account')
    const inbox = await storeInbox(bed, { accountId, keyId: null })
    fits('GET', list, await send('GET', list), 200)
    const messages = `${list}/${inbox}/messages`
    fits(
      'DELETE',
      `${list}/{inbox}/messages`,
      await send('DELETE', `${messages}?message_id=${encodeURIComponent('<1@sender.example>')}`),
      200,
    )
    fits('DELETE', `${list}/{inbox}/messages`, await send('DELETE', messages), 400)
    fits('DELETE', `${list}/{inbox}`, await send('DELETE', `${list}/${inbox}`), 200)
    fits('DELETE', `${list}/{inbox}`, await send('DELETE', `${list}/${inbox}`), 404)
  })

  it('describes the answers of cassettes', async () => {
    const header = { 'x-tollgate-cassette': 'described; mode=record' }
    const call = await send('POST', '/api/run/semantic/search', { query: 'x' }, header)
    assert.equal(call.statusCode, 200, call.body)
    const one = '/api/v1/cassettes/{name}'
    const path = '/api/v1/cassettes/described'
    fits('GET', '/api/v1/cassettes', await send('GET', '/api/v1/cassettes'), 200)
    fits('GET', one, await send('GET', path), 200)
    const exported = await send('GET', `${path}/recordings`)
    fits('GET', `${one}/recordings`, exported, 200)
    const { data: recordings } = exported.json<{ data: object[] }>()
    assert.equal(recordings.length, 1)
    fits('POST', `${one}/recordings`, await send('POST', `${path}/recordings`, { recordings }), 201)
    fits('POST', `${one}/recordings`, await send('POST', `${path}/recordings`, {}), 400)
    fits('GET', `${one}/recordings`, await send('GET', `${path}/recordings?cursor=x`), 400)
    fits('DELETE', one, await send('DELETE', path), 200)
    fits('DELETE', one, await send('DELETE', path), 404)
  })

  it('describes the answers of events, alerts, webhooks and deliveries', async () => {
    const hook = { url: 'https://ops.example.com/hook', events: ['job.*', 'topup.succeeded'] }
    const created = await send('POST', '/api/v1/webhooks', hook, { 'idempotency-key': 'openapi-3' })
    fits('POST', '/api/v1/webhooks', created, 201)
    const { id } = created.json<{ data: { id: string } }>().data
    const path = `/api/v1/webhooks/${id}`
    const one = '/api/v1/webhooks/{id}'
    fits('GET', '/api/v1/webhooks', await send('GET', '/api/v1/webhooks'), 200)
    fits('GET', one, await send('GET', path), 200)
    fits('PATCH', one, await send('PATCH', path, { label: 'ops' }), 200)
    fits('POST', `${one}/rotate`, await send('POST', `${path}/rotate`), 200)
    const tested = await send('POST', `${path}/test`)
    fits('POST', `${one}/test`, tested, 202)
    const { event_id: event } = tested.json<{ data: { event_id: string } }>().data
    fits('GET', '/api/v1/events/{id}', await send('GET', `/api/v1/events/${event}`), 200)
    fits('GET', '/api/v1/events', await send('GET', '/api/v1/events?types=webhook.*'), 200)
    fits('GET', '/api/v1/events', await send('GET', '/api/v1/events?types=jobs'), 400)
    fits('GET', '/api/v1/events', await send('GET', '/api/v1/events?after=evt_x'), 404)
    const range = { since: '2020-01-01' }
    fits('POST', `${one}/redeliver`, await send('POST', `${path}/redeliver`, range), 202)
    const list = '/api/v1/webhooks/deliveries'
    const deliveries = await send('GET', list)
    fits('GET', list, deliveries, 200)
    const [delivery] = deliveries.json<{ data: readonly { id: string }[] }>().data
    fits('GET', `${list}/{id}`, await send('GET', `${list}/${delivery?.id}`), 200)
    const again = await send('POST', `${list}/${delivery?.id}/redeliver`)
    fits('POST', `${list}/{id}/redeliver`, again, 202)
    const secret = await send('GET', '/api/v1/webhooks/job-secret')
    fits('GET', '/api/v1/webhooks/job-secret', secret, 200)
    fits('DELETE', one, await send('DELETE', path), 200)
    fits('DELETE', one, await send('DELETE', path), 404)
    fits('GET', '/api/v1/alerts', await send('GET', '/api/v1/alerts'), 200)
    const low = { low_balance_cents: 500 }
    fits('PUT', '/api/v1/alerts', await send('PUT', '/api/v1/alerts', low), 200)
    const alerts = `/api/v1/agents/${keyId}/alerts`
    const keyAlerts = '/api/v1/agents/{id}/alerts'
    fits('GET', keyAlerts, await send('GET', alerts), 200)
    const percents = { threshold_percents: [90] }
    fits('PUT', keyAlerts, await send('PUT', alerts, percents), 200)
    fits('PUT', keyAlerts, await send('PUT', alerts, { threshold_percents: [101] }), 400)
  })

  it('describes the errors of a call with their codes', async () => {
    const path = '/api/run/semantic/search'
    const good = { query: 'x' }
    const poor = (
      await bed.post('/api/v1/agents', { ceiling_cents: 0, ceiling_period: 'day' })
    ).json<{ data: { id: string; key: string } }>().data
    const cases: readonly (readonly [number, string, () => Promise<LightMyRequestResponse>])[] = [
      [400, 'invalid_params', () => send('POST', path, { query: 'x', numResult: 3 })],
      [400, 'bad_request', () => bed.post(path, '{"query"')],
      [401, 'invalid_token', () => send('POST', path, good, { authorization: '' })],
      [402, 'max_cost_exceeded', () => send('POST', path, { ...good, max_cost_cents: 0 })],
      [
        402,
        'api_key_limit_exceeded',
        () => send('POST', path, good, { authorization: `Bearer ${poor.key}` }),
      ],
      [
        413,
        'payload_too_large',
        () => bed.post(path, JSON.stringify({ query: 'x'.repeat(1_100_000) })),
      ],
      [
        415,
        'unsupported_media_type',
        () => bed.post(path, 'query=x', { 'content-type': 'text/plain' }),
      ],
      [
        422,
        'idempotency_key_reused',
        () => send('POST', path, { query: 'other' }, { 'idempotency-key': 'openapi-1' }),
      ],
    ]
    for (const [status, code, ask] of cases) {
      const response = await ask()
      fits('POST', path, response, status)
      assert.equal(response.json<{ error: { code: string } }>().error.code, code)
    }
    await send('PATCH', `/api/v1/agents/${poor.id}`, { paused: true })
    fits('POST', path, await send('POST', path, good, { authorization: `Bearer ${poor.key}` }), 403)
    for (const [vendorStatus, status] of [
      [404, 404],
      [409, 409],
      [422, 422],
      [500, 502],
      [402, 502],
      [429, 503],
      [401, 503],
      [504, 504],
    ] as const) {
      bed.vendor.answerWith(() => ({ status: vendorStatus, body: {} }))
      fits('POST', path, await send('POST', path, good), status)
    }
    fits(
      'POST',
      path,
      await send('POST', path, { query: '' }, { accept: 'application/problem+json' }),
      400,
    )
  })

  it('describes the errors of the other routes', async () => {
    const mine = `/api/v1/agents/${keyId}`
    const ordinary = (await bed.post('/api/v1/agents', {})).json<{
      data: { id: string; key: string }
    }>().data
    const primary = (await bed.get('/api/v1/agents/me')).json<{ data: { id: string } }>().data
    const plain = { authorization: `Bearer ${ordinary.key}` }
    fits('POST', '/api/v1/agents', await send('POST', '/api/v1/agents', {}, plain), 403)
    fits('POST', '/api/v1/agents', await send('POST', '/api/v1/agents', { colour: 'red' }), 400)
    fits(
      'POST',
      '/api/v1/agents',
      await send('POST', '/api/v1/agents', { label: 'other' }, { 'idempotency-key': 'openapi-2' }),
      422,
    )
    fits('GET', '/api/v1/agents', await send('GET', '/api/v1/agents?limit=0'), 400)
    fits(
      'GET',
      '/api/v1/agents/me',
      await send('GET', '/api/v1/agents/me', undefined, { authorization: 'Bearer tg_live_x' }),
      401,
    )
    fits('PATCH', '/api/v1/agents/{id}', await send('PATCH', '/api/v1/agents/agk_unknown', {}), 404)
    fits('DELETE', '/api/v1/agents/{id}', await send('DELETE', `/api/v1/agents/${primary.id}`), 403)
    fits('DELETE', '/api/v1/agents/{id}', await send('DELETE', mine), 200)
    fits('PATCH', '/api/v1/agents/{id}', await send('PATCH', mine, { label: 'x' }), 422)
    fits('POST', '/api/v1/agents/{id}/rotate', await send('POST', `${mine}/rotate`), 422)
    fits(
      'GET',
      '/api/v1/transactions',
      await send('GET', '/api/v1/transactions?from=yesterday'),
      400,
    )
    fits(
      'GET',
      '/api/v1/balance',
      await send('GET', '/api/v1/balance', undefined, { authorization: '' }),
      401,
    )
  })

  it('has an operation that answered above for every route but the other actions', () => {
    const unseen = check.operations.filter(
      ({ method, path }) => !seen.has(`${method} ${path}`) && !path.startsWith('/api/run/'),
    )
    assert.deepEqual(unseen, [])
  })
})
