/** Model choice, requests to models, and rejections before any model request. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import { Agent } from 'undici'
import { AppError } from '../../src/errors/app-error.ts'
import { createDirectory } from '../../src/llm/lists/directory.ts'
import { createModelLists } from '../../src/llm/lists/model-lists.ts'
import { readModelList } from '../../src/llm/lists/read-model-list.ts'
import { answerWords, promptTokens } from '../../src/simulators/model-content.ts'
import { pricingDocument } from '../../src/surfaces/router/offer-documents.ts'
import { pricingRoute } from '../../src/surfaces/router/router-routes.ts'
import { cleanUp } from '../harness/clean-up.ts'
import {
  completion,
  eventsOf,
  listOf,
  stream,
  type Asked,
} from '../harness/vendors/model-upstream.ts'
import { openRouterBed, UPSTREAM_TIMES, upstreamAt } from '../harness/beds/router.ts'

const bed = await openRouterBed({
  upstreams: (url, dispatcher) => [
    upstreamAt('llm', url, dispatcher),
    upstreamAt('local', url.replace('/v1', '/local/v1'), dispatcher, {
      isAggregator: false,
      key: null,
      defaultRates: { prompt: 0n, completion: 0n, overrides: [] },
    }),
  ],
  models: new Map([
    ['my-model', { upstream: 'local', upstreamModel: 'llama', rates: null, contextLength: 8_192 }],
    [
      'priced-here',
      {
        upstream: 'local',
        upstreamModel: 'unlisted',
        rates: { prompt: 1_000_000n, completion: 1_000_000n, overrides: [] },
        contextLength: null,
      },
    ],
    [
      'listed-and-priced-here',
      {
        upstream: 'llm',
        upstreamModel: 'maker/small',
        rates: { prompt: 1_000_000n, completion: 1_000_000n, overrides: [] },
        contextLength: null,
      },
    ],
  ]),
})
const { upstream } = bed
const hasty = await openRouterBed({ times: { ...UPSTREAM_TIMES, firstByteMs: 3_000 } })
const dispatcher = new Agent()
cleanUp(() => dispatcher.close())
const MESSAGES = [{ role: 'user', content: 'Hello.' }]
const USAGE = { prompt_tokens: 5, completion_tokens: 2 }

type ErrorBody = {
  error: {
    code: string
    type: string
    param: string | null
    message: string
    details?: Record<string, unknown>
  }
}

async function refusal(
  body: object,
  key?: string,
): Promise<{ status: number; code: string; param: string | null; headers: Headers }> {
  const before = upstream.asked.length
  const answer = await bed.post({ messages: MESSAGES, ...body }, {}, key)
  const { error } = (await answer.json()) as ErrorBody
  assert.equal(upstream.asked.length, before, 'nobody was asked')
  return { status: answer.status, code: error.code, param: error.param, headers: answer.headers }
}

/** Answers by model: a status to fail with, or what to do. */
function script(
  answers: Readonly<Record<string, number | ((asked: Asked) => void)>>,
  { upstream } = bed,
): void {
  upstream.asked.length = 0
  upstream.answerWith((asked) => {
    const answer = answers[asked.model]
    if (typeof answer === 'number')
      asked.response
        .writeHead(answer, { 'content-type': 'application/json', 'retry-after': '7' })
        .end(
          JSON.stringify({ error: { code: answer, message: `no ${answer} upstream-secret-key` } }),
        )
    else answer?.(asked)
  })
}

const good = (asked: Asked): void =>
  asked.body['stream'] === true
    ? stream(asked, eventsOf(['Good', '.'], USAGE))
    : completion(asked, 'Good.', USAGE)

