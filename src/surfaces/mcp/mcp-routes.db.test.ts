import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { countTokens } from 'gpt-tokenizer'
import { openAppBed, type AppBed } from '../../../test/harness/beds/app.ts'
import { mcpClient, MCP_HEADERS, type ToolResult } from '../../../test/harness/clients/mcp.ts'
import { createDiscover } from '../../composites/discover/create-discover.ts'
import { discoverHandler } from '../../composites/discover/handler.ts'
import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { createCatalog } from '../../catalog/index.ts'
import { storedAnswerHandler } from '../../calls/idempotency/stored-answer.ts'
import { resultHandler } from '../../calls/jobs/job-actions.ts'
import { createJobWaiters } from '../../jobs/waiters.ts'
import { verifyLedger } from '../../ledger/verify.ts'

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const MOST_TOKENS = 2_500

let bed: AppBed
let client: ReturnType<typeof mcpClient>

before(async () => {
  const { services } = createCatalog()
  const discover = createDiscover({
    services,
    laneOf: () => ({ live: 'vendor', lanes: ['vendor'] }),
  })
  const replay: LocalHandler = (input, tools) =>
    storedAnswerHandler(bed.database, createJobWaiters(), 'media/generate')(input, tools)
  bed = await openAppBed({
    local: new Map([
      ['core.discover', discoverHandler(discover)],
      ['media.result', replay],
      [
        'core.result',
        (input, tools) => resultHandler(bed.database, createJobWaiters())(input, tools),
      ],
    ]),
  })
  bed.vendor.answerWith(() => ({ body: FOUND }))
  client = mcpClient(bed)
})

const search = (query: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  service: 'semantic',
  action: 'search',
  params: { query },
  ...more,
})

describe('the protocol', () => {
  it('initializes with name, tools and instructions in the version that the client requests', async () => {
    const { result } = await client.ask<{
      protocolVersion: string
      capabilities: object
      serverInfo: { name: string }
      instructions: string
    }>('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
    assert.deepEqual(
      [result.protocolVersion, result.capabilities, result.serverInfo.name],
      ['2025-06-18', { tools: {}, resources: {}, prompts: {} }, 'tollgate'],
    )
    assert.match(result.instructions, /discover/)
  })

  it('lists eight tools with schemas and correct annotations in fewer than 2500 tokens', async () => {
    const { result } = await client.ask<{
      tools: { name: string; inputSchema: { type: string }; annotations: Record<string, boolean> }[]
    }>('tools/list')
    const hints = Object.fromEntries(
      result.tools.map(({ name, annotations }) => [
        name,
        [
          annotations['readOnlyHint'],
          annotations['destructiveHint'],
          annotations['idempotentHint'],
          annotations['openWorldHint'],
        ],
      ]),
    )
    assert.deepEqual(hints, {
      discover: [true, false, true, false],
      describe: [true, false, true, false],
      run: [false, true, false, true],
      result: [true, false, true, false],
      balance: [true, false, true, false],
      budget: [false, true, false, false],
      session: [false, true, false, true],
      close: [false, true, true, false],
    })
    assert.ok(
      result.tools.every(
        ({ inputSchema }) =>
          inputSchema.type === 'object' && !('oneOf' in inputSchema) && !('anyOf' in inputSchema),
      ),
    )
    const tokens = countTokens(JSON.stringify(result))
    assert.ok(tokens < MOST_TOKENS, `${tokens} tokens`)
  })

  it('answers with the id of the request, even when two clients use the same id concurrently', async () => {
    const ask = (query: string) =>
      client.send({
        jsonrpc: '2.0',
        id: 'same',
        method: 'tools/call',
        params: { name: 'discover', arguments: { query } },
      })
    const replies = await Promise.all([ask('read a web page'), ask('find an email')])
    const answers = replies.map((reply) =>
      reply.json<{ id: string; result: { structuredContent: { data: { query: string } } } }>(),
    )
    assert.deepEqual(
      answers.map(({ id, result }) => [id, result.structuredContent.data.query]),
      [
        ['same', 'read a web page'],
        ['same', 'find an email'],
      ],
    )
  })

  it('accepts notifications without cancelling the requests of other clients', async () => {
    const { promise: asked, resolve: arrive } = Promise.withResolvers<void>()
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    bed.vendor.answerWith(async () => {
      arrive()
      await held
      return { body: FOUND }
    })
    const running = client.tool('run', search('slow'))
    await asked
    for (let requestId = 0; requestId < 20; requestId += 1) {
      const reply = await client.send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId },
      })
      assert.deepEqual([reply.statusCode, reply.body], [202, ''])
    }
    answer()
    assert.equal((await running).structuredContent.ok, true)
    bed.vendor.answerWith(() => ({ body: FOUND }))
  })

  it('rejects unknown methods, tools and versions, batches and invalid JSON as JSON-RPC', async () => {
    assert.equal((await client.ask('resources/subscribe')).error?.code, -32601)
    const unknown = await client.ask('tools/call', { name: 'buy', arguments: {} })
    assert.equal(unknown.error?.code, -32602)
    assert.match(
      unknown.error?.message ?? '',
      /^Unknown tool "buy"\. The tools are discover, describe, run/,
    )
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    for (const [body, code] of [
      [[ping], -32600],
      [{ hello: 1 }, -32600],
      ['{"jsonrpc"', -32700],
      [[], -32600],
      [null, -32600],
    ] as const) {
      const reply = await client.send(body)
      assert.deepEqual(
        [reply.statusCode, reply.json<{ error: { code: number } }>().error.code],
        [400, code],
        JSON.stringify(body),
      )
    }
    assert.equal(
      (await client.send(ping, { 'mcp-protocol-version': '1999-01-01' })).statusCode,
      400,
    )
    assert.equal((await client.send(ping, { 'content-type': 'text/plain' })).statusCode, 415)
    assert.equal(
      (await client.send({ ...ping, params: { text: 'x'.repeat(1_100_000) } })).statusCode,
      413,
    )
    assert.equal((await client.send(ping)).statusCode, 200)
  })

  it('accepts only POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const reply = await bed.app.inject({
        method,
        url: '/mcp',
        headers: { ...MCP_HEADERS, authorization: `Bearer ${bed.liveKey}` },
      })
      assert.deepEqual([reply.statusCode, reply.headers['allow']], [405, 'POST'])
    }
  })
})

