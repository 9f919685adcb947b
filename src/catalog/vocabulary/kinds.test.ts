/** The four kinds of action, each against a vendor over real HTTP. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, endpoint, job, local, params } from './define.ts'
import type { CallTools } from './handlers.ts'
import { done, empty, failed } from './outcome.ts'
import { flat, free } from './tariff.ts'
import { bearer, get, post } from './wire.ts'
import { createCatalog } from '../index.ts'
import { billable, worstCase } from '../prices/price.ts'
import { sendWire } from '../testing/send-wire.ts'
import { createValidator } from '../validate/validate.ts'

const clips = defineService({
  id: 'clips',
  title: 'Clips',
  category: 'media',
  vendor: {
    baseUrl: 'https://clips.example',
    auth: bearer(),
    docsUrl: 'https://clips.example/docs',
  },
  actions: {
    voices: call({
      summary: 'List voices.',
      input: params({ language: Type.String({ default: 'en', description: 'Language.' }) }),
      example: {},
      price: free,
      timeoutMs: 1_000,
      request: ({ language }) => get('/voices', { language, tags: ['a', 'b'], absent: undefined }),
      reply: Type.Object({ voices: Type.Array(Type.String()) }),
      outcome: ({ body }) => (body.voices.length > 0 ? done(body) : empty(body)),
    }),
    render: job({
      summary: 'Render a clip.',
      input: params({
        prompt: Type.String({ description: 'What to show.' }),
        seconds: Type.Integer({ minimum: 4, maximum: 12, description: 'Length.' }),
      }),
      example: { prompt: 'a paper boat', seconds: 6 },
      price: {
        kind: 'unit',
        rate: cents('8'),
        unit: 'second',
        atMost: ({ seconds }) => seconds,
        counted: { by: 'number', field: 'seconds', least: () => 4 },
      },
      timeoutMs: 1_000,
      launch: {
        request: (input) => post('/clips', input),
        reply: Type.Object({ id: Type.String() }),
        reference: ({ body }) => body.id,
      },
      poll: {
        request: (reference) => get(`/clips/${encodeURIComponent(reference)}`),
        progress: ({ body }) =>
          body.status === 'done'
            ? { kind: 'finished' }
            : body.status === 'failed'
              ? { kind: 'failed', message: 'The clip could not be rendered.' }
              : { kind: 'pending' },
        everySeconds: 5,
        giveUpAfterSeconds: 900,
      },
      reply: Type.Object({
        status: Type.String(),
        url: Type.Optional(Type.String()),
        seconds: Type.Optional(Type.Number()),
      }),
      outcome: ({ body }) =>
        body.url === undefined
          ? failed('upstream_error', 'There is no clip.')
          : { kind: 'done', data: body, units: body.seconds ?? 0 },
    }),
    fetch: endpoint({
      summary: 'Read market data.',
      endpoints: [
        {
          endpoint: '/quotes',
          method: 'GET',
          summary: 'Quotes',
          params: [{ name: 'symbol', required: true, type: 'string' }],
        },
        {
          endpoint: '/screens',
          method: 'POST',
          summary: 'Screens',
          params: [{ name: 'limit', required: false, type: 'integer' }],
        },
      ],
      example: { endpoint: '/quotes', symbol: 'ACME' },
      price: flat(cents('1')),
      timeoutMs: 1_000,
      reply: Type.Unknown(),
      outcome: ({ body }) => done({ body }),
    }),
    echo: local({
      summary: 'Say it again.',
      input: params({ text: Type.String({ description: 'What to say.' }) }),
      example: { text: 'hello' },
      price: free,
      timeoutMs: 1_000,
      handler: 'clips.echo',
    }),
  },
})

const catalog = createCatalog([clips])
const { validate, matches } = createValidator()
const vendor = clips.vendor ?? assert.fail('the service has a vendor')

let server: Server
let baseUrl: string
const polls = new Map<string, number>()

before(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = vendorAnswer(
        `${request.method} ${pathname}`,
        searchParams,
        Buffer.concat(chunks).toString(),
      )
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => new Promise((resolve) => server.close(resolve)))

/** A clip is done at the second poll. */
function vendorAnswer(route: string, query: URLSearchParams, body: string): unknown {
  if (route === 'GET /voices')
    return { voices: [query.get('language'), ...query.getAll('tags')], absent: query.has('absent') }
  if (route === 'POST /clips') return { id: 'clip/1' }
  if (route === 'GET /clips/clip%2F1') {
    const seen = (polls.get(route) ?? 0) + 1
    polls.set(route, seen)
    return seen < 2
      ? { status: 'running' }
      : { status: 'done', url: 'https://clips.example/1.mp4', seconds: 5.5 }
  }
  if (route === 'GET /quotes') return { symbol: query.get('symbol') }
  return { route, body: body === '' ? null : (JSON.parse(body) as unknown) }
}

describe('kinds of action', () => {
  test('sends lists of a call as repeated fields, omits undefined values and maps the answer', async () => {
    const { action } = catalog.findAction('clips', 'voices')
    assert.ok(action.kind === 'call')
    const input = validate(action.input, action.example)
    const reply = await sendWire(baseUrl, vendor, action.request(input))
    assert.deepEqual(action.outcome(reply, input), {
      kind: 'done',
      data: { voices: ['en', 'a', 'b'], absent: false },
    })
  })

  test('launches a job once, polls it to its end and charges the delivered part', async () => {
    const { action } = catalog.findAction('clips', 'render')
    assert.ok(action.kind === 'job')
    const input = validate(action.input, action.example)
    const launched = await sendWire(baseUrl, vendor, action.launch.request(input))
    assert.ok(matches(action.launch.reply, launched.body))
    const reference = action.launch.reference(launched)
    assert.equal(reference, 'clip/1')

    const first = await sendWire(baseUrl, vendor, action.poll.request(reference))
    assert.deepEqual(action.poll.progress(first), { kind: 'pending' })
    const second = await sendWire(baseUrl, vendor, action.poll.request(reference))
    assert.deepEqual(action.poll.progress(second), { kind: 'finished' })
    assert.ok(matches(action.reply, second.body))

    const outcome = action.outcome(second, input)
    assert.equal(worstCase(action, input), cents('48'))
    assert.equal(billable(action, input, outcome), cents('44'))
  })

  test('sends GET parameters of an endpoint as a query and POST parameters as JSON', async () => {
    const { action } = catalog.findAction('clips', 'fetch')
    assert.ok(action.kind === 'endpoint')
    const quote = validate(action.input, action.example)
    assert.deepEqual((await sendWire(baseUrl, vendor, action.request(quote))).body, {
      symbol: 'ACME',
    })
    const screen = validate(action.input, { endpoint: '/screens', limit: 3 })
    assert.deepEqual((await sendWire(baseUrl, vendor, action.request(screen))).body, {
      route: 'POST /screens',
      body: { limit: 3 },
    })
    assert.throws(() => validate(action.input, { endpoint: '/screens', limit: 'three' }), {
      param: 'limit',
    })
  })

  test('gives a local action a handler and no vendor', async () => {
    const { action } = catalog.findAction('clips', 'echo')
    assert.ok(action.kind === 'local')
    const handlers = {
      'clips.echo': async (input: object, _tools: CallTools) => done({ ...input }),
    }
    const handler = handlers[action.handler as keyof typeof handlers]
    assert.deepEqual(await handler(validate(action.input, action.example), {} as CallTools), {
      kind: 'done',
      data: { text: 'hello' },
    })
  })
})
