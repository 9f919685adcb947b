import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countPrompt, estimatePrompt, promptOf } from './prompt-tokens.ts'
import { readCompletionRequest } from '../ask/read-request.ts'

const promptWith = (image: object) =>
  promptOf(
    readCompletionRequest({
      model: 'a/b',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: image }] }],
    }),
  )
const dataUrl = (length: number): string => `data:image/jpeg;base64,${'A'.repeat(length)}`

test('detects a request for the more expensive hour-long cache anywhere in the body', () => {
  const control = { cache_control: { type: 'ephemeral', ttl: '1h' } }
  const isKept = (body: object): boolean =>
    promptOf(
      readCompletionRequest({
        model: 'a/b',
        messages: [{ role: 'user', content: 'Hello.' }],
        ...body,
      }),
    ).usesLongCache
  const tool = { type: 'function', function: { name: 'f' } }
  const places = [
    control,
    { messages: [{ role: 'user', content: 'Hello.', ...control }] },
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.', ...control }] }] },
    { tools: [{ ...tool, ...control }] },
    { tools: [{ ...tool, function: { name: 'f', ...control } }] },
  ]
  for (const body of places) assert.ok(isKept(body), JSON.stringify(body))
  for (const body of [{}, { cache_control: { type: 'ephemeral' } }, { tools: [tool] }])
    assert.ok(!isKept(body), JSON.stringify(body))
})

test('holds the highest token count of an image, and charges the likely one', () => {
  const held = (image: object): number => Math.round(estimatePrompt(promptWith(image)) / 100) * 100
  assert.equal(held({ url: 'https://example.org/photo.jpg' }), 15_000)
  assert.equal(held({ url: 'https://example.org/photo.jpg', detail: 'high' }), 4_800)
  assert.equal(held({ url: dataUrl(1_000) }), 1_600)
  assert.equal(held({ url: dataUrl(320_000) }), 5_000)
  assert.equal(held({ url: dataUrl(4_000_000) }), 15_000)
  assert.equal(held({ url: dataUrl(4_000_000), detail: 'low' }), 4_800)
  assert.equal(held({}), 15_000)
  assert.deepEqual(
    [
      countPrompt(promptWith({ url: dataUrl(4_000_000) })),
      countPrompt(promptWith({ url: 'https://example.org/photo.jpg', detail: 'low' })),
    ],
    [1_607, 92],
  )
})

test('counts a message with very many parts', () => {
  const parts = Array.from({ length: 400_000 }, () => ({ type: 'text', text: 'a' }))
  assert.equal(
    promptOf(readCompletionRequest({ model: 'a/b', messages: [{ role: 'user', content: parts }] }))
      .text.length,
    799_999,
  )
})