describe('the authentication', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('answers 401 without a valid key and names the resource metadata', async () => {
    const url = 'https://gate.example/.well-known/oauth-protected-resource/mcp'
    const without = await client.send(ping, { authorization: '' })
    assert.deepEqual(
      [without.statusCode, without.headers['www-authenticate']],
      [401, `Bearer resource_metadata="${url}", scope="actions"`],
    )
    const wrong = await client.send(ping, { authorization: 'Bearer tg_live_wrong' })
    assert.deepEqual(
      [wrong.statusCode, wrong.headers['www-authenticate']],
      [401, `Bearer error="invalid_token", resource_metadata="${url}", scope="actions"`],
    )
    assert.equal(
      wrong.json<{ error: { data: { error: { code: string } } } }>().error.data.error.code,
      'invalid_token',
    )
    for (const path of [new URL(url).pathname, '/.well-known/oauth-protected-resource']) {
      const metadata = (await bed.app.inject(path)).json<Record<string, unknown>>()
      assert.deepEqual(
        [metadata['resource'], metadata['bearer_methods_supported']],
        ['https://gate.example/mcp', ['header']],
      )
    }
  })

  it('answers 403 for a foreign Host or Origin before it checks the key', async () => {
    const foreign = [
      { host: 'evil.example' },
      { host: 'gate.example.evil.example' },
      { host: 'localhost.evil.example' },
      { host: 'evil@gate.example.com' },
      { host: 'gate.example:8443' },
      { origin: 'https://evil.example' },
      { origin: 'http://gate.example' },
      { origin: 'null' },
    ]
    for (const headers of foreign) {
      const reply = await client.send(ping, { authorization: '', ...headers })
      assert.deepEqual(
        [
          reply.statusCode,
          reply.json<{ error: { data: { error: { code: string } } } }>().error.data.error.code,
        ],
        [403, 'foreign_host'],
        JSON.stringify(headers),
      )
    }
    const own = [
      { origin: 'https://gate.example' },
      { host: 'GATE.example:443' },
      { host: 'localhost:4020' },
      { host: '127.0.0.1:1' },
      { host: '[::1]:4020', origin: 'http://localhost:6274' },
    ]
    for (const headers of own)
      assert.equal(
        (await client.send(ping, headers as Record<string, string>)).statusCode,
        200,
        JSON.stringify(headers),
      )
  })

  it('shares the rate limit with HTTP', async () => {
    const slow = await openAppBed({ rateLimitPerMinute: 2 })
    await slow.get('/api/v1/balance')
    const other = mcpClient(slow)
    assert.equal((await other.send(ping)).statusCode, 200)
    const refused = await other.send(ping)
    assert.equal(refused.statusCode, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
  })
})

