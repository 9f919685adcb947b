/** Upstreams that answer in an unrequested form: whole instead of streamed, compressed, without a type or an end. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  brotliCompressSync,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, streamText, tool } from 'ai'
import OpenAI from 'openai'
import {
  completion,
  event,
  eventsOf,
  listOf,
  say,
  stream,
  type Asked,
  type Usage,
} from '../harness/vendors/model-upstream.ts'
import { openRouterBed } from '../harness/beds/router.ts'

const bed = await openRouterBed()
const { upstream } = bed
const ASK = {
  model: 'maker/large',
  messages: [{ role: 'user' as const, content: 'Hello.' }],
  max_tokens: 100,
}
const WORDS = ['Good', ' day', '.']
const USAGE = { prompt_tokens: 5, completion_tokens: 3 }
const PRICE = 5n * 4n + 3n * 20n
const client = new OpenAI({ baseURL: bed.url, apiKey: bed.key, maxRetries: 0 })

async function charged(): Promise<bigint | undefined> {
  return (await bed.posted()).at(-1)?.charged
}

function messageFrom(text: string): string {
  const events = text
    .split('\n\n')
    .filter((one) => one.startsWith('data: {'))
    .map((one) => JSON.parse(one.slice(6)) as { choices?: { delta?: { content?: string } }[] })
  return events.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('')
}

/** Answers with these bytes, in one piece. */
function bytes(
  body: Buffer | string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): (asked: Asked) => void {
  return ({ response }) => void response.writeHead(status, headers).end(body)
}

