import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listedFields, type Fields } from '../../../lib/json-fields.ts'
import { DIALECT_NAMES, DIALECTS, recognizeDialect, type DialectName } from './dialect.ts'
import { toDialect } from './to-dialect.ts'

const system = (content: unknown): Fields => ({ role: 'system', content })
const user = (content: unknown): Fields => ({ role: 'user', content })
const adapt = (name: DialectName, body: Fields, thinks?: boolean): Fields =>
  toDialect({ messages: [], ...body }, { dialect: DIALECTS[name], modelId: 'm', thinks })
const messagesFor = (name: DialectName, ...messages: readonly Fields[]) =>
  listedFields(adapt(name, { messages })['messages'])

test('joins the first system messages, and moves later ones to the user', () => {
  const messages = [system('a'), system([{ type: 'text', text: 'b' }]), user('x'), system('c')]
  assert.deepEqual(messagesFor('generic', ...messages), [system('a\nb'), user('x'), user('c')])
  assert.deepEqual(messagesFor('generic', system('a'), system('b')), [system('a\n\nb')])
  const parts = [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ]
  assert.deepEqual(messagesFor('openrouter', ...messages.slice(0, 2)), [system(parts)])
  assert.deepEqual(messagesFor('openai', system('a'), user('x'), system('c')), [
    system('a'),
    user('x'),
    system('c'),
  ])
})

test('returns thoughts in the field of the dialect, and fills those that are required', () => {
  const own = { role: 'assistant', content: 'x', thoughts: 'hm' }
  const none = { role: 'assistant', content: 'x' }
  const fieldsFor = (name: DialectName, message: Fields) =>
    Object.entries(messagesFor(name, message)[0] ?? {}).slice(2)
  assert.deepEqual(fieldsFor('deepseek', own), [['reasoning_content', 'hm']])
  assert.deepEqual(fieldsFor('deepseek', none), [['reasoning_content', '.']])
  assert.deepEqual(fieldsFor('generic', own), [['reasoning_content', 'hm']])
  assert.deepEqual(fieldsFor('generic', none), [])
  assert.deepEqual(fieldsFor('openai', own), [])
  assert.deepEqual(fieldsFor('ollama', own), [['reasoning', 'hm']])
})

test('replaces images of the history for a model that reads only text', () => {
  const image = { type: 'image_url', image_url: { url: 'data:,' } }
  const tool = { role: 'tool', tool_call_id: 'c', content: 'x' }
  const hasImage = (message: Fields | undefined) => listedFields(message?.['content'])[0] === image
  const [earlier, , now] = messagesFor('deepseek', user([image]), user('x'), user([image]))
  assert.deepEqual([hasImage(earlier), hasImage(now)], [false, true])
  assert.equal(hasImage(messagesFor('deepseek', tool, user([image]))[1]), false)
  assert.equal(hasImage(messagesFor('generic', tool, user([image]))[1]), true)
})

describe('the effort of thinking', () => {
  const effortFor = (name: DialectName, effort: string, thinks?: boolean) =>
    adapt(name, { reasoning_effort: effort }, thinks)['reasoning_effort']

  test('is the nearest one that the dialect knows', () => {
    assert.equal(effortFor('generic', 'xhigh'), 'high')
    assert.equal(effortFor('generic', 'minimal'), 'low')
    assert.equal(effortFor('openai', 'xhigh'), 'xhigh')
    assert.equal(effortFor('mistral', 'low', true), 'high')
  })

  test('is not sent where a model that cannot think would reject it', () => {
    assert.deepEqual(
      [undefined, true, false].map((thinks) => effortFor('ollama', 'low', thinks)),
      [undefined, 'low', undefined],
    )
  })

  test('is turned off in the words of the dialect', () => {
    for (const name of DIALECT_NAMES) {
      const { messages: _, ...fields } = adapt(name, { reasoning_effort: 'off' })
      assert.deepEqual(fields, DIALECTS[name].withoutThinking, name)
      assert.deepEqual(Object.keys(adapt(name, { reasoning_effort: 'off' }, false)), ['messages'])
    }
  })
})

test('recognizes the dialect of an upstream by its host, its name and its port', () => {
  for (const [name, origin, dialect] of [
    ['llm', 'https://api.openai.com', 'openai'],
    ['llm', 'https://mine.openai.azure.com', 'azure'],
    ['a', 'https://mine.services.ai.azure.com', 'azure'],
    ['llm', 'https://openrouter.ai', 'openrouter'],
    ['llm', 'https://api.anthropic.com', 'anthropic'],
    ['llm', 'https://api.mistral.ai', 'mistral'],
    ['vllm', 'https://api.moonshot.cn', 'moonshot'],
    ['llm', 'https://api.deepseek.com', 'deepseek'],
    ['llm', 'https://generativelanguage.googleapis.com', 'gemini'],
    ['llm', 'https://europe-west4-aiplatform.googleapis.com', 'gemini'],
    ['llm', 'http://127.0.0.1:11434', 'ollama'],
    ['vllm', 'http://127.0.0.1:8000', 'vllm'],
    ['sglang', 'http://gpu.internal:8000', 'sglang'],
    ['litellm', 'http://127.0.0.1:4000', 'litellm'],
    ['llm', 'http://127.0.0.1:8000', 'generic'],
    ['openai', 'http://127.0.0.1:8000', 'generic'],
    ['deepseek', 'http://127.0.0.1:8000', 'deepseek'],
    ['llm', 'https://api.openai.com.example.org', 'generic'],
  ] as const)
    assert.equal(recognizeDialect(name, origin), dialect, origin)
})