describe('a tier', () => {
  for (const status of [400, 404, 429, 500, 502, 503, 529]) {
    test(`falls back to its next model if the first one answers ${status} before a byte`, async () => {
      for (const isStream of [true, false]) {
        script({ 'maker/small': status, 'maker/large': good })
        const answer = await bed.post({ model: 'core/cheap', messages: MESSAGES, stream: isStream })
        assert.deepEqual([answer.status, answer.headers.get('x-model')], [200, 'maker/large'])
        await answer.text()
        assert.deepEqual(
          upstream.asked.map(({ model }) => model),
          ['maker/small', 'maker/large'],
        )
        const row = (await bed.posted()).at(-1)
        assert.deepEqual(
          row?.hops?.map(({ action, ok }) => [action, ok]),
          [
            ['maker/small', false],
            ['maker/large', true],
          ],
        )
        assert.equal(row?.charged, 60n)
      }
    })
  }

  test('falls back after a timeout, a break before a word, or an error with status 200', async () => {
    const silent = (): void => {}
    const dropped = ({ response }: Asked): void => void response.destroy()
    const failing = (asked: Asked): void =>
      stream(asked, [': PROCESSING\n\n', `data: {"error":{"code":502,"message":"no"}}\n\n`])
    const empty = (asked: Asked): void => stream(asked, [])
    for (const first of [silent, dropped, failing, empty]) {
      const asked = first === silent ? hasty : bed
      script({ 'maker/small': first, 'maker/large': good }, asked)
      const answer = await asked.post({ model: 'core/cheap', messages: MESSAGES, stream: true })
      assert.equal(answer.headers.get('x-model'), 'maker/large', first.toString())
      await answer.text()
    }
  })

  test('falls back after an answer without a choice and charges only for the next model', async () => {
    const answered =
      (fields: object) =>
      ({ response }: Asked): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            id: 'gen-1',
            usage: { prompt_tokens: 5_000, completion_tokens: 5_000 },
            ...fields,
          }),
        )
    for (const fields of [
      { choices: [] },
      {},
      {
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Half' },
            error: { code: 502, message: 'no' },
          },
        ],
      },
    ]) {
      script({ 'maker/small': answered(fields), 'maker/large': good })
      const answer = await bed.post({ model: 'core/cheap', messages: MESSAGES })
      assert.deepEqual(
        [answer.headers.get('x-model'), answer.headers.get('x-charged-micros')],
        ['maker/large', '60'],
        JSON.stringify(fields),
      )
    }
  })

  test('stays with its model once a word has come', async () => {
    script({
      'maker/small': (asked) => stream(asked, eventsOf(['Half'], null).slice(0, 2)),
      'maker/large': good,
    })
    const text = await (
      await bed.post({ model: 'core/cheap', messages: MESSAGES, stream: true })
    ).text()
    assert.match(text, /upstream_error/)
    assert.deepEqual(
      upstream.asked.map(({ model }) => model),
      ['maker/small'],
    )
  })

  test('without a working model fails like the first one, names all, and leaks no secret', async () => {
    script({ 'maker/small': 429, 'maker/large': 500 })
    const answer = await bed.post({ model: 'core/cheap', messages: MESSAGES })
    const text = await answer.text()
    const { error } = JSON.parse(text) as ErrorBody
    assert.deepEqual(
      [
        answer.status,
        error.code,
        answer.headers.get('retry-after'),
        answer.headers.get('x-charged-micros'),
      ],
      [503, 'upstream_busy', '7', '0'],
    )
    assert.equal((error.details?.['tried'] as unknown[]).length, 2)
    assert.ok(!text.includes('upstream-secret-key') && !text.includes('127.0.0.1'))
    script({ 'maker/small': 529 })
    const overloaded = await bed.post({ model: 'maker/small', messages: MESSAGES })
    assert.deepEqual(
      [
        overloaded.status,
        ((await overloaded.json()) as ErrorBody).error.code,
        overloaded.headers.get('retry-after'),
      ],
      [503, 'upstream_busy', '7'],
    )
    script({ 'maker/small': 503, 'maker/large': 500 })
    const later = await bed.post({ model: 'core/cheap', messages: MESSAGES })
    assert.deepEqual(
      [
        later.status,
        ((await later.json()) as ErrorBody).error.code,
        later.headers.get('retry-after'),
      ],
      [502, 'upstream_error', '7'],
    )
  })

  test('hides the key and address that a failing model repeats', async () => {
    const { host, origin } = new URL(upstream.url)
    bed.upstream.answerWith(({ response }) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          error: {
            code: 'for upstream-secret-key',
            message: `See ${upstream.url}, ${origin} or ${host}.`,
          },
        }),
      ),
    )
    const text = await (await bed.post({ model: 'maker/small', messages: MESSAGES })).text()
    assert.match(text, /See /)
    assert.ok(!text.includes('upstream-secret-key') && !text.includes(host), text)
  })

  test('holds what its dearest model may cost', async () => {
    script({ 'maker/small': good })
    await bed.post({ model: 'core/cheap', messages: MESSAGES, max_tokens: 1_000 })
    const row = (await bed.posted()).at(-1)
    assert.ok(row !== undefined && row.held > 20_000n && row.held < 20_200n, String(row?.held))
    assert.equal(row.charged, 2n)
  })
})

