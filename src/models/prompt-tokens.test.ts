import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countPrompt, estimatePrompt, promptOf } from './prompt-tokens.ts'
import { readCompletionRequest } from './read-request.ts'

const promptWith = (image: object) => promptOf(readCompletionRequest({ model: 'a/b', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: image }] }] }))
const dataUrl = (length: number): string => `data:image/jpeg;base64,${'A'.repeat(length)}`

test('of an image the most that makers count is held, and what it likely made is charged', () => {
  const held = (image: object): number => Math.round(estimatePrompt(promptWith(image)) / 100) * 100
  assert.equal(held({ url: 'https://example.org/photo.jpg' }), 15_000)
  assert.equal(held({ url: 'https://example.org/photo.jpg', detail: 'high' }), 4_800)
  assert.equal(held({ url: dataUrl(1_000) }), 1_600)
  assert.equal(held({ url: dataUrl(320_000) }), 5_000)
  assert.equal(held({ url: dataUrl(4_000_000) }), 15_000)
  assert.equal(held({ url: dataUrl(4_000_000), detail: 'low' }), 4_800)
  assert.equal(held({}), 15_000)
  assert.deepEqual([countPrompt(promptWith({ url: dataUrl(4_000_000) })), countPrompt(promptWith({ url: 'https://example.org/photo.jpg', detail: 'low' }))], [1_607, 92])
})
