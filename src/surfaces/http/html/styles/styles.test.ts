import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

const COMMENTS = /\/\*[\s\S]*?\*\//g
/** A comma before a block, an at-rule or the end. Browsers drop the whole next rule. */
const UNFINISHED_SELECTOR = /,\s*(?:@|\{|\}|$(?![\s\S]))/

test('no style sheet has an unfinished selector, an empty rule or an open block', async () => {
  const names = await Array.fromAsync(glob('*/*.css', { cwd: import.meta.dirname }))
  assert.ok(names.length > 20)
  for (const name of names) {
    const css = (await readFile(new URL(name, import.meta.url), 'utf8')).replaceAll(COMMENTS, '')
    assert.doesNotMatch(css, UNFINISHED_SELECTOR, name)
    assert.doesNotMatch(css, /\{\s*\}/, name)
    assert.equal(css.split('{').length, css.split('}').length, name)
  }
})
