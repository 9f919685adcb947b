/** The official client's images and speech: its types, one charge, replays and errors. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import OpenAI from 'openai'
import { openAppBed } from '../harness/beds/app.ts'

const bed = await openAppBed()
await bed.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = bed.app.server.address() as AddressInfo
const client = new OpenAI({
  baseURL: `http://127.0.0.1:${port}/api/llm/v1`,
  apiKey: bed.liveKey,
  maxRetries: 0,
})
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SOUND = Buffer.from([0xff, 0xfb, 0x10, 0x00, 1, 2, 3])

async function balance(): Promise<number> {
  const answer = await bed.get('/api/v1/balance')
  return answer.json<{ data: { balance_micros: number } }>().data.balance_micros
}

describe('images', () => {
  const reply = {
    created: 1_700_000_000,
    data: [{ b64_json: PNG }],
    usage: { input_tokens: 10, output_tokens: 1_056, input_tokens_details: { image_tokens: 0 } },
  }
  const asked = {
    model: 'openai/gpt-image-2.5-flare',
    prompt: 'A paper boat.',
    quality: 'auto',
    user: 'me',
  } as const

  test('are base64 by default and links on request, charged once by tokens', async () => {
    bed.vendor.answerWith(({ body, path }) => {
      assert.match(path, /\/images\/generations$/)
      const { model, user, response_format, quality } = body as Record<string, unknown>
      assert.deepEqual(
        [model, user, response_format, quality],
        ['gpt-image-2.5-flare', undefined, undefined, 'medium'],
      )
      return { body: reply }
    })
    const before = await balance()
    const { data, response } = await client.images
      .generate({ ...asked, stream: false })
      .withResponse()
    const charged = Number(response.headers.get('x-charged-micros'))
    assert.ok(charged > 0)
    assert.equal(await balance(), before - charged)
    assert.deepEqual(
      data.data?.map(({ b64_json }) => b64_json),
      [PNG],
    )
    assert.equal(data.created, reply.created)
    const linked = await client.images.generate({
      ...asked,
      stream: false,
      response_format: 'url',
    })
    assert.equal(linked.data?.[0]?.b64_json, undefined)
    assert.match(linked.data?.[0]?.url ?? '', /^https?:\/\//)
  })

  test('are returned again with the same idempotency key, uncharged', async () => {
    bed.vendor.answerWith(() => ({ body: reply }))
    const options = { headers: { 'Idempotency-Key': 'boat' } }
    const first = await client.images.generate(asked, options)
    bed.vendor.answerWith(() => ({ status: 500, body: {} }))
    const again = await client.images.generate(asked, options).withResponse()
    assert.deepEqual(again.data, first)
    assert.equal(again.response.headers.get('x-charged-micros'), '0')
    assert.equal(again.response.headers.get('idempotency-replayed'), 'true')
  })

  test('have the same address as at OpenRouter', async () => {
    bed.vendor.answerWith(() => ({ body: reply }))
    const answer = await bed.post('/api/llm/v1/images', asked)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.json<{ data: { b64_json: string }[] }>().data[0]?.b64_json, PNG)
  })

  test('are rejected with the field, uncharged', async () => {
    const before = await balance()
    for (const [field, body] of [
      ['model', { model: 'dall-e-3' }],
      ['prompt', { prompt: '' }],
      ['response_format', { response_format: 'file' }],
      ['stream', { stream: true }],
      ['n', { n: 11 }],
      ['style', { style: 'vivid' }],
    ] as const)
      await assert.rejects(
        client.images.generate({ ...asked, ...body } as never),
        (error) => error instanceof OpenAI.BadRequestError && error.param === field,
        field,
      )
    bed.vendor.answerWith(() => ({ status: 500, body: {} }))
    await assert.rejects(client.images.generate(asked), OpenAI.InternalServerError)
    assert.equal(await balance(), before)
  })

  test('of an ended model are rejected, uncharged, with the names of its successors', async () => {
    const before = await balance()
    for (const model of ['gpt-image-1.5', 'openai/gpt-image-1-mini', 'gpt-image-1'])
      await assert.rejects(
        client.images.generate({ ...asked, model }),
        (error) =>
          error instanceof OpenAI.BadRequestError &&
          error.param === 'model' &&
          /gpt-image-2\.6-flare.*gpt-image-2\.6-sunburst/.test(error.message),
        model,
      )
    assert.equal(await balance(), before)
  })
})

describe('speech', () => {
  const asked = { model: 'kokoro', voice: 'alloy', input: 'Hello.' } as const
  const inline = `data:audio/wav;base64,${SOUND.toString('base64')}`
  const answerSound = (url: string): void =>
    bed.vendor.answerWith(() => ({ body: { audio: { url, content_type: 'audio/wav' } } }))

  test('is the sound itself, charged once by characters', async () => {
    bed.vendor.answerWith(({ body }) => {
      assert.deepEqual(body, { prompt: 'Hello.', voice: 'af_heart', speed: 1 })
      return { body: { audio: { url: inline } } }
    })
    const before = await balance()
    const response = await client.audio.speech.create({ ...asked, speed: 1 })
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), SOUND)
    assert.equal(response.headers.get('content-type'), 'audio/wav')
    assert.equal(response.headers.get('x-charged-micros'), '240', '6 characters at 4 cents a 1,000')
    assert.equal(await balance(), before - 240)
  })

  test('is returned again with the same idempotency key, uncharged', async () => {
    answerSound(inline)
    const options = { headers: { 'Idempotency-Key': 'hello' } }
    await client.audio.speech.create(asked, options)
    bed.vendor.answerWith(() => ({ status: 500, body: {} }))
    const again = await client.audio.speech.create(asked, options)
    assert.deepEqual(Buffer.from(await again.arrayBuffer()), SOUND)
    assert.equal(again.headers.get('x-charged-micros'), '0')
  })

  test('that could not be stored is a redirect to the vendor', async () => {
    const url = `${bed.vendor.url}/gone.wav`
    bed.vendor.answerWith(({ path }) =>
      path.endsWith('.wav') ? { status: 404, body: {} } : { body: { audio: { url } } },
    )
    const answer = await bed.post('/api/llm/v1/audio/speech', asked)
    assert.equal(answer.statusCode, 303, answer.body)
    assert.equal(answer.headers.location, url)
    assert.equal(answer.headers['x-charged-micros'], '240')
  })

  test('uses a voice of the model by its name', async () => {
    bed.vendor.answerWith(({ body }) => {
      assert.equal((body as { voice: string }).voice, 'bf_emma')
      return { body: { audio: { url: inline } } }
    })
    await client.audio.speech.create({ ...asked, voice: 'bf_emma' })
  })

  test('is rejected with the field, uncharged', async () => {
    answerSound(inline)
    const before = await balance()
    for (const [field, body] of [
      ['input', { input: '' }],
      ['input', { input: 'x'.repeat(10_001) }],
      ['response_format', { response_format: 'flac' }],
      ['instructions', { instructions: 'Whisper.' }],
      ['stream_format', { stream_format: 'sse' }],
      ['voice', { model: 'chatterbox', voice: 'af_heart' }],
      ['speed', { model: 'eleven-turbo-2.5', speed: 4 }],
      ['prompt', { prompt: 'x' }],
    ] as const)
      await assert.rejects(
        client.audio.speech.create({ ...asked, ...body }),
        (error) => error instanceof OpenAI.BadRequestError && error.param === field,
        field,
      )
    for (const model of ['tts-1', 'flux-schnell', 'kokoroo'])
      await assert.rejects(
        client.audio.speech.create({ ...asked, model }),
        (error) => error instanceof OpenAI.NotFoundError && error.message.includes('chatterbox'),
        model,
      )
    assert.equal(await balance(), before)
  })
})

test('transcription is not found, with the alternative', async () => {
  const file = new File([SOUND], 'a.mp3', { type: 'audio/mpeg' })
  await assert.rejects(
    client.audio.transcriptions.create({ model: 'whisper-1', file }),
    (error) => error instanceof OpenAI.NotFoundError && error.message.includes('input_audio'),
  )
})
