import assert from 'node:assert/strict'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { createCatalog } from '../../../../catalog/index.ts'
import { highlight } from './highlight.ts'
import { callSnippets } from './snippets.ts'

const publicUrl = 'https://gate.example'
const textOf = (id: string, input: Readonly<Record<string, unknown>>): string =>
  callSnippets({ publicUrl, service: 'core', action: 'onescrape-deep', input }).find(
    (snippet) => snippet.id === id,
  )?.text ?? assert.fail(id)

const TRICKY = {
  urls: ["https://e.example/it's", 'b'],
  from: 'a "quoted" word',
  main_content: false,
  links: true,
  site: { depth: null, 'x-y': [1, 2] },
  max_cost_cents: 2,
}

test('writes Python with its own names, constants and reserved words', () => {
  const text = textOf('python', TRICKY)
  assert.match(text, /tollgate\.core\.onescrape_deep\(/)
  assert.match(text, /from_="a \\"quoted\\" word"/)
  assert.match(text, /main_content=False,\n {4}links=True,\n/)
  assert.match(text, /site=\{"depth": None, "x-y": \[1, 2\]\}/)
})

test('writes TypeScript with camel case and quoted names', () => {
  const text = textOf('typescript', TRICKY)
  assert.match(text, /tollgate\.core\.onescrapeDeep\(\{/)
  assert.match(text, /urls: \["https:\/\/e\.example\/it's", 'b'\]/)
  assert.match(text, /from: 'a "quoted" word'/)
  assert.match(text, /site: \{ depth: null, 'x-y': \[1, 2\] \}/)
})

test('writes flags of the command line, and JSON where a flag cannot hold the value', () => {
  const lines = textOf('cli', TRICKY).split(' \\\n  ')
  assert.deepEqual(lines.slice(1), [
    String.raw`--urls 'https://e.example/it'\''s' b`,
    `--from 'a "quoted" word'`,
    '--no-main-content',
    '--links',
    `--site '{"depth":null,"x-y":[1,2]}'`,
    '--max-cents 2',
  ])
  assert.match(textOf('cli', { query: '-1' }), /--query=-1$/)
})

test('separates the cost limit from the parameters of a tool call', () => {
  assert.match(
    textOf('mcp', { urls: ['a'], max_cost_cents: 2 }),
    /\{"service":"core","action":"onescrape-deep","params":\{"urls":\["a"\]\},"max_cost_cents":2\}/,
  )
})

test('the TypeScript of every example of the catalog parses', () => {
  for (const { service, name, action } of createCatalog().allActions()) {
    const call = { publicUrl, service: service.id, action: name, input: action.example }
    const found = callSnippets(call).find(({ id }) => id === 'typescript')
    assert.doesNotThrow(
      () => stripTypeScriptTypes(found?.text ?? '('),
      `${service.id}/${name}\n${found?.text}`,
    )
  }
})

test('colors keep the text, escape it, and mark the key', () => {
  for (const { text, language } of callSnippets({
    publicUrl,
    service: 'core',
    action: 'onescrape',
    input: { ...TRICKY, urls: ['<script>&'] },
  })) {
    const { markup } = highlight(text, language)
    assert.doesNotMatch(markup, /<script/)
    assert.match(markup, /<span data-key>(?:\$TOLLGATE_KEY|tg_test_…)<\/span>/)
    const shown = markup
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
    assert.equal(shown, text)
  }
})
