/** The money of the Messages and Responses APIs, on an upstream that the test controls. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openRouterBed, upstreamAt } from '../harness/beds/router.ts'
import { fc } from '../harness/property.ts'
import { completion, listOf, type Asked } from '../harness/vendors/model-upstream.ts'

const bed = await openRouterBed({
  upstreams: (url, dispatcher) => [
    upstreamAt('llm', url, dispatcher, {
      isAggregator: false,
      wires: new Set(['chat', 'messages', 'responses']),
    }),
  ],
})
const { upstream } = bed
upstream.list = {
  data: [
    {
      id: 'maker/caching',
      context_length: 200_000,
      top_provider: { max_completion_tokens: 64_000 },
      supported_parameters: ['max_tokens'],
      pricing: {
        prompt: '0.000004',
        completion: '0.00002',
        input_cache_read: '0.0000004',
        input_cache_write: '0.000005',
      },
    },
    ...listOf().data,
  ],
}

const QUESTION = 'Tell me of ledgers.'
const MESSAGES = {
  model: 'maker/caching',
  max_tokens: 100,
  messages: [{ role: 'user', content: QUESTION }],
}
const RESPONSES = { model: 'maker/caching', max_output_tokens: 100, input: QUESTION }
const CHAT = { ...MESSAGES }

type Counts = {
  readonly input: number
  readonly read: number
  readonly short: number
  readonly long: number
  readonly output: number
}
const PLAIN: Counts = { input: 11, read: 0, short: 0, long: 0, output: 5 }

function messageUsage({ input, read, short, long, output }: Counts) {
  return {
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: short + long,
    cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
    output_tokens: output,
  }
}

function sendMessage(
  { response, model }: Asked,
  counts: Counts,
  text: string | null = 'Yes.',
): void {
  const body = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: text === null ? [] : [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: messageUsage(counts),
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendResponse({ response, model }: Asked, { input, read, output }: Counts): void {
  const body = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model,
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
      },
    ],
    usage: {
      input_tokens: input + read,
      input_tokens_details: { cached_tokens: read },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + read + output,
    },
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const named = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

function messageEvents(words: readonly string[], counts: Counts): string[] {
  return [
    named('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'maker/caching',
        content: [],
        stop_reason: null,
        usage: messageUsage({ ...counts, output: 1 }),
      },
    }),
    named('content_block_start', {
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    }),
    named('content_block_delta', {
      index: 0,
      delta: { type: 'signature_delta', signature: 'c2ln' },
    }),
    named('content_block_stop', { index: 0 }),
    named('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
    ...words.map((text) =>
      named('content_block_delta', { index: 1, delta: { type: 'text_delta', text } }),
    ),
    named('content_block_stop', { index: 1 }),
    named('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: counts.output },
    }),
    named('message_stop', {}),
  ]
}

const dollars = ({ input, read, short, long, output }: Counts): bigint => {
  const tenths = BigInt(input * 40 + read * 4 + short * 50 + long * 80 + output * 200)
  return (tenths + 9n) / 10n
}

async function last() {
  const row = (await bed.posted()).at(-1)
  assert.ok(row)
  return row
}

describe('a bill', () => {
  test('is the reported usage at the listed rates, cached tokens once, on every API', async () => {
    const count = fc.nat({ max: 400 })
    await fc.assert(
      fc.asyncProperty(
        fc.record({ input: count, read: count, short: count, long: count, output: count }),
        async (drawn) => {
          const counts = { ...drawn, output: drawn.output + 1 }
          upstream.answerWith((asked) => sendMessage(asked, counts))
          const message = await bed.postTo('/messages', {
            ...MESSAGES,
            max_tokens: 8_000,
            system: [
              {
                type: 'text',
                text: 'word '.repeat(15_000),
                cache_control: { type: 'ephemeral', ttl: '1h' },
              },
            ],
          })
          assert.equal(message.headers.get('x-charged-micros'), String(dollars(counts)))
          await message.text()

          const cached = { ...counts, short: 0, long: 0 }
          upstream.answerWith((asked) =>
            asked.path.endsWith('/messages')
              ? sendMessage(asked, cached)
              : asked.path.endsWith('/responses')
                ? sendResponse(asked, cached)
                : completion(asked, 'Yes.', {
                    prompt_tokens: cached.input + cached.read,
                    completion_tokens: cached.output,
                    prompt_tokens_details: { cached_tokens: cached.read },
                  }),
          )
          for (const [path, body] of [
            ['/messages', { ...MESSAGES, max_tokens: 8_000, system: 'word '.repeat(8_000) }],
            [
              '/responses',
              { ...RESPONSES, max_output_tokens: 8_000, instructions: 'word '.repeat(8_000) },
            ],
            [
              '/chat/completions',
              {
                ...CHAT,
                max_tokens: 8_000,
                messages: [{ role: 'system', content: 'word '.repeat(8_000) }, ...CHAT.messages],
              },
            ],
          ] as const) {
            const answer = await bed.postTo(path, body)
            assert.equal(answer.headers.get('x-charged-micros'), String(dollars(cached)), path)
            await answer.text()
          }
        },
      ),
      { numRuns: 8 },
    )
  })

  test('never exceeds the hold, which covers a prompt written to a cache for an hour', async () => {
    upstream.answerWith((asked) => sendMessage(asked, { ...PLAIN, output: 1_000_000 }))
    const body = { ...MESSAGES, cache_control: { type: 'ephemeral', ttl: '1h' } }
    await (await bed.postTo('/messages', body)).text()
    const { charged, held } = await last()
    assert.equal(charged, held)
    upstream.answerWith((asked) => sendMessage(asked, { ...PLAIN, input: 0, long: 9, output: 100 }))
    await (await bed.postTo('/messages', body)).text()
    const exact = await last()
    assert.equal(exact.charged, dollars({ ...PLAIN, input: 0, long: 9, output: 100 }))
    assert.ok(exact.charged < exact.held)
  })

  test('holds the whole requested response, beyond the limit of chat completions', async () => {
    upstream.answerWith((asked) => sendMessage(asked, PLAIN))
    await (await bed.postTo('/messages', { ...MESSAGES, max_tokens: 32_000 })).text()
    assert.equal(upstream.asked.at(-1)?.body['max_tokens'], 32_000)
    assert.ok((await last()).held >= 32_000n * 20n)
    await (await bed.postTo('/messages', { ...MESSAGES, max_tokens: 100_000 })).text()
    assert.equal(upstream.asked.at(-1)?.body['max_tokens'], 64_000, 'the model’s own limit')
    const { held } = await last()
    assert.ok(held >= 64_000n * 20n && held < 65_000n * 20n)
  })
})

describe('a request of no tokens', () => {
  const WARMED: Counts = { input: 10, read: 20, short: 990, long: 30, output: 0 }
  const body = {
    ...MESSAGES,
    max_tokens: 0,
    system: [
      {
        type: 'text',
        text: 'word '.repeat(4_000),
        cache_control: { type: 'ephemeral', ttl: '1h' },
      },
    ],
  }
  const charged = (reply: Response): string | null => reply.headers.get('x-charged-micros')

  test('reaches the upstream unchanged and is charged for the prompt, which it caches', async () => {
    upstream.answerWith((asked) => sendMessage(asked, WARMED, null))
    const reply = await bed.postTo('/messages', body)
    assert.equal(upstream.asked.at(-1)?.body['max_tokens'], 0)
    assert.deepEqual([reply.status, charged(reply)], [200, String(dollars(WARMED))])
    assert.deepEqual(((await reply.json()) as { content: unknown }).content, [])
    const { held } = await last()
    assert.ok(held >= dollars(WARMED))
  })

  test('is charged the same when it is streamed', async () => {
    upstream.answerWith(({ response }) => {
      const [start = ''] = messageEvents([], WARMED)
      const end = messageEvents([], WARMED).slice(-2)
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end([start.replace('"output_tokens":1', '"output_tokens":0'), ...end].join(''))
    })
    const reply = await bed.postTo('/messages', { ...body, stream: true })
    assert.match(await reply.text(), /message_stop/)
    assert.equal((await last()).charged, dollars(WARMED))
  })

  test('is charged the counted prompt when the upstream reports no usage', async () => {
    upstream.answerWith(({ response, model }) => {
      const answer = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [] }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    const reply = await bed.postTo('/messages', body)
    assert.ok(Number(charged(reply)) > 4_000 * 4, String(charged(reply)))
  })

  test('costs nothing when the upstream fails', async () => {
    upstream.answerWith(({ response }) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
    })
    const reply = await bed.postTo('/messages', body)
    assert.equal(charged(reply), '0')
    await reply.text()
  })
})

describe('an upstream that speaks the API', () => {
  test('receives the body as the caller sent it, except for the model and the limit', async () => {
    const body = {
      max_tokens: 100,
      thinking: { type: 'adaptive' },
      tools: [{ name: 'b', input_schema: { type: 'object', properties: { z: {}, a: {} } } }],
      system: [{ type: 'text', text: 'Be short. ü', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: QUESTION },
        {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' }],
        },
        { role: 'user', content: 'So?' },
      ],
      model: 'maker/caching',
    }
    upstream.answerWith((asked) => sendMessage(asked, PLAIN))
    const answer = await bed.postTo(
      '/messages',
      { ...body, max_cost_cents: 50 },
      {
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'interleaved-thinking-2025-05-14',
      },
    )
    const asked = upstream.asked.at(-1)
    assert.equal(asked?.path, '/v1/messages')
    assert.equal(asked?.text, JSON.stringify(body))
    assert.equal(asked?.headers['anthropic-beta'], 'interleaved-thinking-2025-05-14')
    assert.equal(asked?.headers['anthropic-version'], '2023-06-01')
    assert.equal(answer.status, 200)
    await answer.text()
  })

  test('is relayed byte for byte, streamed and replayed, with one charge', async () => {
    const events = messageEvents(['A ', 'ledger.'], { ...PLAIN, read: 900 })
    upstream.answerWith(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of events) response.write(event)
      response.end()
    })
    const headers = { 'idempotency-key': 'relayed' }
    const first = await bed.postTo('/messages', { ...MESSAGES, stream: true }, headers)
    assert.equal(await first.text(), events.join(''))
    assert.equal((await last()).charged, dollars({ ...PLAIN, read: 900 }))
    const count = upstream.asked.length
    const again = await bed.postTo('/messages', { ...MESSAGES, stream: true }, headers)
    assert.equal(await again.text(), events.join(''))
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(upstream.asked.length, count)
  })

  test('reads the cache in the second and third of three equal requests', async () => {
    const seen = new Set<string>()
    upstream.answerWith((asked) => {
      const prefix = JSON.stringify([asked.body['tools'], asked.body['system']])
      const isRead = seen.has(prefix)
      seen.add(prefix)
      sendMessage(asked, isRead ? { ...PLAIN, read: 2_000 } : { ...PLAIN, short: 2_000 })
    })
    const body = {
      ...MESSAGES,
      system: [{ type: 'text', text: 'rule '.repeat(4_000), cache_control: { type: 'ephemeral' } }],
    }
    const charged: string[] = []
    for (let run = 0; run < 3; run += 1) {
      const answer = await bed.postTo('/messages', body)
      await answer.text()
      charged.push(answer.headers.get('x-charged-micros') ?? '')
    }
    const [write, read] = [
      { ...PLAIN, short: 2_000 },
      { ...PLAIN, read: 2_000 },
    ]
    assert.deepEqual(
      charged,
      [write, read, read].map((counts) => String(dollars(counts))),
    )
  })

  test('charges a caller who leaves a stream the reported prompt and the received words', async () => {
    const counts = { ...PLAIN, read: 50_000, output: 400 }
    const [start = '', ...rest] = messageEvents(['one', ' two', ' three'], counts)
    const arrived = Promise.withResolvers<Asked>()
    upstream.answerWith((asked) => {
      asked.response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of [start, ...rest.slice(0, 7)]) asked.response.write(event)
      arrived.resolve(asked)
    })
    const caller = new AbortController()
    const answer = await fetch(`${bed.url}/messages`, {
      method: 'POST',
      signal: caller.signal,
      headers: { authorization: `Bearer ${bed.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...MESSAGES, stream: true, system: 'word '.repeat(60_000) }),
    })
    const reader = answer.body?.getReader()
    assert.ok(reader)
    let received = ''
    while (!received.includes('three'))
      received += Buffer.from((await reader.read()).value ?? []).toString()
    const count = (await bed.posted()).length
    caller.abort()
    await (
      await arrived.promise
    ).closed
    const row = (await bed.postedCount(count + 1)).at(-1)
    assert.equal(row?.charged, dollars({ ...counts, output: 3 }))
    assert.equal(row?.hops?.at(-1)?.metering, 'estimated')
  })

  test('that breaks off ends the stream with an error of the API', async () => {
    upstream.answerWith(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of messageEvents(['one'], PLAIN).slice(0, 6)) response.write(event)
      response.end(named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }))
    })
    const answer = await bed.postTo('/messages', { ...MESSAGES, stream: true })
    const text = await answer.text()
    assert.match(
      text,
      /event: error\ndata: \{"type":"error","error":\{"type":"[a-z_]+","message":"/,
    )
    assert.doesNotMatch(text, /message_stop/)
  })
})

test('counts tokens by the upstream that can, free of charge', async () => {
  const count = (await bed.posted()).length
  upstream.answerWith(({ response, path, body }) => {
    assert.equal(path, '/v1/messages/count_tokens')
    assert.equal(body['max_tokens'], undefined)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":17}')
  })
  const { model, messages } = MESSAGES
  const answer = await bed.postTo('/messages/count_tokens', { model, messages })
  assert.deepEqual(
    [await answer.json(), answer.headers.get('x-token-count')],
    [{ input_tokens: 17 }, 'upstream'],
  )
  assert.equal((await bed.posted()).length, count)
})

describe('a rejection', () => {
  test('for lack of credit is 402 in the shape of the API', async () => {
    const poor = await bed.world.account()
    const answer = await fetch(`${bed.url}/messages`, {
      method: 'POST',
      headers: { 'x-api-key': poor.live.key, 'content-type': 'application/json' },
      body: JSON.stringify({ ...MESSAGES, model: 'maker/large', max_tokens: 300_000 }),
    })
    const { type, error } = (await answer.json()) as { type: string; error: { type: string } }
    assert.deepEqual([answer.status, type, error.type], [402, 'error', 'billing_error'])
  })
})

test('the books balance after all of this', async () => assert.ok(await bed.isSound()))
