import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { fc } from '../../../test/harness/property.ts'
import { editDistance } from '../../lib/edit-distance.ts'
import { createCatalog } from '../index.ts'
import { suggest } from './suggest.ts'

test('suggests names within a third of their length, up to eight edits', () => {
  const known = 'abcdefghijklmnopqrstuvwxyz0123456789'
  const slipped = (letters: number): string =>
    `${'_'.repeat(3)}${known.slice(0, -letters)}${'x'.repeat(letters)}`
  assert.deepEqual([suggest(slipped(8), [known]), suggest(slipped(9), [known])], [[known], []])
  assert.deepEqual(
    [suggest('serch', ['search', 'extract']), suggest('abcdef', ['uvwxyz'])],
    [['search'], []],
  )
})

test('suggests the same names as measuring every candidate', () => {
  const measured = (word: string, names: readonly string[], limit: number): string[] => {
    const allowed = (name: string): number =>
      Math.min(8, Math.max(1, Math.floor(Math.max(word.length, name.length) / 3)))
    const near = names
      .map((name) => ({ name, distance: editDistance(word, name) }))
      .filter(({ name, distance }) => distance <= allowed(name))
    return near
      .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
      .slice(0, limit)
      .map(({ name }) => name)
  }
  // Equal lengths, so that no name contains another.
  const name = fc.string({ minLength: 9, maxLength: 9, unit: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(
      name,
      fc.uniqueArray(name, { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      (word, names, limit) =>
        assert.deepEqual(suggest(word, names, limit), measured(word, names, limit)),
    ),
  )
})

test('measures less than half of a thousand similar names', () => {
  const { action } = createCatalog().findAction('socialread', 'fetch')
  assert.ok(action.kind === 'endpoint')
  const names = action.endpoints.map(({ endpoint }) => endpoint)
  assert.ok(names.length > 700)
  const word = '/api/v1/threads/web/fetch_user_postsx'
  const measureAll = (): unknown => names.map((name) => editDistance(word, name))
  for (let turn = 0; turn < 20; turn += 1) suggest(word, names)
  const [suggesting, measuring] = [() => suggest(word, names), measureAll].map((work) =>
    cpuMsOf(() => {
      for (let turn = 0; turn < 20; turn += 1) work()
    }),
  ) as [number, number]
  assert.ok(suggesting < measuring / 2, `${suggesting} ms and ${measuring} ms`)
})