describe('the forwarded request', () => {
  test('is the caller’s body with the model, the bounds and the usage that the gateway needs', async () => {
    script({ 'maker/small': good })
    const tools = [{ type: 'function', function: { name: 'f' } }]
    await (
      await bed.post({
        model: 'maker/small',
        messages: MESSAGES,
        tools,
        temperature: 0.5,
        response_format: { type: 'json_object' },
        seed: 7,
        logit_bias: {},
        stream: true,
        max_cost_cents: 5,
        user: 'me',
      })
    ).text()
    const { body, headers } = upstream.asked[0] ?? assert.fail('nobody was asked')
    const { user, provider, ...rest } = body
    assert.deepEqual(rest, {
      model: 'maker/small',
      messages: MESSAGES,
      tools,
      temperature: 0.5,
      response_format: { type: 'json_object' },
      seed: 7,
      logit_bias: {},
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 4_096,
    })
    assert.match(String(user), /^[0-9a-f]{32}$/)
    assert.deepEqual(provider, { max_price: { prompt: 0.1, completion: 0.5 } })
    assert.deepEqual(
      [headers.authorization, headers['idempotency-key']],
      ['Bearer upstream-secret-key', undefined],
    )
  })

  test('to an upstream that is no aggregator has nothing of an aggregator in it', async () => {
    upstream.list = listOf({ llama: null })
    script({ llama: good })
    bed.world.now.advance(2 * 3_600_000)
    await bed.router.directory.offer('live')
    const answer = await bed.post({
      model: 'my-model',
      messages: MESSAGES,
      max_completion_tokens: 50_000,
    })
    assert.equal(answer.status, 200)
    const { body, headers } = upstream.asked[0] ?? assert.fail('nobody was asked')
    assert.deepEqual(body, { model: 'llama', messages: MESSAGES, max_tokens: 16_384 })
    assert.equal(headers.authorization, undefined)
    const row = (await bed.posted()).at(-1)
    assert.deepEqual([row?.charged, row?.held, row?.hops?.[0]?.provider], [0n, 1n, 'local'])
    assert.equal(
      (await bed.post({ model: 'my-model', messages: MESSAGES, max_cost_cents: 0 })).status,
      200,
      'what costs nothing fits into nothing',
    )
    upstream.list = listOf()
    bed.world.now.advance(2 * 3_600_000)
    await bed.router.directory.offer('live')
  })

  test('to an aggregator names the routing variant of the caller, at the model’s price', async () => {
    script({ 'maker/large:nitro': good })
    const answer = await bed.post({ model: 'maker/large:nitro', messages: MESSAGES })
    assert.deepEqual(
      [answer.status, answer.headers.get('x-model'), answer.headers.get('x-charged-micros')],
      [200, 'maker/large:nitro', '60'],
    )
    assert.deepEqual((upstream.asked[0]?.body['provider'] as { max_price: object }).max_price, {
      prompt: 4,
      completion: 20,
    })
    for (const model of ['maker/large:free', 'my-model:nitro', 'maker/none:floor'])
      assert.equal((await refusal({ model })).code, 'model_not_found', model)
    assert.equal(
      (await bed.post({ model: 'openai/gpt-6-luna:floor', messages: MESSAGES }, {}, bed.testKey))
        .status,
      200,
    )
  })

  test('has no larger budget for thinking than for the answer', async () => {
    script({ 'maker/small': good })
    for (const [budget, sent] of [
      [60_000, 500],
      [100, 100],
    ]) {
      await bed.post({
        model: 'maker/small',
        messages: MESSAGES,
        max_tokens: 500,
        reasoning: { max_tokens: budget, exclude: true },
      })
      assert.deepEqual(upstream.asked.at(-1)?.body['reasoning'], {
        max_tokens: sent,
        exclude: true,
      })
    }
  })

  test('without a limit of the caller’s has one that the model can keep', async () => {
    const limits = {
      'small/window': { context_length: 4_096 },
      'small/answer': { context_length: 200_000, top_provider: { max_completion_tokens: 2_048 } },
      'small/full': { context_length: 1_000 },
      'large/one': { context_length: 200_000 },
    }
    upstream.list = {
      data: Object.entries(limits).map(([id, facts]) => ({
        id,
        pricing: { prompt: '0.0000001', completion: '0.0000005' },
        ...facts,
      })),
    }
    bed.world.now.advance(2 * 3_600_000)
    await bed.router.directory.offer('live')
    const sent = async (model: string, more: object = {}): Promise<number> => {
      script({ [model]: good })
      await bed.post({ model, messages: MESSAGES, ...more })
      return Number(upstream.asked[0]?.body['max_tokens'])
    }
    const inWindow = await sent('small/window')
    assert.ok(inWindow > 4_000 && inWindow < 4_096, String(inWindow))
    assert.deepEqual(
      [
        await sent('small/answer'),
        await sent('large/one'),
        await sent('small/window', { max_tokens: 4_096 }),
      ],
      [2_048, 4_096, 4_096],
    )
    assert.equal(
      await sent('small/full', { messages: [{ role: 'user', content: 'word '.repeat(900) }] }),
      250,
    )
    upstream.list = listOf()
    bed.world.now.advance(2 * 3_600_000)
    await bed.router.directory.offer('live')
  })

  test('uses the operator’s price for a model that the operator prices', async () => {
    script({ unlisted: (asked) => completion(asked, 'Good.', { ...USAGE, cost: 99 }) })
    assert.equal(
      (await bed.post({ model: 'priced-here', messages: MESSAGES })).headers.get(
        'x-charged-micros',
      ),
      '7',
    )
  })

  test('with an operator’s price ignores the upstream’s list and reported cost', async () => {
    for (const cost of [0.000001, 0.5]) {
      script({ 'maker/small': (asked) => completion(asked, 'Good.', { ...USAGE, cost }) })
      assert.equal(
        (await bed.post({ model: 'listed-and-priced-here', messages: MESSAGES })).headers.get(
          'x-charged-micros',
        ),
        '7',
      )
    }
  })
})

