/** A misspelled model is answered with the nearest names on every API, in its message and uncharged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRouterBed } from '../harness/beds/router.ts'

const bed = await openRouterBed()
const messages = [{ role: 'user', content: 'x' }]
const APIS: readonly (readonly [path: string, body: object])[] = [
  ['chat/completions', { messages }],
  ['completions', { prompt: 'x' }],
  ['messages', { messages, max_tokens: 5 }],
  ['responses', { input: 'x' }],
]

async function post(path: string, body: object) {
  const answer = await fetch(`${bed.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bed.testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { error } = (await answer.json()) as { error?: { message: string } }
  return {
    status: answer.status,
    charged: answer.headers.get('x-charged-micros'),
    message: error?.message ?? '',
  }
}

for (const [path, body] of APIS)
  test(`${path} names the nearest models of a misspelled one`, async () => {
    for (const stream of [false, true])
      for (const [model, near] of [
        ['core/chep', 'core/cheap'],
        ['openai/gpt-6-lunar', 'openai/gpt-6-luna'],
        ['gpt-6-lunar', 'openai/gpt-6-luna'],
        ['anthropic/claude-haiku-5.6', 'anthropic/claude-haiku-5.5'],
      ] as const) {
        const { status, charged, message } = await post(path, { ...body, model, stream })
        assert.deepEqual([status, charged], [404, '0'], model)
        assert.ok(message.includes(`Did you mean "${near}"`), message)
      }
    const { status, message } = await post(path, { ...body, model: 'zzyzx' })
    assert.equal(status, 404)
    assert.doesNotMatch(message, /Did you mean/)
  })
