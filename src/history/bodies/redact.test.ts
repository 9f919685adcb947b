import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact } from './redact.ts'

test('hides values of fields that name secrets, at any depth, and leaves others', () => {
  const body = {
    query: 'weather',
    Authorization: 'Bearer abc',
    headers: { 'X-Api-Key': 'k', accept: 'text/html' },
    login: [
      { apiKey: 'k', accessToken: { a: 1 }, client_secret: 's', password: '', max_tokens: 5 },
    ],
    token: null,
  }
  assert.deepEqual(JSON.parse(redact(JSON.stringify(body))), {
    query: 'weather',
    Authorization: '(not stored)',
    headers: { 'X-Api-Key': '(not stored)', accept: 'text/html' },
    login: [
      {
        apiKey: '(not stored)',
        accessToken: '(not stored)',
        client_secret: '(not stored)',
        password: '(not stored)',
        max_tokens: 5,
      },
    ],
    token: null,
  })
})

test('hides keys and bearer tokens within texts, also in text that is not JSON', () => {
  for (const secret of [
    'tg_live_abcdef0123456789',
    'Bearer abcdefgh12345678',
    `sk-${'a'.repeat(20)}`,
  ]) {
    assert.equal(redact(`data: ${secret} end`), 'data: (not stored) end')
    assert.equal(redact(JSON.stringify({ a: `x ${secret}` })), '{"a":"x (not stored)"}')
  }
})
