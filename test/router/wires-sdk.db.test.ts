/** Clients of the Messages and Responses APIs, unchanged except for base URL and key, on an upstream that speaks their API and on one that does not. */
import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { describe, test } from 'node:test'
import OpenAI from 'openai'
import { openRouterBed } from '../harness/beds/router.ts'

const QUESTION = [{ role: 'user' as const, content: 'What is a ledger?' }]
const PARAMETERS = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
}
const WEATHER = { name: 'weather', description: 'The weather of a city.' }

for (const [upstream, simulatedWires] of [
  ['an upstream that speaks the API', undefined],
  ['an upstream that speaks only chat completions', ['chat']],
] as const) {
  const bed = await openRouterBed(simulatedWires === undefined ? {} : { simulatedWires })
  const base = bed.url.replace(/\/v1$/, '')
  const anthropic = new Anthropic({ baseURL: base, apiKey: bed.testKey, maxRetries: 0 })
  const openai = new OpenAI({ baseURL: bed.url, apiKey: bed.testKey, maxRetries: 0 })
  const chat = async (more: object = {}) =>
    openai.chat.completions.create({ model: 'core/mid', messages: QUESTION, ...more })

  describe(`the client of Messages, on ${upstream}`, () => {
    const ask = { model: 'core/mid', max_tokens: 1_000, messages: QUESTION }

    test('gets the answer of chat completions, at the same price', async () => {
      const { data, response } = await anthropic.messages.create(ask).withResponse()
      const { choices, usage } = await chat()
      assert.deepEqual(
        data.content.map((block) => (block.type === 'text' ? block.text : block.type)),
        [choices[0]?.message.content],
      )
      assert.equal(data.stop_reason, 'end_turn')
      assert.equal(data.usage.input_tokens, usage?.prompt_tokens)
      assert.equal(data.usage.output_tokens, usage?.completion_tokens)
      const { cost } = usage as unknown as { cost: number }
      assert.equal(Number(response.headers.get('x-charged-micros')), Math.round(cost * 1e6))
      assert.match(response.headers.get('request-id') ?? '', /^req_/)
    })

    test('streams the same words', async () => {
      const whole = await anthropic.messages.create(ask)
      const streamed = await anthropic.messages.stream(ask).finalMessage()
      assert.deepEqual(streamed.content, whole.content)
      assert.equal(streamed.usage.output_tokens, whole.usage.output_tokens)
      assert.equal(streamed.stop_reason, 'end_turn')
    })

    test('calls tools, streaming and not', async () => {
      const asked = { ...ask, tools: [{ ...WEATHER, input_schema: PARAMETERS }] }
      const whole = await anthropic.messages.create(asked)
      const [call] = whole.content
      assert.ok(call?.type === 'tool_use')
      assert.deepEqual([call.name, call.input], ['weather', { city: 'simulated' }])
      assert.equal(whole.stop_reason, 'tool_use')
      const streamed = await anthropic.messages.stream(asked).finalMessage()
      const [same] = streamed.content
      assert.ok(same?.type === 'tool_use')
      assert.deepEqual(same.input, call.input)
      const after = await anthropic.messages.create({
        ...asked,
        messages: [
          ...QUESTION,
          { role: 'assistant', content: whole.content },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: call.id, content: 'sunny' }],
          },
        ],
      })
      assert.equal(after.stop_reason, 'end_turn')
    })

    test('answers a probe of one token', async () => {
      const { stop_reason: reason, usage } = await anthropic.messages.create({
        ...ask,
        max_tokens: 1,
      })
      assert.deepEqual([reason, usage.output_tokens], ['max_tokens', 1])
    })

    test('counts tokens before a call, and reports that the count is an estimate', async () => {
      const { data, response } = await anthropic.messages
        .countTokens({ model: 'core/mid', messages: QUESTION })
        .withResponse()
      const { usage } = await anthropic.messages.create(ask)
      assert.ok(data.input_tokens >= usage.input_tokens)
      assert.equal(response.headers.get('x-token-count'), 'estimated')
      assert.equal(response.headers.get('x-charged-micros'), '0')
    })

    test('lists models, and reads one', async () => {
      const ids: string[] = []
      for await (const { id, type } of anthropic.models.list()) {
        assert.equal(type, 'model')
        ids.push(id)
      }
      assert.ok(ids.includes('core/mid') && ids.includes('openai/gpt-6-luna'))
      const one = await anthropic.models.retrieve('anthropic/claude-haiku-5.5')
      assert.deepEqual([one.id, one.type], ['anthropic/claude-haiku-5.5', 'model'])
    })

    test('knows models by the names of their makers', async () => {
      const { model } = await anthropic.messages.create({
        ...ask,
        model: 'claude-haiku-5-5-20261001',
      })
      assert.equal(model, 'anthropic/claude-haiku-5.5')
    })

    test('meets errors in the shape that it knows', async () => {
      await assert.rejects(
        anthropic.messages.create({ ...ask, model: 'core/midd' }),
        (error) =>
          error instanceof Anthropic.NotFoundError &&
          error.type === 'not_found_error' &&
          /Did you mean .*core\/mid/.test(error.message) &&
          error.requestID?.startsWith('req_') === true,
      )
      await assert.rejects(
        anthropic.messages.create({
          ...ask,
          tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        }),
        (error) =>
          error instanceof Anthropic.BadRequestError &&
          /tools\[0\]/.test(JSON.stringify(error.error)),
      )
      await assert.rejects(
        new Anthropic({ baseURL: base, apiKey: 'tg_live_nobody', maxRetries: 0 }).messages.create(
          ask,
        ),
        (error) => error instanceof Anthropic.AuthenticationError,
      )
      await assert.rejects(
        anthropic.messages
          .stream({ ...ask, messages: [{ role: 'user', content: 'sim:error-5' }] })
          .finalMessage(),
        (error) =>
          error instanceof Anthropic.APIError && /ended its response early/.test(error.message),
      )
    })
  })

  describe(`the client of Responses, on ${upstream}`, () => {
    const ask = { model: 'core/mid', input: 'What is a ledger?' }

    test('gets the answer of chat completions, at the same price', async () => {
      const { data, response } = await openai.responses.create(ask).withResponse()
      const { choices, usage } = await chat()
      assert.equal(data.output_text, choices[0]?.message.content)
      assert.equal(data.status, 'completed')
      assert.equal(data.usage?.input_tokens, usage?.prompt_tokens)
      assert.equal(data.usage?.output_tokens, usage?.completion_tokens)
      const { cost } = usage as unknown as { cost: number }
      assert.equal(Number(response.headers.get('x-charged-micros')), Math.round(cost * 1e6))
    })

    test('streams the same words', async () => {
      const whole = await openai.responses.create(ask)
      const stream = openai.responses.stream(ask)
      const kinds = new Set<string>()
      for await (const event of stream) kinds.add(event.type)
      assert.equal((await stream.finalResponse()).output_text, whole.output_text)
      for (const kind of ['created', 'output_item.added', 'output_text.delta', 'completed'])
        assert.ok(kinds.has(`response.${kind}`), kind)
    })

    test('calls tools, streaming and not', async () => {
      const asked = {
        ...ask,
        tools: [{ type: 'function' as const, strict: false, ...WEATHER, parameters: PARAMETERS }],
      }
      const whole = await openai.responses.create(asked)
      const call = whole.output.find(({ type }) => type === 'function_call')
      assert.ok(call?.type === 'function_call')
      assert.deepEqual([call.name, JSON.parse(call.arguments)], ['weather', { city: 'simulated' }])
      const streamed = await openai.responses.stream(asked).finalResponse()
      const same = streamed.output.find(({ type }) => type === 'function_call')
      assert.ok(same?.type === 'function_call')
      assert.equal(same.arguments, call.arguments)
      const after = await openai.responses.create({
        ...asked,
        input: [
          { role: 'user', content: 'What is a ledger?' },
          call,
          { type: 'function_call_output', call_id: call.call_id, output: 'sunny' },
        ],
      })
      assert.ok(after.output_text.length > 0)
    })

    test('gets JSON of the schema that it asks for', async () => {
      const { output_text: text } = await openai.responses.create({
        ...ask,
        text: { format: { type: 'json_schema', name: 'city', strict: true, schema: PARAMETERS } },
      })
      assert.deepEqual(JSON.parse(text), { city: 'simulated' })
    })

    test('learns that an answer was cut, and that one token is possible', async () => {
      const cut = await openai.responses.create({ ...ask, max_output_tokens: 1 })
      assert.equal(cut.status, 'incomplete')
      assert.equal(cut.incomplete_details?.reason, 'max_output_tokens')
      assert.equal(cut.usage?.output_tokens, 1)
    })

    test('learns which setting to change when it asks for stored responses', async () => {
      for (const [more, param] of [
        [{ store: true }, 'store'],
        [{ background: true }, 'background'],
        [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
        [{ conversation: 'conv_1' }, 'conversation'],
        [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
      ] as const)
        await assert.rejects(
          openai.responses.create({ ...ask, ...(more as object) }),
          (error) =>
            error instanceof OpenAI.BadRequestError &&
            error.param === param &&
            (error.error as { fix: string }).fix.length > 0,
        )
    })

    test('gets a failed response when the upstream breaks off', async () => {
      const stream = await openai.responses.create({ ...ask, input: 'sim:error-6', stream: true })
      const events = []
      for await (const event of stream) events.push(event)
      const last = events.at(-1)
      assert.ok(last?.type === 'response.failed')
      assert.match(last.response.error?.message ?? '', /ended its response early/)
    })
  })

  test(`the books balance on ${upstream}`, async () => assert.ok(await bed.isSound()))
}
