import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createDomainMemory } from './domain-memory.ts'

const RENDERERS = ['render2', 'render'] as const

it('preserves the given order for an unknown host', () => {
  assert.deepEqual(createDomainMemory().rank('a.example', RENDERERS), ['render2', 'render'])
})

it('ranks a reader that met a wall after an untried one', () => {
  const memory = createDomainMemory()
  memory.record('a.example', 'render2', 0)
  assert.deepEqual(memory.rank('a.example', RENDERERS), ['render', 'render2'])
  assert.deepEqual(memory.rank('b.example', RENDERERS), ['render2', 'render'])
})

it('adapts within a few pages when a host changes its defences', () => {
  const memory = createDomainMemory()
  for (let page = 0; page < 50; page += 1) memory.record('a.example', 'render2', 1)
  memory.record('a.example', 'render', 0.8)
  let pages = 0
  for (; memory.rank('a.example', RENDERERS)[0] === 'render2'; pages += 1)
    memory.record('a.example', 'render2', 0)
  assert.ok(pages <= 3, `${pages} pages`)
})
