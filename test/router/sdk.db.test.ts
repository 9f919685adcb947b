/** Popular clients, unchanged except for base URL and key. */
import assert from 'node:assert/strict'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, Output, streamText, tool } from 'ai'
import { describe, test } from 'node:test'
import OpenAI from 'openai'
import { openRouterBed } from '../harness/beds/router.ts'

const bed = await openRouterBed()
const client = new OpenAI({ baseURL: bed.url, apiKey: bed.testKey, maxRetries: 0 })
const provider = createOpenAICompatible({
  name: 'tollgate',
  baseURL: bed.url,
  apiKey: bed.testKey,
  includeUsage: true,
  supportsStructuredOutputs: true,
})
const QUESTION = [{ role: 'user' as const, content: 'What is a ledger?' }]
const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('the official client of chat-completions', () => {
  test('gets an answer, its price and the model that served a tier', async () => {
    const { data, response } = await client.chat.completions
      .create({ model: 'core/cheap', messages: QUESTION })
      .withResponse()
    assert.match(data.choices[0]?.message.content ?? '', /simulated/)
    assert.equal(data.model, 'openai/gpt-6-luna')
    const { cost } = data.usage as unknown as { cost: number }
    assert.equal(Math.round(cost * 1_000_000), Number(response.headers.get('x-charged-micros')))
    assert.ok(cost > 0)
    assert.match(response.headers.get('x-request-id') ?? '', /^req_/)
  })

  test('gets the same words as a stream, and the usage only when it asks for it', async () => {
    const whole = await client.chat.completions.create({ model: 'core/mid', messages: QUESTION })
    for (const include_usage of [true, false]) {
      let text = ''
      const usages: unknown[] = []
      for await (const chunk of await client.chat.completions.create({
        model: 'core/mid',
        messages: QUESTION,
        stream: true,
        stream_options: { include_usage },
      })) {
        text += chunk.choices[0]?.delta.content ?? ''
        if (chunk.usage != null) usages.push(chunk.usage)
      }
      assert.equal(text, whole.choices[0]?.message.content)
      assert.equal(usages.length, include_usage ? 1 : 0)
      if (include_usage) assert.deepEqual(usages[0], whole.usage)
    }
  })

  test('gets as many answers as it asks for, each charged, streaming and not', async () => {
    const one = await client.chat.completions.create({ model: 'core/mid', messages: QUESTION })
    const two = await client.chat.completions.create({
      model: 'core/mid',
      messages: QUESTION,
      n: 2,
    })
    assert.deepEqual(
      two.choices.map(({ index, message }) => [index, message.content]),
      [0, 1].map((index) => [index, one.choices[0]?.message.content]),
    )
    assert.equal(two.usage?.completion_tokens, 2 * (one.usage?.completion_tokens ?? 0))
    const streamed = await client.chat.completions
      .stream({ model: 'core/mid', messages: QUESTION, n: 2 })
      .finalChatCompletion()
    assert.deepEqual(
      streamed.choices.map(({ message }) => message.content),
      two.choices.map(({ message }) => message.content),
    )
  })

  test('calls tools, streaming and not', async () => {
    const asked = { model: 'core/best', messages: QUESTION, tools: [WEATHER] }
    const whole = await client.chat.completions.create(asked)
    const [call] = whole.choices[0]?.message.tool_calls ?? []
    assert.ok(call?.type === 'function')
    assert.deepEqual(
      [call.function.name, JSON.parse(call.function.arguments)],
      ['weather', { city: 'simulated' }],
    )
    const streamed = await client.chat.completions.stream(asked).finalChatCompletion()
    const [same] = streamed.choices[0]?.message.tool_calls ?? []
    assert.deepEqual(same?.function.arguments, call.function.arguments)
    const after = await client.chat.completions.create({
      ...asked,
      messages: [
        ...QUESTION,
        whole.choices[0]!.message,
        { role: 'tool', tool_call_id: call.id, content: 'sunny' },
      ],
    })
    assert.equal(after.choices[0]?.finish_reason, 'stop')
  })

  test('sends images and gets JSON', async () => {
    const { choices } = await client.chat.completions.create({
      model: 'core/cheap',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: PIXEL } },
          ],
        },
      ],
      response_format: { type: 'json_object' },
    })
    assert.deepEqual(JSON.parse(choices[0]?.message.content ?? ''), { simulated: true })
  })

  test('is charged once for an Idempotency-Key among its headers', async () => {
    const asked = { model: 'core/cheap', messages: QUESTION }
    const options = { headers: { 'Idempotency-Key': 'of the client' } }
    const [first, again] = [
      await client.chat.completions.create(asked, options).withResponse(),
      await client.chat.completions.create(asked, options).withResponse(),
    ]
    assert.deepEqual(again.data, first.data)
    assert.deepEqual(
      [
        again.response.headers.get('idempotency-replayed'),
        again.response.headers.get('x-charged-micros'),
      ],
      ['true', '0'],
    )
  })

  test('lists models, tiers among them', async () => {
    const { data, response } = await client.models.list().withResponse()
    const ids = data.data.map(({ id }) => id)
    assert.match(response.headers.get('x-request-id') ?? '', /^req_/)
    assert.ok(
      ids.includes('core/cheap') &&
        ids.includes('openai/gpt-6-luna') &&
        !ids.includes('simulated/unpriced'),
    )
  })

  test('reads a model, and a tier, as the list shows it', async () => {
    const { data } = await client.models.list()
    for (const id of ['core/mid', 'openai/gpt-6-luna']) {
      const { _request_id: requestId, ...read } = (await client.models.retrieve(
        id,
      )) as OpenAI.Model & { _request_id?: string }
      assert.match(requestId ?? '', /^req_/)
      assert.deepEqual(
        read,
        data.find((listed) => listed.id === id),
        id,
      )
    }
  })

  test('receives the nearest names for a misspelled model', async () => {
    const fixOf = async (model: string): Promise<string> => {
      const failed = await client.chat.completions
        .create({ model, messages: QUESTION })
        .catch((error: unknown) => error)
      assert.ok(failed instanceof OpenAI.NotFoundError)
      return (failed.error as { fix: string }).fix
    }
    assert.match(await fixOf('core/middle'), /^Did you mean "core\/mid"\?/)
    assert.match(await fixOf('gpt-6-lunar'), /^Did you mean "openai\/gpt-6-luna"/)
    assert.match(await fixOf('zzyzx'), /lists all models/)
  })

  test('meets errors in the shape that it knows', async () => {
    await assert.rejects(
      client.chat.completions.create({ model: 'no/such', messages: QUESTION }),
      (error) =>
        error instanceof OpenAI.NotFoundError &&
        error.code === 'model_not_found' &&
        error.param === 'model',
    )
    await assert.rejects(
      client.chat.completions.create({ model: 'simulated/unpriced', messages: QUESTION }),
      (error) =>
        error instanceof OpenAI.InternalServerError &&
        error.code === 'price_unknown' &&
        error.status === 503,
    )
    await assert.rejects(
      client.chat.completions.create({ model: 'core/cheap', messages: [] }),
      (error) =>
        error instanceof OpenAI.BadRequestError &&
        error.code === 'invalid_params' &&
        error.param === 'messages',
    )
    await assert.rejects(
      new OpenAI({ baseURL: bed.url, apiKey: 'tg_live_nobody', maxRetries: 0 }).models.list(),
      (error) => error instanceof OpenAI.AuthenticationError && error.code === 'invalid_token',
    )
    const broken = client.chat.completions
      .stream({ model: 'core/cheap', messages: [{ role: 'user', content: 'sim:error-5' }] })
      .finalChatCompletion()
    await assert.rejects(
      broken,
      (error) => error instanceof OpenAI.APIError && error.code === 'upstream_error',
    )
  })
})

