import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAlias, findOwnName } from './aliases.ts'

const LISTED = [
  'anthropic/claude-haiku-5.5',
  'openai/gpt-6-luna',
  'openai/gpt-6-luna-20260901',
  'a/twin',
  'b/twin',
  'Local-Model.1',
]

test('finds the listed model with a maker’s own name', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['claude-haiku-5-5', 'anthropic/claude-haiku-5.5'],
    ['claude-haiku-5.5', 'anthropic/claude-haiku-5.5'],
    ['claude-haiku-5-5-20261001', 'anthropic/claude-haiku-5.5'],
    ['claude-haiku-5-5[1m]', 'anthropic/claude-haiku-5.5'],
    ['gpt-6-luna', 'openai/gpt-6-luna'],
    ['gpt-6-luna-20260901', 'openai/gpt-6-luna-20260901'],
    ['gpt-6-luna-2026-09-01', 'openai/gpt-6-luna'],
    ['twin', null],
    ['claude-haiku', null],
    ['openai/claude-haiku-5.5', null],
    ['openai/claude-haiku-5-5-20261001', null],
    ['anthropic/claude-haiku-5-5-20261001', 'anthropic/claude-haiku-5.5'],
    ['anthropic/claude-haiku-5.5@20261001', 'anthropic/claude-haiku-5.5'],
    ['anthropic/claude-haiku-5-5-latest', 'anthropic/claude-haiku-5.5'],
    ['Anthropic/Claude-Haiku-5-5', 'anthropic/claude-haiku-5.5'],
    ['claude-haiku-5-5@20261001', 'anthropic/claude-haiku-5.5'],
    ['claude-haiku-5-5@2026-10-01', 'anthropic/claude-haiku-5.5'],
    ['claude-haiku-5-5@latest', 'anthropic/claude-haiku-5.5'],
    ['claude-haiku-5-5-20261001[1m]', 'anthropic/claude-haiku-5.5'],
    ['claude-haiku-5-5@default', 'anthropic/claude-haiku-5.5'],
    ['openai/gpt-6-luna-20260901[1M]', 'openai/gpt-6-luna-20260901'],
    ['local-model-1@20261001', 'Local-Model.1'],
    ['b/twin@20261001', 'b/twin'],
    ['anthropic/@20261001', null],
  ]
  for (const [name, found] of cases) assert.equal(findOwnName(name, LISTED), found, name)
})

test('prefers the longest pattern of the operator', () => {
  const aliases = new Map([
    ['claude-*', 'core/mid'],
    ['claude-haiku-*', 'core/cheap'],
    ['claude-haiku-9', 'core/best'],
  ])
  assert.equal(findAlias('claude-haiku-9', aliases), 'core/best')
  assert.equal(findAlias('claude-haiku-8', aliases), 'core/cheap')
  assert.equal(findAlias('claude-opus-8', aliases), 'core/mid')
  assert.equal(findAlias('gpt-9', aliases), null)
})