describe('the tools', () => {
  it('lead from a task to an action, its parameters and a paid call', async () => {
    const found = await client.tool('discover', { query: 'search the web by meaning' })
    const hits = found.structuredContent.data['hits'] as { service: string; action: string }[]
    assert.ok(
      hits.some(({ service }) => service === 'semantic'),
      JSON.stringify(hits),
    )
    assert.ok(hits.length <= 3, 'a model gets few hits unless it asks for more')
    assert.match(
      String(found.structuredContent.data['next']),
      /^describe with service "[a-z-]+", action "[a-z-]+".* run makes the call/,
    )
    assert.match(
      String((await client.tool('discover', { query: 'zzyzx' })).structuredContent.data['next']),
      /^No (?:matching actions|action clearly fits)/,
    )
    const described = await client.tool('describe', { service: 'semantic', action: 'search' })
    assert.deepEqual(
      Object.keys(
        (described.structuredContent.data['params'] as { properties: object }).properties,
      ).includes('query'),
      true,
    )
    const ran = await client.tool('run', search('ledgers'))
    assert.deepEqual(
      [ran.structuredContent.ok, ran.structuredContent.charged_micros, ran.isError],
      [true, 10_000, undefined],
    )
    assert.deepEqual(ran.structuredContent, JSON.parse(ran.content[0]?.text ?? ''))
    assert.equal(typeof ran._meta?.['creditsRemainingCents'], 'number')
  })

  it('return the answer of media/generate again, free, for its transaction_id', async () => {
    bed.vendor.answerWith(() => ({ body: { images: [{ url: 'https://vendor.example/1.png' }] } }))
    const made = (
      await client.tool('run', {
        service: 'media',
        action: 'generate',
        params: { model: 'nano-banana', prompt: 'A paper boat.' },
      })
    ).structuredContent
    const again = (await client.tool('result', { transaction_id: made.data['transaction_id'] }))
      .structuredContent
    assert.deepEqual([again.data, again.charged_micros], [made.data, 0])
    const neither = await client.tool('result', {})
    assert.deepEqual([neither.isError, neither.structuredContent.error.param], [true, 'job_id'])
    bed.vendor.answerWith(() => ({ body: FOUND }))
  })

  it('return the outcome of any paid call for its transaction_id or request_id', async () => {
    const ran = await client.tool('run', search('outcome', { idempotency_key: 'outcome' }))
    const requestId = ran.structuredContent.request_id
    for (const id of [requestId, requestId.replace('req_', 'tx_')]) {
      const { data } = (await client.tool('result', { transaction_id: id })).structuredContent
      assert.partialDeepStrictEqual(data, {
        state: 'answered',
        charged_micros: 10_000,
        answer: { body: ran.structuredContent },
      })
    }
    for (const id of ['tx_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f', 'none']) {
      const { structuredContent: none } = await client.tool('result', { transaction_id: id })
      assert.equal(none.error.code, 'unknown_transaction', id)
    }
  })

  it('run an action named "service/action", with parameters as JSON text', async () => {
    for (const named of [{ action: 'semantic/search' }, { service: 'semantic/search' }]) {
      const { structuredContent: ran } = await client.tool('run', {
        ...named,
        params: '{"query":"x"}',
      })
      assert.deepEqual([ran.ok, ran.charged_micros], [true, 10_000])
      const { structuredContent: described } = await client.tool('describe', named)
      assert.equal(described.data['action'], 'search')
    }
    const { error } = (await client.tool('run', search('x', { params: '{"query":' })))
      .structuredContent
    assert.deepEqual([error.code, error.param], ['invalid_params', 'params'])
  })

  it('advise with tools, and suggest the actions of the service for an unknown one', async () => {
    const { error } = (await client.tool('run', { service: 'emailintel', action: 'zzz' }))
      .structuredContent
    assert.match(error.fix, /^Its actions are .+ discover searches all actions\.$/)
    const suggestions = error.details?.['suggestions'] as string[]
    assert.ok(suggestions.length > 1 && suggestions.every((name) => name.startsWith('emailintel/')))
    const { error: unknown } = (
      await client.tool('describe', { service: 'socialread', action: 'fetch', endpoint: 'no/such' })
    ).structuredContent
    assert.match(unknown.fix, /^describe with service "socialread" and action "fetch" lists/)
  })

  it('describe the endpoints of a passthrough briefly, and one endpoint in full', async () => {
    const { content, structuredContent } = await client.tool('describe', {
      service: 'socialread',
      action: 'fetch',
    })
    assert.ok((content[0]?.text.length ?? 0) < 20_000)
    const { endpoints, endpoint_count: count } = structuredContent.data as {
      endpoints: { endpoint: string }[]
      endpoint_count: number
    }
    assert.ok(count > endpoints.length)
    const one = await client.tool('describe', {
      service: 'socialread',
      action: 'fetch',
      endpoint: endpoints[0]?.endpoint,
    })
    assert.equal(one.structuredContent.data['upstream_endpoint'], endpoints[0]?.endpoint)
    const none = await client.tool('describe', {
      service: 'socialread',
      action: 'fetch',
      endpoint: 'no/such',
    })
    assert.deepEqual([none.isError, none.structuredContent.error.code], [true, 'not_found'])
  })

  it('return a rejection as a tool error with the HTTP error envelope, not charged', async () => {
    const before = await bed.balance()
    const cases: readonly (readonly [string, Record<string, unknown>, string, string | null])[] = [
      ['run', search(''), 'invalid_params', 'query'],
      ['run', { service: 'semantic', action: 'serch' }, 'unknown_action', null],
      ['run', search('x', { max_cost_cents: 0 }), 'max_cost_exceeded', 'max_cost_cents'],
      ['run', { service: 'semantic', action: 'search', query: 'x' }, 'invalid_params', 'query'],
      [
        'run',
        search('x', { idempotency_key: 'k'.repeat(256) }),
        'invalid_params',
        'idempotency_key',
      ],
      ['run', search('x', { idempotency_key: 'k\0' }), 'invalid_params', 'idempotency_key'],
      ['run', search('x', { idempotency_key: 'k\ud800' }), 'invalid_params', 'idempotency_key'],
      [
        'result',
        { job_id: 'job_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f', wait_s: 61 },
        'invalid_params',
        'wait_s',
      ],
      ['discover', {}, 'invalid_params', 'query'],
    ]
    for (const [tool, input, code, param] of cases) {
      const { isError, structuredContent: envelope } = await client.tool(tool, input)
      assert.deepEqual(
        [isError, envelope.ok, envelope.error.code, envelope.error.param, envelope.charged_micros],
        [true, false, code, param, 0],
        `${tool} ${JSON.stringify(input)}`,
      )
    }
    assert.deepEqual(await bed.balance(), before)
  })

  it('treat null as an omitted argument, and reject it for a required one', async () => {
    const { structuredContent: ran } = await client.tool(
      'run',
      search('x', { max_cost_cents: null, idempotency_key: null }),
    )
    assert.deepEqual([ran.ok, ran.charged_micros], [true, 10_000])
    const { structuredContent: described } = await client.tool('describe', {
      service: 'semantic',
      action: 'search',
      endpoint: null,
    })
    assert.equal(described.data['action'], 'search')
    const { structuredContent: refused } = await client.tool('run', {
      service: 'semantic',
      action: null,
    })
    assert.deepEqual([refused.error.code, refused.error.param], ['invalid_params', 'action'])
  })

  it('accept calls as core/consult and discover return them, and the former name of `params`', async () => {
    const listed = {
      service: 'semantic',
      action: 'search',
      params: { query: 'x' },
      max_cost_cents: 1,
      why: 'Find web pages by meaning.',
    }
    for (const call of [listed, { ...listed, params: undefined, input: listed.params }]) {
      const { structuredContent: ran } = await client.tool('run', call)
      assert.deepEqual([ran.ok, ran.charged_micros], [true, 10_000])
    }
    const { error } = (
      await client.tool('run', {
        service: 'trends',
        action: 'fetch',
        endpoint: '/trend',
        params: { keywords: 'rain' },
      })
    ).structuredContent
    assert.deepEqual(
      [error.param, error.fix.split('?')[0]],
      ['keywords', 'Did you mean `keyword`'],
      'the endpoint of a hit is a top-level argument',
    )
    const { result } = await client.ask<{
      tools: { name: string; inputSchema: { properties: { params?: object } } }[]
    }>('tools/list')
    // Some models send an empty object unless the schema allows additional properties.
    assert.partialDeepStrictEqual(
      result.tools.find(({ name }) => name === 'run')?.inputSchema.properties.params,
      { type: 'object', additionalProperties: true },
    )
  })

  it('name the right place for misplaced or misnamed parameters', async () => {
    const named = { service: 'semantic', action: 'search' }
    const cases: readonly (readonly [Record<string, unknown>, string, string])[] = [
      [{ ...named, body: { query: 'x' } }, 'body', 'The expected field is `params`.'],
      [{ ...named, query: 'x' }, 'query', 'Send the parameters of the action in `params`.'],
      [
        { ...named, params: { query: 'x' }, input: { query: 'y' } },
        'input',
        'Send the parameters of the action in `params`.',
      ],
      [
        { ...named, params: { query: 'x' }, max_cost_cent: 1 },
        'max_cost_cent',
        'Did you mean `max_cost_cents`?',
      ],
    ]
    for (const [input, param, fix] of cases) {
      const { error } = (await client.tool('run', input)).structuredContent
      assert.deepEqual([error.code, error.param, error.fix], ['invalid_params', param, fix])
    }
  })

  it('charge nothing when the vendor fails, and return when to retry', async () => {
    bed.vendor.answerWith(() => ({ status: 429, headers: { 'retry-after': '7' }, body: {} }))
    const { isError, structuredContent } = await client.tool('run', search('busy'))
    assert.deepEqual(
      [
        isError,
        structuredContent.error.code,
        structuredContent.charged_micros,
        structuredContent.retry_after_seconds,
      ],
      [true, 'upstream_busy', 0, 7],
    )
    bed.vendor.answerWith(() => ({ status: 503, headers: { 'retry-after': '8' }, body: {} }))
    const down = (await client.tool('run', search('down'))).structuredContent
    assert.deepEqual(
      [down.error.code, down.charged_micros, down.retry_after_seconds],
      ['upstream_error', 0, 8],
    )
    bed.vendor.answerWith(() => ({ body: FOUND }))
  })

  it('return the remaining credit of the account and the remaining limit of the key', async () => {
    const { key } = (
      await bed.post('/api/v1/agents', {
        ceiling_cents: 5,
        ceiling_period: 'day',
        scope: 'account',
      })
    ).json<{ data: { key: string } }>().data
    await client.tool('run', search('spend'), { key })
    const { structuredContent } = await client.tool('balance', {}, { key })
    const { key: own, ...credit } = structuredContent.data as {
      key: { spendable_cents: number; ceiling_cents: number }
      available_cents: number
      lots?: unknown
    }
    assert.deepEqual([own.ceiling_cents, own.spendable_cents, credit.lots], [5, 4, undefined])
    assert.ok(credit.available_cents > 5)
  })

  it('run commands and code in a simulated session of a test key until it is closed', async () => {
    const key = bed.testKey
    const shell = await client.tool(
      'session',
      { session_id: 'ses_test_a', command: 'echo hello' },
      { key },
    )
    const { request_id: requestId, ...envelope } = shell.structuredContent
    assert.match(requestId, /^req_/)
    assert.deepEqual(envelope, {
      ok: true,
      data: {
        session_id: 'ses_test_a',
        stdout: 'hello\n',
        stderr: '',
        exit_code: 0,
        closes_at: null,
      },
      charged_cents: 0,
      charged_micros: 0,
      test: true,
    })
    const code = await client.tool(
      'session',
      { session_id: 'ses_test_a', code: 'print("hi")' },
      { key },
    )
    assert.equal(code.structuredContent.data['stdout'], 'hi\n')
    for (const _time of ['once', 'twice']) {
      const closed = await client.tool('close', { session_id: 'ses_test_a' }, { key })
      assert.deepEqual(closed.structuredContent.data, {
        session_id: 'ses_test_a',
        closed: true,
        closes_at: null,
      })
    }
    const gone = await client.tool('session', { session_id: 'ses_test_a', command: 'pwd' }, { key })
    assert.deepEqual(
      [gone.isError, gone.structuredContent.error.code, gone.structuredContent.error.param],
      [true, 'unknown_session', 'session_id'],
    )
  })

  it('require either a command or code, and reject live keys without a compute service', async () => {
    for (const input of [
      {},
      { command: 'ls', code: 'x' },
      { command: 'ls', language: 'python' },
      { code: 'x', language: 'ruby' },
    ]) {
      const { isError, structuredContent } = await client.tool(
        'session',
        { session_id: 'ses_test_a', ...input },
        { key: bed.testKey },
      )
      assert.deepEqual(
        [isError, structuredContent.error.code],
        [true, 'invalid_params'],
        JSON.stringify(input),
      )
    }
    for (const name of ['session', 'close']) {
      const { structuredContent } = await client.tool(name, {
        session_id: 'ses_test_a',
        ...(name === 'session' ? { command: 'ls' } : {}),
      })
      assert.deepEqual(
        [structuredContent.error.code, structuredContent.charged_micros],
        ['upstream_not_configured', 0],
      )
    }
  })

  it('keep the ledger consistent', async () => {
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })
})

