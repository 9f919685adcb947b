/** Protocol 2026-07-28 at /mcp. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openAppBed, type AppBed } from '../../../../test/harness/beds/app.ts'
import { MCP_HEADERS, type Envelope } from '../../../../test/harness/clients/mcp.ts'
import { cancelHandler, resultHandler } from '../../../calls/jobs/job-actions.ts'
import type { LocalHandler } from '../../../catalog/vocabulary/handlers.ts'
import { createJobWaiters } from '../../../jobs/waiters.ts'
import { META, MODERN_VERSION, TASKS } from './modern-request.ts'

type Reply = {
  readonly status: number
  readonly id: unknown
  readonly result: Record<string, unknown>
  readonly error?: { code: number; message: string; data?: Record<string, unknown> }
}
type Sent = {
  readonly headers?: Record<string, string | undefined>
  readonly capabilities?: object
  readonly key?: string
}

const FOUND = { requestId: 'r', results: [{ id: 'a', url: 'https://a.example/' }] }

let bed: AppBed
before(async () => {
  const read: LocalHandler = (input, tools) =>
    resultHandler(bed.database, createJobWaiters())(input, tools)
  const cancel: LocalHandler = (input, tools) => cancelHandler(bed.database)(input, tools)
  bed = await openAppBed({
    mcpConfirmAboveCents: 2,
    local: new Map([
      ['core.result', read],
      ['core.cancel', cancel],
    ]),
  })
  bed.vendor.answerWith(() => ({ body: FOUND }))
})

async function ask(
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, capabilities = {}, key = bed.liveKey }: Sent = {},
): Promise<Reply> {
  const named = params['name'] ?? params['uri'] ?? params['taskId']
  const wanted: Record<string, string | undefined> = {
    ...MCP_HEADERS,
    'mcp-protocol-version': MODERN_VERSION,
    'mcp-method': method,
    ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
    authorization: `Bearer ${key}`,
    ...headers,
  }
  const meta = { [META.version]: MODERN_VERSION, [META.capabilities]: capabilities }
  const reply = await bed.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: Object.fromEntries(
      Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    payload: {
      jsonrpc: '2.0',
      id: 'x1',
      method,
      params: { _meta: meta, ...params },
    },
  })
  return { status: reply.statusCode, ...reply.json<Omit<Reply, 'status'>>() }
}

const tool = (name: string, input: object = {}, sent?: Sent, more: object = {}) =>
  ask('tools/call', { name, arguments: input, ...more }, sent)
const envelopeOf = ({ result }: Reply) =>
  JSON.parse((result['content'] as { text: string }[])[0]?.text ?? '') as Envelope
const search = {
  service: 'semantic',
  action: 'search',
  params: { query: 'ledgers' },
}

describe('a modern request', () => {
  it('needs no handshake: the first request returns the first result', async () => {
    const reply = await tool('run', search)
    assert.deepEqual([reply.status, reply.id, reply.result['resultType']], [200, 'x1', 'complete'])
    assert.equal(envelopeOf(reply).charged_micros, 10_000)
    assert.equal(reply.result['structuredContent'], undefined, 'a long answer is sent once')
  })

  it('has the structured content that the output schema of its tool promises', async () => {
    const { result } = await ask('tools/list')
    const tools = result['tools'] as { name: string; outputSchema?: { required: string[] } }[]
    assert.deepEqual(
      tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name),
      ['discover', 'balance', 'session', 'close'],
    )
    const balance = await tool('balance')
    assert.deepEqual(balance.result['structuredContent'], envelopeOf(balance))
  })

  it('discovers versions, capabilities and instructions, with cache hints on every list', async () => {
    const { result } = await ask('server/discover')
    assert.ok((result['supportedVersions'] as string[]).includes('2025-11-25'))
    assert.deepEqual(result['capabilities'], {
      tools: {},
      resources: {},
      prompts: {},
      extensions: { [TASKS]: {} },
    })
    for (const list of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
      assert.partialDeepStrictEqual(
        (await ask(list)).result,
        { resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' },
        list,
      )
  })

  it('is rejected with its id when headers, version, metadata or method do not fit', async () => {
    const meta = (version: unknown, capabilities: unknown = {}) => ({
      _meta: { [META.version]: version, [META.capabilities]: capabilities },
    })
    const cases: readonly (readonly [string, object, Sent, number, number])[] = [
      ['tools/list', {}, { headers: { 'mcp-protocol-version': '2025-11-25' } }, 400, -32020],
      ['tools/list', {}, { headers: { 'mcp-protocol-version': undefined } }, 400, -32020],
      ['tools/list', {}, { headers: { 'mcp-method': undefined } }, 400, -32020],
      ['tools/list', {}, { headers: { 'mcp-method': 'TOOLS/LIST' } }, 400, -32020],
      ['tools/call', { name: 'balance' }, { headers: { 'mcp-name': 'run' } }, 400, -32020],
      ['tools/list', { _meta: {} }, {}, 400, -32602],
      ['tools/list', meta(MODERN_VERSION, null), {}, 400, -32602],
      [
        'tools/list',
        meta('1900-01-01'),
        { headers: { 'mcp-protocol-version': '1900-01-01' } },
        400,
        -32022,
      ],
      ['initialize', {}, {}, 404, -32601],
      ['ping', {}, {}, 404, -32601],
      ['tasks/get', { taskId: 'job_x' }, {}, 400, -32021],
      ['tools/call', { name: 'buy' }, {}, 200, -32602],
      ['prompts/get', { name: 'none' }, {}, 200, -32602],
      ['resources/read', { uri: 'tollgate://none' }, {}, 200, -32602],
    ]
    for (const [method, params, sent, status, code] of cases) {
      const reply = await ask(method, params as Record<string, unknown>, sent)
      assert.deepEqual(
        [reply.status, reply.id, reply.error?.code],
        [status, 'x1', code],
        `${method} ${JSON.stringify([params, sent])}`,
      )
    }
    const unknown = await ask('tools/list', meta('1900-01-01'), {
      headers: { 'mcp-protocol-version': '1900-01-01' },
    })
    assert.ok((unknown.error?.data?.['supported'] as string[]).includes(MODERN_VERSION))
  })

  it('accepts an encoded Mcp-Name', async () => {
    const headers = { 'mcp-name': `=?base64?${Buffer.from('balance').toString('base64')}?=` }
    assert.equal((await tool('balance', {}, { headers })).status, 200)
  })
})

describe('a price above the limit', () => {
  const urls = Array.from({ length: 50 }, (_, page) => `https://a.example/${page}`)
  const dear = { service: 'semantic', action: 'contents', params: { urls } }
  const canAsk = { capabilities: { elicitation: {} } }

  it('is run unasked for clients that cannot ask', async () => {
    assert.equal((await tool('run', dear)).result['resultType'], 'complete')
  })

  it('asks the person, and runs the call once it is accepted', async () => {
    const asked = await tool('run', dear, canAsk)
    assert.equal(asked.result['resultType'], 'input_required', JSON.stringify(asked))
    const [name = ''] = Object.keys(asked.result['inputRequests'] as object)
    const answerWith = (answer: object) =>
      tool('run', dear, canAsk, { inputResponses: { [name]: answer } })
    const accepted = await answerWith({ action: 'accept', content: { pay: true } })
    assert.equal(envelopeOf(accepted).ok, true)
    for (const answer of [{ action: 'decline' }, { action: 'accept', content: { pay: false } }]) {
      const { error, charged_micros: charged } = envelopeOf(await answerWith(answer))
      assert.deepEqual([error.code, charged], ['call_cancelled', 0])
    }
  })

  it('is not asked about below the limit', async () => {
    assert.equal((await tool('run', search, canAsk)).result['resultType'], 'complete')
  })
})

describe('a job', () => {
  const start = {
    service: 'media',
    action: 'generate',
    params: { model: 'ltx-2', prompt: 'A paper boat.', duration: 5 },
  }
  const tasks = { capabilities: { extensions: { [TASKS]: {} } } }

  it('is a task for a client with the extension, which polls and cancels it', async () => {
    const { result: task } = await tool('run', start, tasks)
    assert.partialDeepStrictEqual(task, { resultType: 'task', status: 'working' })
    const { taskId } = task
    const polled = await ask('tasks/get', { taskId }, tasks)
    assert.partialDeepStrictEqual(polled.result, {
      resultType: 'complete',
      taskId,
      status: 'working',
    })
    const { error } = await ask('tasks/get', { taskId }, { ...tasks, key: bed.strangerKey })
    assert.equal(error?.code, -32602)
    assert.deepEqual((await ask('tasks/cancel', { taskId }, tasks)).result, {
      resultType: 'complete',
    })
    const { result: ended } = await ask('tasks/get', { taskId }, tasks)
    assert.equal(ended['status'], 'cancelled')
  })

  it('stays an answer with a job_id for other clients', async () => {
    const reply = await tool('run', start)
    assert.equal(reply.result['resultType'], 'complete', JSON.stringify(reply))
    assert.match(String(envelopeOf(reply).data['job_id']), /^job_/)
  })
})

describe('resources and prompts', () => {
  it('contain the guide, the catalog, services, actions and text files of the account', async () => {
    for (const [uri, part] of [
      ['tollgate://guide', '`discover`'],
      ['tollgate://catalog', 'core'],
      ['tollgate://service/core', '[core/onescrape]'],
      ['tollgate://action/core/onescrape', '"action":"onescrape"'],
    ] as const) {
      const { result } = await ask('resources/read', { uri })
      const [content] = result['contents'] as { uri: string; text: string }[]
      assert.equal(content?.uri, uri)
      assert.ok(content.text.includes(part), uri)
    }
    bed.vendor.answerWith(() => ({
      body: {
        requestId: 'r',
        results: [{ id: 'a', url: 'https://a.example/', text: 'Text. '.repeat(20_000) }],
      },
    }))
    const ran = envelopeOf(await tool('run', search)) as unknown as {
      truncated: { file_id: string; offset: number }[]
    }
    bed.vendor.answerWith(() => ({ body: FOUND }))
    const [line] = ran.truncated
    const uri = `tollgate://file/${line?.file_id}?offset=${line?.offset}`
    const { result } = await ask('resources/read', { uri })
    assert.match((result['contents'] as { text: string }[])[0]?.text ?? '', /^Text\. /)
    assert.equal(result['cacheScope'], 'private')
    const foreign = await ask('resources/read', { uri }, { key: bed.strangerKey })
    assert.equal(foreign.error?.code, -32602)
  })

  it('lead a model through the tools, and name a missing argument', async () => {
    const { result } = await ask('prompts/get', {
      name: 'read_page',
      arguments: { url: 'https://a.example' },
    })
    assert.match(JSON.stringify(result['messages']), /core\/onescrape/)
    assert.match((await ask('prompts/get', { name: 'read_page' })).error?.message ?? '', /"url"/)
  })
})