describe('a whole answer to a caller who asked for a stream', () => {
  const CALLS = ['rain', 'wind'].map((name, place) => ({
    id: `call_${place}`,
    type: 'function',
    function: { name, arguments: `{"of":"${name}"}` },
  }))
  const CHOICES = [
    {
      index: 0,
      message: { role: 'assistant', content: null, reasoning: 'Two of them.', tool_calls: CALLS },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
    {
      index: 1,
      message: { role: 'assistant', content: 'No.', refusal: null },
      finish_reason: 'length',
      native_finish_reason: 'MAX',
    },
  ]
  const answerWith = (choices: readonly object[], usage: Usage | null): void =>
    upstream.answerWith(
      ({ response }) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            id: 'gen-9',
            object: 'chat.completion',
            created: 7,
            model: 'large-1',
            choices,
            ...(usage === null ? {} : { usage }),
          }),
        ),
    )

  test('reaches the official client as the stream it asked for, billed as reported', async () => {
    answerWith(CHOICES, USAGE)
    const { choices, usage, id, model } = await client.chat.completions
      .stream({ ...ASK, n: 2, stream_options: { include_usage: true } })
      .finalChatCompletion()
    assert.deepEqual(
      [id, model, usage?.completion_tokens, (usage as unknown as { cost: number }).cost],
      ['gen-9', 'large-1', 3, Number(PRICE) / 1_000_000],
    )
    assert.deepEqual(
      choices.map(({ finish_reason: reason, message }) => [reason, message.content]),
      [
        ['tool_calls', null],
        ['length', 'No.'],
      ],
    )
    assert.deepEqual(
      choices[0]?.message.tool_calls?.map(
        (call) =>
          call.type === 'function' && [call.id, call.function.name, call.function.arguments],
      ),
      CALLS.map((call) => [call.id, call.function.name, call.function.arguments]),
    )
    assert.equal(await charged(), PRICE)
  })

  test('reaches the AI SDK as one', async () => {
    answerWith(CHOICES.slice(0, 1), USAGE)
    const provider = createOpenAICompatible({
      name: 'tollgate',
      baseURL: bed.url,
      apiKey: bed.key,
      includeUsage: true,
    })
    const one = (name: string) =>
      tool({
        inputSchema: jsonSchema<{ of: string }>({
          type: 'object',
          properties: { of: { type: 'string' } },
        }),
        execute: async ({ of }) => `${name} of ${of}`,
      })
    const { toolResults, usage, reasoningText } = streamText({
      model: provider('maker/large'),
      prompt: 'Hello.',
      tools: { rain: one('rain'), wind: one('wind') },
      maxRetries: 0,
    })
    assert.deepEqual(
      (await toolResults).map(({ output }) => output),
      ['rain of rain', 'wind of wind'],
    )
    assert.deepEqual([(await usage).outputTokens, await reasoningText], [3, 'Two of them.'])
  })

  test('reports usage on request, its price always, and replays free', async () => {
    answerWith([{ message: { content: 'Good.' } }], USAGE)
    const headers = { 'idempotency-key': 'whole' }
    const first = await bed.post({ ...ASK, stream: true }, headers)
    const text = await first.text()
    assert.deepEqual(
      [
        first.headers.get('content-type'),
        first.headers.get('x-charged-micros'),
        first.headers.get('x-model'),
      ],
      ['text/event-stream; charset=utf-8', String(PRICE), 'maker/large'],
    )
    const shared = { id: 'gen-9', object: 'chat.completion.chunk', created: 7, model: 'large-1' }
    const chunk = (choice: object): string =>
      `data: ${JSON.stringify({ ...shared, choices: [choice] })}\n\n`
    assert.equal(
      text,
      `${chunk({ index: 0, delta: { role: 'assistant', content: 'Good.' }, finish_reason: null })}${chunk({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
    )
    const again = await bed.post({ ...ASK, stream: true }, headers)
    assert.deepEqual(
      [
        await again.text(),
        again.headers.get('x-charged-micros'),
        again.headers.get('content-type'),
      ],
      [text, '0', first.headers.get('content-type')],
    )
  })

  test('is counted where nothing is reported, and costs nothing where it is an error', async () => {
    answerWith([{ message: { content: 'Good day.' } }], null)
    const told = await (
      await bed.post({ ...ASK, stream: true, stream_options: { include_usage: true } })
    ).text()
    assert.match(told, /"completion_tokens":3,.*"estimated":true/)
    assert.equal(await charged(), BigInt(2 + 7) * 4n + 60n)
    upstream.answerWith((asked) =>
      asked.model === 'maker/small'
        ? bytes('{"error":{"code":502,"message":"no"}}', { 'content-type': 'application/json' })(
            asked,
          )
        : completion(asked, 'Good.', USAGE),
    )
    const later = await bed.post({ ...ASK, model: 'core/cheap', stream: true })
    assert.deepEqual(
      [later.headers.get('x-model'), messageFrom(await later.text())],
      ['maker/large', 'Good.'],
    )
    upstream.answerWith(bytes('{"choices":[]}', { 'content-type': 'application/json' }))
    assert.deepEqual(
      [(await bed.post({ ...ASK, stream: true })).status, await charged()],
      [502, 0n],
    )
  })
})

describe('a stream to a caller who asked for a whole answer', () => {
  const part = (delta: object, more: object = {}): object => ({
    index: 0,
    delta,
    finish_reason: null,
    ...more,
  })
  const eventsFrom = (...choices: readonly object[]): string[] =>
    choices.map((choice) => event({ choices: [choice] }))

  test('reaches it whole, billed as reported', async () => {
    const events = eventsFrom(
      part({ role: 'assistant', content: null, reasoning: 'Two ' }),
      part({
        role: 'assistant',
        reasoning: 'of them.',
        tool_calls: [
          { index: 0, id: 'a', type: 'function', function: { name: 'rain', arguments: '' } },
          { index: 1, id: 'b', type: 'function', function: { name: 'wind', arguments: '{' } },
        ],
      }),
      part({ tool_calls: [{ index: 1, function: { arguments: '}' } }] }),
      part({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
      part({ content: 'No' }, { index: 1, logprobs: { content: [{ token: 'No' }] } }),
      part({ content: '.' }, { index: 1, logprobs: { content: [{ token: '.' }] } }),
      part({}, { finish_reason: 'tool_calls' }),
      part({}, { index: 1, finish_reason: 'stop' }),
    )
    upstream.answerWith((asked) =>
      stream(asked, [': WAIT\n\n', ...events, event({ choices: [], usage: USAGE })]),
    )
    const { choices, usage, object } = await client.chat.completions.create({ ...ASK, n: 2 })
    assert.deepEqual(
      [object, usage?.completion_tokens, await charged()],
      ['chat.completion', 3, PRICE],
    )
    assert.deepEqual(
      choices.map(({ finish_reason: reason, message, logprobs }) => [
        reason,
        message.content,
        logprobs?.content?.length,
      ]),
      [
        ['tool_calls', null, undefined],
        ['stop', 'No.', 2],
      ],
    )
    assert.deepEqual(
      choices.map(({ message }) => message.role),
      ['assistant', 'assistant'],
    )
    assert.deepEqual(
      choices[0]?.message.tool_calls?.map(
        (call) =>
          call.type === 'function' && [call.id, call.function.name, call.function.arguments],
      ),
      [
        ['a', 'rain', '{}'],
        ['b', 'wind', '{}'],
      ],
    )
    assert.equal(
      (choices[0]?.message as unknown as { reasoning: string }).reasoning,
      'Two of them.',
    )
  })

  test('costs nothing where it broke off or is an error', async () => {
    const events = eventsOf(WORDS, USAGE)
    for (const sent of [
      events.slice(0, 3),
      [...events.slice(0, 3), event({ error: { code: 502, message: 'no' } })],
      ['<html>\n\n</html>'],
    ]) {
      upstream.answerWith((asked) => stream(asked, sent))
      assert.deepEqual(
        [(await bed.post({ ...ASK, model: 'maker/small' })).status, await charged()],
        [502, 0n],
      )
    }
  })
})

test('streams and whole answers are recognized by their first byte, not by their type', async () => {
  const events = eventsOf(WORDS, USAGE).join('')
  const whole = JSON.stringify({ choices: [{ message: { content: 'Good day.' } }], usage: USAGE })
  for (const [body, type] of [
    [events, 'application/json'],
    [events, 'text/plain'],
    [`\n\n${events}`, ''],
    [`: WAIT\r\n\r\n${events}`, 'text/html'],
    [whole, 'text/event-stream'],
    [`\n \n${whole}`, 'text/event-stream'],
    [`\uFEFF${events}`, 'text/plain'],
  ] as const) {
    upstream.answerWith(bytes(body, type === '' ? {} : { 'content-type': type }))
    const answer = await bed.post({ ...ASK, stream: true })
    assert.deepEqual(
      [answer.status, messageFrom((await answer.text()).replace('\uFEFF', '')), await charged()],
      [200, 'Good day.', PRICE],
      `${type} ${body.slice(0, 20)}`,
    )
  }
  upstream.answerWith(bytes('<html>\n\n</html>', { 'content-type': 'text/html' }))
  assert.equal((await bed.post({ ...ASK, stream: true })).status, 502)
  upstream.answerWith(bytes('', {}))
  assert.equal((await bed.post({ ...ASK, stream: true })).status, 502)
})

test('the last event counts, also where its server sends no empty line after it', async () => {
  const events = eventsOf(WORDS, USAGE)
  for (const [sent, end, usage] of [
    [events.slice(0, -1), /\n\n$/, USAGE],
    [events.slice(0, -1), /\n$/, USAGE],
    [events, /\n\n$/, USAGE],
    [events.slice(0, 4), /\n\n$/, null],
  ] as const) {
    upstream.answerWith((asked) => stream(asked, [sent.join('').replace(end, '')]))
    const text = await (await bed.post({ ...ASK, stream: true })).text()
    assert.equal(messageFrom(text), 'Good day.')
    assert.equal(text.includes('"error"'), usage === null)
    assert.equal(await charged(), usage === null ? 9n * 4n + 60n : PRICE)
  }
  const cut = events.slice(0, 4).join('')
  upstream.answerWith((asked) => stream(asked, [cut.slice(0, -12)]))
  assert.equal(
    messageFrom(await (await bed.post({ ...ASK, stream: true })).text()),
    'Good day',
    'an event that was cut does not pass',
  )
})

describe('an answer that is compressed against the request', () => {
  const PACKED = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
    br: brotliCompressSync,
    deflate: deflateSync,
    'Deflate ': deflateRawSync,
    zstd: zstdCompressSync,
  } as const

  test('is unpacked, whole and as a stream, and so is an error', async () => {
    const whole = JSON.stringify({ choices: [{ message: { content: 'Good day.' } }], usage: USAGE })
    for (const [encoding, pack] of Object.entries(PACKED)) {
      upstream.answerWith(
        bytes(pack(eventsOf(WORDS, USAGE).join('')), {
          'content-type': 'text/event-stream',
          'content-encoding': encoding,
        }),
      )
      const streamed = await bed.post({ ...ASK, stream: true })
      assert.deepEqual(
        [
          messageFrom(await streamed.text()),
          streamed.headers.get('content-encoding'),
          await charged(),
        ],
        ['Good day.', null, PRICE],
        encoding,
      )
      upstream.answerWith(
        bytes(pack(whole), { 'content-type': 'application/json', 'content-encoding': encoding }),
      )
      const { choices } = (await (await bed.post(ASK)).json()) as {
        choices: { message: { content: string } }[]
      }
      assert.deepEqual(
        [choices[0]?.message.content, await charged()],
        ['Good day.', PRICE],
        encoding,
      )
      upstream.answerWith(
        bytes(
          pack('{"error":{"message":"too long"}}'),
          { 'content-type': 'application/json', 'content-encoding': encoding },
          400,
        ),
      )
      const refused = await bed.post(ASK)
      assert.deepEqual(
        [
          refused.status,
          ((await refused.json()) as { error: { message: string } }).error.message.endsWith(
            'too long',
          ),
        ],
        [400, true],
        encoding,
      )
    }
  })

  test('forwards each event, and is cancelled with the caller of a model that cannot think', async () => {
    upstream.list = listOf(undefined, { supported_parameters: ['max_tokens'] })
    bed.world.now.advance(7 * 3_600_000)
    await bed.router.directory.candidatesFor('maker/large', 'live', { tools: false, images: false })
    for (const [encoding, packer] of Object.entries({
      gzip: createGzip(),
      br: createBrotliCompress(),
      deflate: createDeflate(),
      zstd: createZstdCompress(),
    })) {
      const asked = Promise.withResolvers<Asked>()
      upstream.answerWith((one) => {
        packer.pipe(
          one.response.writeHead(200, {
            'content-type': 'text/event-stream',
            'content-encoding': encoding,
          }),
        )
        asked.resolve(one)
      })
      const send = (text: string): void => {
        packer.write(text)
        packer.flush()
      }
      const before = (await bed.posted()).length
      const abort = new AbortController()
      send(say('Good'))
      const answer = await fetch(`${bed.url}/chat/completions`, {
        method: 'POST',
        signal: abort.signal,
        headers: { authorization: `Bearer ${bed.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...ASK, stream: true }),
      })
      const reader = answer.body?.getReader()
      assert.ok(reader)
      assert.equal(messageFrom(Buffer.from((await reader.read()).value ?? []).toString()), 'Good')
      send(say(' day'))
      assert.equal(
        messageFrom(Buffer.from((await reader.read()).value ?? []).toString()),
        ' day',
        encoding,
      )
      abort.abort()
      await (
        await asked.promise
      ).closed
      assert.equal((await bed.postedCount(before + 1)).at(-1)?.charged, 9n * 4n + 40n)
      packer.destroy()
    }
  })

  test('that breaks off, or is not what it is called, is billed for what passed', async () => {
    const EVENTS = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }
    const packed = gzipSync(eventsOf(WORDS, USAGE).join(''), { level: 0 })
    upstream.answerWith(bytes(packed.subarray(0, packed.indexOf(' day')), EVENTS))
    const cut = await (await bed.post({ ...ASK, stream: true })).text()
    assert.deepEqual(
      [messageFrom(cut), /upstream_error/.test(cut), await charged()],
      ['Good', true, 9n * 4n + 20n],
    )
    upstream.answerWith(
      ({ response }) =>
        void response
          .writeHead(200, EVENTS)
          .write(packed.subarray(0, packed.indexOf(' day')), () => response.destroy()),
    )
    const broken = await (await bed.post({ ...ASK, stream: true })).text()
    assert.deepEqual(
      [messageFrom(broken), /upstream_error/.test(broken), await charged()],
      ['Good', true, 9n * 4n + 20n],
    )
    for (const isStream of [true, false]) {
      upstream.answerWith(
        bytes('{"choices":[{"message":{"content":"Good."}}]}', { 'content-encoding': 'gzip' }),
      )
      assert.deepEqual(
        [(await bed.post({ ...ASK, stream: isStream })).status, await charged()],
        [502, 0n],
      )
    }
  })

  test('is unpacked only as far as an answer may be long', async () => {
    const blanks = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '))
    upstream.answerWith(bytes(blanks, { 'content-encoding': 'gzip' }))
    assert.deepEqual([(await bed.post(ASK)).status, await charged()], [502, 0n])
  })
})

