import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/harness/property.ts'
import { AppError } from '../errors/app-error.ts'
import { estimatePrompt, promptOf } from './prompt-tokens.ts'
import { readCompletionRequest } from './read-request.ts'

const GOOD = { model: 'a/b', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }, { type: 'image_url', image_url: { url: 'data:,' } }] }], tools: [{ type: 'function', function: { name: 'f' } }] }
const FIELDS = ['model', 'messages', 'tools', 'stream', 'stream_options', 'n', 'max_tokens', 'max_completion_tokens', 'max_cost_cents', 'modalities', 'service_tier', 'response_format', 'plugins', '__proto__', 'unheard_of']

/** Reads the body and guesses its prompt: a refusal that names what is wrong, or figures that can be priced. */
function readOrRefuse(body: unknown): void {
  try {
    const request = readCompletionRequest(body)
    const tokens = estimatePrompt(promptOf(request))
    assert.ok(Number.isSafeInteger(tokens) && tokens > 0)
    assert.ok(request.maxTokens >= 1 && request.maxTokens <= 16_384)
  } catch (error) {
    assert.ok(error instanceof AppError && error.spec.status === 400, String(error))
    assert.doesNotMatch(error.fix, /address of an action/, 'the router is no action and has no descriptor')
  }
}

test('whatever is put into a body, it is read or refused with 400', () => {
  const change = fc.record({ field: fc.constantFrom(...FIELDS), value: fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(null, [], {}, [null], [{}], [{ role: 'user', content: [null, 5, { type: 'image_url' }, { type: 'image_url', image_url: null }, { type: 'file', file: {} }], tool_calls: 7 }], -1, 1e308)) })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4 }), (changes) => readOrRefuse(JSON.parse(JSON.stringify({ ...GOOD, ...Object.fromEntries(changes.map(({ field, value }) => [field, value])) })))),
    { numRuns: 300 },
  )
  fc.assert(fc.property(fc.jsonValue(), readOrRefuse), { numRuns: 100 })
})

test('a body nested beyond reason is refused', () => {
  for (const field of ['messages', 'tools', 'response_format', 'unheard_of']) {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown
    assert.throws(() => readCompletionRequest({ ...GOOD, [field]: field === 'messages' ? [{ role: 'user', content: deep }] : field === 'tools' ? [{ type: 'function', function: deep }] : deep }), { code: 'invalid_params' })
  }
})

test('what the gateway decides itself is not passed on, everything else is', () => {
  const { rest } = readCompletionRequest({ ...GOOD, stream: true, stream_options: { include_usage: false, other: 1 }, max_tokens: 5, max_completion_tokens: 6, max_cost_cents: 7, n: 2, temperature: 0, top_k: 3 })
  assert.deepEqual(rest, { messages: GOOD.messages, tools: GOOD.tools, n: 2, temperature: 0, top_k: 3, stream_options: { include_usage: false, other: 1 } })
})