describe('the compatible provider of the AI SDK', () => {
  test('gets text and usage, streaming and not', async () => {
    const whole = await generateText({
      model: provider('core/cheap'),
      prompt: 'What is a ledger?',
      maxRetries: 0,
    })
    const streamed = streamText({
      model: provider('core/cheap'),
      prompt: 'What is a ledger?',
      maxRetries: 0,
    })
    assert.equal(await streamed.text, whole.text)
    assert.deepEqual((await streamed.usage).outputTokens, whole.usage.outputTokens)
    assert.ok((whole.usage.outputTokens ?? 0) > 10)
  })

  test('gets an object of the schema that it asks for', async () => {
    const schema = jsonSchema<{ city: string }>(WEATHER.function.parameters)
    const { output } = await generateText({
      model: provider('core/mid'),
      prompt: 'Which city?',
      output: Output.object({ schema }),
      maxRetries: 0,
    })
    assert.deepEqual(output, { city: 'simulated' })
  })

  test('calls tools', async () => {
    const weather = tool({
      inputSchema: jsonSchema<{ city: string }>(WEATHER.function.parameters as never),
      execute: async ({ city }) => `sunny in ${city}`,
    })
    const { toolResults } = await generateText({
      model: provider('core/mid'),
      prompt: 'How is the weather?',
      tools: { weather },
      maxRetries: 0,
    })
    assert.deepEqual(
      toolResults.map(({ output }) => output),
      ['sunny in simulated'],
    )
  })
})

test('the books balance after all of this', async () => assert.ok(await bed.isSound()))
