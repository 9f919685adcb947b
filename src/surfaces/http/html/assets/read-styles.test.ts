import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStyles } from './read-styles.ts'

test('every rule has complete selectors: browsers drop a rule with an empty one', async () => {
  const css = (await readStyles()).replaceAll(/"[^"]*"|'[^']*'/g, '""')
  // The text before each brace, without the declarations before it.
  const preludes = [...css.matchAll(/([^{};]+)\{/g)].map(([, prelude = '']) => prelude.trim())
  const broken = preludes.filter(
    (prelude) =>
      prelude.lastIndexOf('@') > 0 ||
      (!prelude.startsWith('@') && prelude.split(',').some((selector) => selector.trim() === '')),
  )
  assert.ok(preludes.length > 400)
  assert.deepEqual(broken, [])
})
