import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggest } from './suggest.ts'

test('names are suggested for a third of their letters, and for eight of them at most however long they are', () => {
  const known = 'abcdefghijklmnopqrstuvwxyz0123456789'
  const slipped = (letters: number): string => `${'_'.repeat(3)}${known.slice(0, -letters)}${'x'.repeat(letters)}`
  assert.deepEqual([suggest(slipped(8), [known]), suggest(slipped(9), [known])], [[known], []])
  assert.deepEqual([suggest('serch', ['search', 'extract']), suggest('abcdef', ['uvwxyz'])], [['search'], []])
})
