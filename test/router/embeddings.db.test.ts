/** The official client's embeddings, which it requests and decodes as base64. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import OpenAI from 'openai'
import { openAppBed } from '../harness/beds/app.ts'

test('the official client gets vectors, charged by their tokens', async () => {
  const bed = await openAppBed()
  const vector = Buffer.from(new Float32Array([0.5, -0.25]).buffer).toString('base64')
  bed.vendor.answerWith(({ body }) => {
    const { model, encoding_format: encoding } = body as Record<string, unknown>
    assert.deepEqual([model, encoding], ['text-embedding-3-small', 'base64'])
    return {
      body: {
        object: 'list',
        data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: vector })),
        usage: { prompt_tokens: 700, total_tokens: 700 },
      },
    }
  })
  await bed.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = bed.app.server.address() as AddressInfo
  const client = new OpenAI({
    baseURL: `http://127.0.0.1:${port}/api/llm/v1`,
    apiKey: bed.testKey,
    maxRetries: 0,
  })
  const asked = {
    model: 'openai/text-embedding-3-small',
    input: ['a ledger', 'a book'],
    user: 'me',
  }
  const { data, response } = await client.embeddings.create(asked).withResponse()
  assert.deepEqual(
    data.data.map(({ embedding }) => [...embedding]),
    [
      [0.5, -0.25],
      [0.5, -0.25],
    ],
  )
  assert.equal(response.headers.get('x-charged-micros'), '14', '700 tokens at 2 cents a million')
  const options = { headers: { 'Idempotency-Key': 'vectors' } }
  await client.embeddings.create(asked, options)
  const again = await client.embeddings.create(asked, options).withResponse()
  assert.equal(again.response.headers.get('idempotency-replayed'), 'true')
  await assert.rejects(
    client.embeddings.create({ model: 'none', input: 'x' }),
    (error) => error instanceof OpenAI.BadRequestError && error.param === 'model',
  )
  bed.vendor.answerWith(() => ({
    status: 400,
    body: { error: { message: 'input 3 is too long: 9000 tokens', code: 'odd_input' } },
  }))
  await assert.rejects(
    client.embeddings.create(asked),
    (error) =>
      error instanceof OpenAI.BadRequestError &&
      error.code === 'odd_input' &&
      /input 3 is too long: 9000 tokens/.test(error.message),
  )
})