describe('a repeated call', () => {
  it('is charged once, with the key as argument or in _meta', async () => {
    const first = await client.tool('run', search('once', { idempotency_key: 'a' }))
    const again = await client.tool('run', search('once', { idempotency_key: 'a' }))
    const byMeta = await client.tool('run', search('once'), { meta: { idempotencyKey: 'a' } })
    assert.equal(first._meta?.['idempotencyReplayed'], undefined)
    for (const one of [again, byMeta]) {
      assert.equal(one._meta?.['idempotencyReplayed'], true)
      assert.deepEqual(one.structuredContent, first.structuredContent)
    }
    const other = await client.tool('run', search('another', { idempotency_key: 'a' }))
    assert.equal(other.structuredContent.error.code, 'idempotency_key_reused')
    const noText = await client.tool('run', search('once'), { meta: { idempotencyKey: {} } })
    assert.equal(noText.structuredContent.error.param, '_meta.idempotencyKey')
  })

  it('is charged once when one of the two requests comes over HTTP', async () => {
    const body = { query: 'either way', max_cost_cents: 3 }
    const asked = bed.vendor.requests.length
    const tool = await client.tool(
      'run',
      search('either way', { max_cost_cents: 3, idempotency_key: 'b' }),
    )
    const overHttp = await bed.post('/api/run/semantic/search', body, { 'idempotency-key': 'b' })
    assert.equal(overHttp.headers['idempotency-replayed'], 'true')
    assert.equal(overHttp.body, tool.content[0]?.text)
    await bed.post('/api/run/semantic/search', { query: 'http first' }, { 'idempotency-key': 'c' })
    assert.equal(
      (await client.tool('run', search('http first', { idempotency_key: 'c' })))._meta?.[
        'idempotencyReplayed'
      ],
      true,
    )
    assert.equal(bed.vendor.requests.length - asked, 2)
  })
})

describe('a stopping gateway', () => {
  it('answers the call in flight first', async () => {
    const stopping = await openAppBed()
    const asked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    stopping.vendor.answerWith(async () => {
      asked.resolve()
      await held.promise
      return { body: FOUND }
    })
    const url = await stopping.app.listen({ port: 0, host: '127.0.0.1' })
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'run', arguments: search('last words') },
    }
    const running = fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stopping.liveKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
    await asked.promise
    const closed = stopping.app.close()
    while (stopping.app.server.listening) await new Promise((turn) => setImmediate(turn))
    held.resolve()
    const { result } = (await (await running).json()) as { result: ToolResult }
    assert.deepEqual(
      [result.structuredContent.ok, result.structuredContent.charged_micros],
      [true, 10_000],
    )
    await closed
  })
})
