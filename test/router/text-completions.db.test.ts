/** The legacy completions API with the official client. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import OpenAI from 'openai'
import { openRouterBed } from '../harness/beds/router.ts'

const bed = await openRouterBed()
const client = new OpenAI({ baseURL: bed.url, apiKey: bed.testKey, maxRetries: 0 })
const QUESTION = 'What is a ledger?'
const MODEL = 'core/cheap'

describe('the official client of completions', () => {
  test('gets the text, price and charge of the chat completion with this prompt', async () => {
    const chat = await client.chat.completions
      .create({ model: MODEL, messages: [{ role: 'user', content: QUESTION }], max_tokens: 50 })
      .withResponse()
    const { data, response } = await client.completions
      .create({ model: MODEL, prompt: [QUESTION], max_tokens: 50 })
      .withResponse()
    assert.equal(data.object, 'text_completion')
    assert.deepEqual(
      data.choices.map(({ text, index, finish_reason }) => [text, index, finish_reason]),
      chat.data.choices.map(({ message, index, finish_reason }) => [
        message.content,
        index,
        finish_reason,
      ]),
    )
    assert.deepEqual(data.usage, chat.data.usage)
    for (const name of ['x-charged-micros', 'x-model'])
      assert.equal(response.headers.get(name), chat.response.headers.get(name))
    assert.ok(Number(response.headers.get('x-charged-micros')) > 0)
  })

  test('gets the same text as a stream, and the usage only on request', async () => {
    const whole = await client.completions.create({ model: MODEL, prompt: QUESTION, n: 2 })
    for (const include_usage of [true, false]) {
      const texts = ['', '']
      const usages: unknown[] = []
      for await (const chunk of await client.completions.create({
        model: MODEL,
        prompt: QUESTION,
        n: 2,
        stream: true,
        stream_options: { include_usage },
      })) {
        assert.equal(chunk.object, 'text_completion')
        for (const { index, text } of chunk.choices) texts[index] += text
        if (chunk.usage != null) usages.push(chunk.usage)
      }
      assert.deepEqual(
        texts,
        whole.choices.map(({ text }) => text),
      )
      assert.deepEqual(usages, include_usage ? [whole.usage] : [])
    }
  })

  test('gets a whole answer and a stream again with the same idempotency key, uncharged', async () => {
    for (const stream of [false, true]) {
      const ask = () =>
        client.completions
          .create(
            { model: MODEL, prompt: QUESTION, stream },
            { headers: { 'Idempotency-Key': `text-${String(stream)}` } },
          )
          .asResponse()
      const [first, again] = [await ask(), await ask()]
      const [text, same] = [await first.text(), await again.text()]
      assert.equal(same, text)
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assert.equal(again.headers.get('x-charged-micros'), '0')
    }
  })

  test('is rejected with the field that chat completions cannot express', async () => {
    for (const [field, body] of [
      ['prompt', { prompt: ['one', 'two'] }],
      ['prompt', { prompt: [1, 2] }],
      ['prompt', { prompt: '' }],
      ['echo', { prompt: 'x', echo: true }],
      ['best_of', { prompt: 'x', best_of: 3 }],
      ['suffix', { prompt: 'x', suffix: 'end' }],
      ['logprobs', { prompt: 'x', logprobs: 2 }],
      ['messages', { prompt: 'x', messages: [] }],
      ['plugins', { prompt: 'x', plugins: [] }],
      ['max_tokens', { prompt: 'x', max_tokens: 0 }],
    ] as const)
      await assert.rejects(
        client.completions.create({ model: MODEL, ...body } as never),
        (error) => error instanceof OpenAI.BadRequestError && error.param === field,
        field,
      )
    await assert.rejects(
      client.completions.create({ model: 'none/such', prompt: 'x' }),
      OpenAI.NotFoundError,
    )
  })
})
