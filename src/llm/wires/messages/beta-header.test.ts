import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Candidate } from '../../lists/model.ts'
import { readMessagesRequest } from './read-messages-request.ts'

const RATES = { prompt: 1n, completion: 1n, overrides: [] }
const candidateOf = (fields: object): Candidate =>
  ({
    id: 'm',
    rates: RATES,
    model: { contextLength: null },
    isPricedByUpstream: false,
    ...fields,
  }) as unknown as Candidate

function sentFor(beta: string | undefined, candidate = candidateOf({})): string | undefined {
  const { own } = readMessagesRequest(
    { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] },
    beta === undefined ? {} : { 'anthropic-beta': beta },
    new Set(),
  )
  return own?.headersFor(candidate)['anthropic-beta']
}

test('passes the betas of Claude Code in order, and drops those with another price', () => {
  assert.equal(
    sentFor(
      'claude-code-20250219,oauth-2025-04-20, interleaved-thinking-2025-05-14,fast-mode-2026-02-01,,x, fine-grained-tool-streaming-2025-05-14',
    ),
    'claude-code-20250219,interleaved-thinking-2025-05-14,fine-grained-tool-streaming-2025-05-14',
  )
  assert.equal(sentFor('fast-mode-2026-02-01'), undefined)
  assert.equal(sentFor(undefined), undefined)
})

test('passes a longer window only to a model whose rates cover it', () => {
  const beta = 'context-1m-2025-08-07'
  const long = (minPromptTokens: number): Candidate =>
    candidateOf({
      rates: { ...RATES, overrides: [{ minPromptTokens, hours: null, rates: RATES }] },
    })
  const listed = (contextLength: number, isPricedByUpstream: boolean): Candidate =>
    candidateOf({ model: { contextLength }, isPricedByUpstream })
  assert.equal(sentFor(beta, long(200_001)), beta)
  assert.equal(sentFor(beta, listed(1_000_000, true)), beta)
  for (const candidate of [
    candidateOf({}),
    long(0),
    long(500_000),
    listed(200_000, true),
    listed(1_000_000, false),
  ])
    assert.equal(sentFor(beta, candidate), undefined)
})

test('drops every beta of the official client that starts work or selects another price', () => {
  const source = readFileSync(
    new URL('../../../../node_modules/@anthropic-ai/sdk/resources/beta/beta.d.ts', import.meta.url),
    'utf8',
  )
  const [, union = ''] = /^export type AnthropicBeta = (.*);$/m.exec(source) ?? []
  const betas = [...union.matchAll(/'([^']+)'/g)].map(([, beta = '']) => beta)
  assert.ok(betas.length > 40)
  for (const word of [
    'mcp',
    'code-execution',
    'advisor',
    'fast-mode',
    'fallback',
    'compact-',
    'files-api',
    'skills',
    'managed-agents',
    'message-batches',
    'message-threads',
    'user-profiles',
    'webhooks',
    'context-1m',
  ]) {
    const some = betas.filter((beta) => beta.includes(word))
    assert.ok(some.length > 0, word)
    assert.equal(sentFor(some.join()), undefined, word)
  }
})