describe('an answer with nothing in it but its count of tokens', () => {
  test('costs nothing, whole or streamed, in every form of missing choices', async () => {
    for (const choices of [[], [{}], [null], ['Good day.'], {}]) {
      upstream.answerWith(
        bytes(JSON.stringify({ id: 'gen-1', choices, usage: USAGE }), {
          'content-type': 'application/json',
        }),
      )
      for (const isStream of [false, true])
        assert.deepEqual(
          [(await bed.post({ ...ASK, stream: isStream })).status, await charged()],
          [502, 0n],
          JSON.stringify(choices),
        )
    }
    for (const choices of [[], [null], ['Good day.'], {}, null]) {
      upstream.answerWith((asked) =>
        stream(asked, [
          event({ choices }),
          event({ choices: [], usage: USAGE }),
          'data: [DONE]\n\n',
        ]),
      )
      assert.match(await (await bed.post({ ...ASK, stream: true })).text(), /upstream_error/)
      assert.equal(await charged(), 0n, JSON.stringify(choices))
    }
  })
})

describe('an answer that is nested too deep to be written', () => {
  const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const events = eventsOf(WORDS, USAGE)

  test('is the fault of its upstream and free, where it came whole', async () => {
    for (const isStream of [false, true]) {
      upstream.answerWith(
        bytes(
          `{"choices":[{"message":{"content":"Good day."},"logprobs":${DEEP}}],"usage":{"prompt_tokens":5,"completion_tokens":3}}`,
          { 'content-type': 'application/json' },
        ),
      )
      assert.deepEqual(
        [(await bed.post({ ...ASK, stream: isStream })).status, await charged()],
        [502, 0n],
      )
    }
    upstream.answerWith((asked) =>
      stream(asked, [
        events[0] ?? '',
        `data: {"choices":[{"delta":{"content":"x"},"logprobs":${DEEP}}]}\n\n`,
        ...events.slice(1),
      ]),
    )
    assert.deepEqual([(await bed.post(ASK)).status, await charged()], [502, 0n])
  })

  test('ends a stream there, whose words before are charged', async () => {
    upstream.answerWith((asked) =>
      stream(asked, [
        ...events.slice(0, 2),
        `data: {"choices":[{"delta":{"content":"x"},"logprobs":${DEEP}}],"usage":{"prompt_tokens":5,"completion_tokens":3}}\n\n`,
        ...events.slice(2),
      ]),
    )
    const text = await (await bed.post({ ...ASK, stream: true })).text()
    assert.match(text, /upstream_error.*\[DONE\]/s)
    assert.ok(((await charged()) ?? 0n) > 0n)
  })
})

test('the books balance after all of this', async () => {
  assert.equal((await bed.wallet()).held, 0n)
  assert.ok(await bed.isSound())
})