describe('rejected before any upstream request, and free', () => {
  test('a model without a price, and one that is not there', async () => {
    upstream.list = listOf()
    assert.deepEqual((await refusal({ model: 'no/such' })).code, 'model_not_found')
    assert.deepEqual(
      (await refusal({ model: 'simulated/unpriced' }, bed.testKey)).code,
      'price_unknown',
    )
  })

  test('bodies that are invalid or request an unsupported feature', async () => {
    const bodies: readonly (readonly [object, string])[] = [
      [{ model: 5 }, 'model'],
      [{ model: 'maker/small:online' }, 'model'],
      [{ messages: 'hi' }, 'messages'],
      [{ messages: [] }, 'messages'],
      [{ messages: [{}] }, 'messages[0]'],
      [{ max_tokens: 0 }, 'max_tokens'],
      [{ max_tokens: '5' }, 'max_tokens'],
      [{ max_completion_tokens: 1.5 }, 'max_completion_tokens'],
      [{ n: 0 }, 'n'],
      [{ n: 99 }, 'n'],
      [{ stream: 'yes' }, 'stream'],
      [{ plugins: [{ id: 'web' }] }, 'plugins'],
      [{ web_search_options: {} }, 'web_search_options'],
      [{ modalities: ['text', 'image'] }, 'modalities'],
      [{ audio: {} }, 'audio'],
      [{ models: [] }, 'models'],
      [{ models: ['a', 5] }, 'model'],
      [{ route: 'fallback' }, 'route'],
      [{ prediction: { type: 'content', content: 'x' } }, 'prediction'],
      [{ api_base: 'http://10.0.0.1' }, 'api_base'],
      [{ fallbacks: [] }, 'fallbacks'],
      [{ service_tier: 'priority' }, 'service_tier'],
      [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
      [{ speed: 'fast' }, 'speed'],
      [{ modalities: 'image' }, 'modalities'],
      [{ reasoning: { effort: 'low', extra: 1 } }, 'reasoning.extra'],
      [{ tools: [{ function: { name: 'f' } }, { googleSearch: {} }] }, 'tools[1].type'],
      [{ search_parameters: { mode: 'on' } }, 'search_parameters'],
      [{ enable_search: true }, 'enable_search'],
      [{ max_cost_cents: -1 }, 'max_cost_cents'],
    ]
    for (const [body, param] of bodies) {
      const refused = await refusal({ model: 'maker/small', ...body })
      assert.deepEqual(
        [refused.status, refused.code, refused.param],
        [400, 'invalid_params', param],
      )
    }
    const broken = await bed.post('{"model":')
    assert.deepEqual(
      [broken.status, ((await broken.json()) as ErrorBody).error.type],
      [400, 'invalid_request_error'],
    )
  })

  test('a body above 20 MiB; one just below passes', async () => {
    script({ 'maker/small': good })
    const image = (bytes: number) => ({
      model: 'maker/small',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(bytes)}` } },
          ],
        },
      ],
    })
    assert.equal((await bed.post(image(19 * 1024 * 1024))).status, 200)
    const large = await bed.post(image(20 * 1024 * 1024))
    assert.deepEqual(
      [large.status, ((await large.json()) as ErrorBody).error.code],
      [413, 'payload_too_large'],
    )
  })

  test('a call above the balance', async () => {
    const { balance } = await bed.wallet()
    assert.deepEqual(
      (await refusal({ model: 'maker/large', max_tokens: 16_384, n: 16 })).code,
      'credits_required',
    )
    assert.deepEqual(await bed.wallet(), { balance, held: 0n })
  })

  test('a call without a token within max_cost_cents; other calls get a shorter answer', async () => {
    const long = [{ role: 'user', content: 'word '.repeat(20_000) }]
    assert.deepEqual(
      (await refusal({ model: 'maker/small', max_cost_cents: 0 })).code,
      'max_cost_exceeded',
    )
    assert.deepEqual(
      (await refusal({ model: 'maker/large', messages: long, max_cost_cents: 1 })).code,
      'max_cost_exceeded',
    )
    script({ 'maker/large': good })
    await bed.post({
      model: 'maker/large',
      messages: MESSAGES,
      max_tokens: 16_384,
      max_cost_cents: 1,
    })
    const sent = Number(upstream.asked[0]?.body['max_tokens'])
    assert.ok(sent > 400 && sent < 500, String(sent))
    const row = (await bed.posted()).at(-1)
    assert.ok(row !== undefined && row.held <= 10_000n && row.held > 9_900n)
  })
})

describe('Idempotency-Key', () => {
  test('replays a finished stream and a whole answer byte for byte, free, without an upstream', async () => {
    for (const isStream of [true, false]) {
      script({ 'maker/small': good })
      const body = {
        model: 'maker/small',
        messages: MESSAGES,
        stream: isStream,
        stream_options: { include_usage: true },
      }
      const headers = { 'idempotency-key': `key ${isStream}` }
      const first = await bed.post(body, headers)
      const again = await bed.post(body, headers)
      assert.equal(await again.text(), await first.text())
      assert.deepEqual(
        [
          again.headers.get('idempotency-replayed'),
          again.headers.get('x-charged-micros'),
          again.headers.get('content-type'),
        ],
        ['true', '0', first.headers.get('content-type')],
      )
      assert.equal(upstream.asked.length, 1)
      assert.equal((await bed.post({ ...body, seed: 1 }, headers)).status, 422)
    }
  })

  test('tries the models of a request in order, and holds for the dearest', async () => {
    script({ 'maker/small': 500, 'maker/large': good })
    const body = { models: ['maker/small', 'maker/large'], messages: MESSAGES, max_tokens: 100 }
    const answer = await bed.post(body)
    assert.deepEqual([answer.status, answer.headers.get('x-model')], [200, 'maker/large'])
    assert.equal(bed.upstream.asked.at(-1)?.body['models'], undefined)
    const { action, held } = (await bed.posted()).at(-1) ?? {}
    assert.equal(action, 'maker/small')
    assert.ok((held ?? 0n) >= 100n * 20n)
  })

  test('replays an answer of a model that is gone by now', async (t) => {
    script({ 'maker/small': good })
    const headers = { 'idempotency-key': 'gone' }
    const body = { model: 'maker/small', messages: MESSAGES }
    const first = await (await bed.post(body, headers)).text()
    t.mock.method(bed.router.directory, 'find', () =>
      Promise.reject(new AppError('model_not_found')),
    )
    const again = await bed.post(body, headers)
    assert.deepEqual(
      [again.status, await again.text(), again.headers.get('x-charged-micros')],
      [200, first, '0'],
    )
    for (const [other, more] of [
      [{ ...body, seed: 1 }, headers],
      [body, { 'idempotency-key': 'another' }],
      [body, {}],
    ] as const)
      assert.equal((await bed.post(other, more)).status, 404)
  })

  test('lets a call that failed uncharged be tried again', async () => {
    script({ 'maker/small': 500 })
    const headers = { 'idempotency-key': 'again' }
    assert.equal(
      (await bed.post({ model: 'maker/small', messages: MESSAGES }, headers)).status,
      502,
    )
    script({ 'maker/small': good })
    assert.equal(
      (await bed.post({ model: 'maker/small', messages: MESSAGES }, headers)).status,
      200,
    )
  })

  test('lets a stream that broke off before a word, and was free for that, be tried again', async () => {
    const headers = { 'idempotency-key': 'wordless' }
    const body = { model: 'maker/small', messages: MESSAGES, stream: true }
    script({ 'maker/small': (asked) => stream(asked, eventsOf([], null).slice(0, 1)) })
    assert.match(await (await bed.post(body, headers)).text(), /upstream_error/)
    script({ 'maker/small': good })
    assert.match(await (await bed.post(body, headers)).text(), /Good/)
  })

  test('of a test key answers for no call with a live one', async () => {
    script({ 'core/cheap': good, 'maker/small': good })
    const headers = { 'idempotency-key': 'both modes' }
    const body = { model: 'core/cheap', messages: MESSAGES }
    const [tested, live] = [
      await bed.post(body, headers, bed.testKey),
      await bed.post(body, headers),
    ]
    assert.deepEqual(
      [
        tested.status,
        tested.headers.get('x-test'),
        live.status,
        live.headers.get('x-test'),
        live.headers.get('idempotency-replayed'),
      ],
      [200, 'true', 200, null, null],
    )
  })

  test('stands for at most one charge, also of an answer that broke off', async () => {
    script({ 'maker/small': (asked) => stream(asked, eventsOf(['Half'], null).slice(0, 2)) })
    const headers = { 'idempotency-key': 'half' }
    const body = { model: 'maker/small', messages: MESSAGES, stream: true }
    const first = await (await bed.post(body, headers)).text()
    const again = await bed.post(body, headers)
    assert.deepEqual([await again.text(), again.headers.get('x-charged-micros')], [first, '0'])
  })

  test('rejects a concurrent repeat and asks it to wait', async () => {
    const asked = Promise.withResolvers<Asked>()
    script({ 'maker/small': (one) => asked.resolve(one) })
    const headers = { 'idempotency-key': 'twice' }
    const first = bed.post({ model: 'maker/small', messages: MESSAGES }, headers)
    const one = await asked.promise
    const second = await bed.post({ model: 'maker/small', messages: MESSAGES }, headers)
    assert.deepEqual(
      [second.status, ((await second.json()) as ErrorBody).error.code],
      [409, 'idempotency_in_progress'],
    )
    good(one)
    assert.equal((await first).status, 200)
  })
})

describe('the simulation', () => {
  const ask = (content: string, more: object = {}): Promise<Response> =>
    bed.post({ model: 'core/mid', messages: [{ role: 'user', content }], ...more }, {}, bed.testKey)
  const lastHop = async (response: Response) => {
    const id = response.headers.get('x-request-id')
    const { rows } = await bed.world.database.query<{
      id: string
      hops: {
        ok: boolean
        metering?: string
        usage?: { prompt_tokens: number; completion_tokens: number }
      }[]
    }>("select id, hops from transactions where kind = 'llm'")
    return rows.find((row) => `req_${row.id}` === id)?.hops
  }

  test('without usage is billed within one percent of what it counts itself', async () => {
    for (const stream of [true, false]) {
      const question = `sim:nousage ${'What does a ledger of many accounts keep? '.repeat(20)}`
      const answer = await ask(question, { stream })
      await answer.text()
      const [hop] = (await lastHop(answer)) ?? []
      const [prompt, completionTokens] = [
        promptTokens([{ role: 'user', content: question }], undefined),
        answerWords(question).length,
      ]
      assert.equal(hop?.metering, 'estimated')
      const billed = (hop.usage?.prompt_tokens ?? 0) + (hop.usage?.completion_tokens ?? 0)
      assert.ok(
        Math.abs(billed - prompt - completionTokens) <= (prompt + completionTokens) / 100,
        `${billed} for ${prompt} + ${completionTokens}`,
      )
    }
  })

  test('breaks, errs and is busy on demand, for all models of a tier or for one', async () => {
    assert.equal((await ask('sim:die-100')).status, 502)
    assert.equal((await ask('sim:busy')).status, 503)
    assert.match(await (await ask('sim:error-4', { stream: true })).text(), /upstream_error/)
    assert.match(await (await ask('sim:die-2000', { stream: true })).text(), /upstream_error/)
    const answer = await ask('sim:503@openai/gpt-6.1-terra')
    assert.deepEqual(
      [answer.status, answer.headers.get('x-model'), answer.headers.get('x-test')],
      [200, 'google/gemini-3.8-flash', 'true'],
    )
    assert.deepEqual(
      (await lastHop(answer))?.map(({ ok }) => ok),
      [false, true],
    )
  })
})

describe('the list of models', () => {
  test('is fetched once for many calls, stored, and used during an upstream outage', async () => {
    const { database, now } = bed.world
    const before = upstream.listRequests
    const lists = createModelLists({ database, now })
    const found = await Promise.all(
      Array.from({ length: 20 }, () => lists.of(upstreamAt('llm', bed.upstream.url, dispatcher))),
    )
    assert.ok(found.every(({ models }) => models.has('maker/small')))
    assert.ok(upstream.listRequests <= before + 1)
    upstream.list = null
    now.advance(7 * 3_600_000)
    const later = createModelLists({ database, now })
    assert.ok(
      (await later.of(upstreamAt('llm', bed.upstream.url, dispatcher))).models.has('maker/small'),
    )
    await assert.rejects(later.of(upstreamAt('llm', `${bed.upstream.url}/elsewhere`, dispatcher)), {
      code: 'price_unknown',
    })
    upstream.list = listOf()
  })

  test('that comes in pages is read to its end, and not beyond its host', async () => {
    const { database, now } = bed.world
    const page = (id: string, next: string | null) => ({
      data: [{ id, pricing: { prompt: '0.000001', completion: '0.000001' } }],
      links: { next },
    })
    upstream.list = page('page/one', '/v1/models?offset=1&limit=1')
    upstream.pages.set(
      '/v1/models?offset=1&limit=1',
      page('page/two', `${new URL(upstream.url).origin}/v1/models?offset=2&limit=1`),
    )
    upstream.pages.set(
      '/v1/models?offset=2&limit=1',
      page('page/three', 'https://elsewhere.example/v1/models?offset=3'),
    )
    now.advance(7 * 3_600_000)
    const { models } = await createModelLists({ database, now }).of(
      upstreamAt('llm', upstream.url, dispatcher),
    )
    assert.deepEqual([...models.keys()], ['page/one', 'page/two', 'page/three'])
    upstream.list = page('page/one', '/v1/models')
    const before = upstream.listRequests
    now.advance(7 * 3_600_000)
    assert.equal(
      (await createModelLists({ database, now }).of(upstreamAt('llm', upstream.url, dispatcher)))
        .models.size,
      1,
    )
    assert.equal(upstream.listRequests, before + 1)
    upstream.list = listOf()
    now.advance(7 * 3_600_000)
  })

  test('is looked at again for a model that is new', async () => {
    upstream.list = listOf({ 'maker/new': ['0.000001', '0.000001'] })
    bed.world.now.advance(61_000)
    script({ 'maker/new': good })
    assert.equal((await bed.post({ model: 'maker/new', messages: MESSAGES })).status, 200)
    assert.deepEqual((await refusal({ model: 'core/cheap' })).code, 'price_unknown')
    upstream.list = listOf()
    bed.world.now.advance(7 * 3_600_000)
  })

  test('that was never had leaves the price of any model unknown, not the model', async () => {
    const away = await openRouterBed()
    away.upstream.list = null
    const answer = await away.post({ model: 'maker/small', messages: MESSAGES })
    assert.deepEqual(
      [
        answer.status,
        ((await answer.json()) as ErrorBody).error.code,
        answer.headers.get('retry-after'),
      ],
      [503, 'price_unknown', '10'],
    )
  })
})

test('prices need no key, come with an ETag, and name each tier’s models', async () => {
  const answer = await fetch(`${bed.url}/pricing`)
  const pricing = (await answer.json()) as {
    tiers: Record<string, { model: string; prompt: number; completion: number }[]>
    models: unknown[]
    live: boolean
  }
  assert.deepEqual(
    pricing.tiers['core/cheap']?.map(({ model, prompt, completion: per }) => [model, prompt, per]),
    [
      ['maker/small', 0.1, 0.5],
      ['maker/large', 4, 20],
    ],
  )
  assert.ok(pricing.live)
  assert.equal(
    (
      await fetch(`${bed.url}/pricing`, {
        headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
      })
    ).status,
    304,
  )
})

test('prices are republished when a list changes, even if another process fetched it', async () => {
  const lists = new Map([
    ['a', { prompt: '0.000001', fetchedMs: 10 }],
    ['b', { prompt: '0.000002', fetchedMs: 20 }],
  ])
  const listed = ({ name }: { readonly name: string }) => {
    const { prompt, fetchedMs } = lists.get(name) ?? assert.fail(name)
    return {
      fetchedMs,
      models: new Map(
        (
          readModelList({
            data: [{ id: `${name}/model`, pricing: { prompt, completion: prompt } }],
          }) ?? []
        ).map((model) => [model.id, model]),
      ),
    }
  }
  const upstreams = [
    upstreamAt('a', upstream.url, dispatcher),
    upstreamAt('b', upstream.url, dispatcher),
  ]
  const directory = createDirectory({
    lists: { of: async (one) => listed(one), atHand: listed },
    upstreams,
    simulator: upstreams[0]!,
    tiers: new Map(),
    models: new Map(),
  })
  const app = Fastify()
  await app.register(pricingRoute, { router: { ...bed.router, directory } })
  const priceOfA = async (): Promise<unknown> =>
    (
      (await app.inject('/api/llm/v1/pricing')).json() as {
        models: { model: string; prompt: number }[]
      }
    ).models.find(({ model }) => model === 'a/model')?.prompt
  assert.equal(await priceOfA(), 1)
  lists.set('a', { prompt: '0.000003', fetchedMs: 15 })
  assert.equal(await priceOfA(), 3)
  await app.close()
})

test('other prices than tokens are published, and a missing list has no age', async () => {
  const [listed] =
    readModelList({
      data: [
        {
          id: 'maker/seeing',
          pricing: {
            prompt: '0.000001',
            completion: '0.000002',
            image: '0.0012',
            request: '0.005',
          },
        },
      ],
    }) ?? []
  assert.ok(listed?.rates != null)
  const seeing = {
    id: listed.id,
    upstreamModel: listed.id,
    upstream: upstreamAt('llm', upstream.url, dispatcher),
    model: listed,
    rates: listed.rates,
    isPricedByUpstream: true,
  }
  assert.deepEqual(
    pricingDocument(
      { tiers: new Map([['core/cheap', []]]), models: [seeing], fetchedMs: 0, version: '' },
      true,
    ),
    {
      ok: true,
      currency: 'USD',
      unit: 'million tokens',
      live: true,
      updated_at: null,
      tiers: { 'core/cheap': [] },
      models: [
        {
          model: 'maker/seeing',
          prompt: 1,
          completion: 2,
          per_request: 0.005,
          per_image: 0.0012,
          context_length: null,
        },
      ],
    },
  )
})

test('the books balance after all of this', async () => assert.ok(await bed.isSound()))
