import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { lexer } from 'marked'
import { runWhole } from '../../../lib/background/sliced.ts'
import { services } from '../../../vendors/index.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import { rewriteLinks } from './markdown/rewrite-links.ts'
import { splitSections } from './markdown/split-sections.ts'
import { openDocumentation, type Documentation } from './open-documentation.ts'
import { REFERENCE_PAGES } from './reference-pages.ts'
import { createDocumentationSearch } from './search-documentation.ts'

let documentation: Documentation
/** The ids and the links of every page, by its address. */
let pages: Map<string, { readonly ids: readonly string[]; readonly links: readonly string[] }>

before(async () => {
  documentation = await openDocumentation('https://gate.example')
  pages = new Map(
    documentation.pages.map((page) => {
      const { markup } = runWhole(documentation.render(page)).body
      const all = (pattern: RegExp) => [...markup.matchAll(pattern)].map(([, found = '']) => found)
      assert.equal(all(/<(h1) /g).length, 1, `${page.file}: one title`)
      assert.deepEqual(all(/<(script|style|iframe)/g), [], page.file)
      return [
        `/docs/${page.slug}`,
        { ids: all(/ id="([^"]+)"/g), links: all(/<a [^>]*href="([^"]+)"/g) },
      ]
    }),
  )
})

const renderWhole = (markdown: string) => runWhole(renderMarkdown(markdown))

/** Pages of the gateway outside of the documentation. */
const OTHER_PAGES = [
  '/account',
  '/balance',
  '/balance/spending',
  '/balance/transactions',
  '/catalog',
  '/docs',
  '/keys',
  '/llms.txt',
  '/openapi.json',
  '/sign-in',
  '/sign-up',
  '/status',
  '/webhooks',
]

test('every link and anchor of the documentation leads somewhere', () => {
  const dead: string[] = []
  for (const [address, { links, ids }] of pages) {
    assert.equal(new Set(ids).size, ids.length, `${address}: unique ids`)
    for (const link of links.filter((href) => !/^(?:https?|mailto):/.test(href))) {
      const [path = '', fragment] = link.split('#', 2)
      const target = path === '' ? address : path
      const known = pages.get(target)?.ids
      const isDead =
        known === undefined
          ? !OTHER_PAGES.includes(target)
          : fragment !== undefined && !known.includes(decodeURIComponent(fragment))
      if (isDead) dead.push(`${address} links to ${link}`)
    }
  }
  assert.ok(pages.size > 100)
  assert.deepEqual(dead, [])
})

test('writes every page of the reference from the catalog, and no file has one', () => {
  const root = join(import.meta.dirname, '../../../..')
  for (const name of ['errors', 'events', ...services.map(({ id }) => `actions/${id}`)]) {
    assert.ok(REFERENCE_PAGES.has(`docs/reference/${name}.md`), name)
    assert.ok(!existsSync(join(root, `docs/reference/${name}.md`)), name)
    assert.ok(pages.has(`/docs/reference/${name}`), name)
  }
  for (const [file, { title, write }] of REFERENCE_PAGES)
    assert.ok(runWhole(write()).startsWith(`# ${title}\n\n`), file)
})

test('shows no difference between a page rendered in sections and in one piece', () => {
  const blocks = (markdown: string) =>
    lexer(markdown)
      .filter(({ type }) => type !== 'space')
      .map(({ type, raw }) => [type, raw.trim()])
  for (const page of documentation.pages) {
    const markdown = runWhole(documentation.markdownOf(page))
    assert.deepEqual(splitSections(markdown).flatMap(blocks), blocks(markdown), page.file)
  }
  assert.deepEqual(splitSections('# A\n```md\n## b\n```\n## C\nd\n'), [
    '# A\n```md\n## b\n```\n',
    '## C\nd\n',
  ])
})

test('yields to the event loop while it writes and renders a page', () => {
  for (const { id, actions } of services) {
    const page = documentation.find(`reference/actions/${id}`) ?? assert.fail(id)
    const turns = Array.from(documentation.render(page)).length
    assert.ok(turns > 3 * Object.keys(actions).length, `${id}: ${turns} turns`)
  }
})

test('the Markdown of a page links only to Markdown and to addresses of the gateway', () => {
  for (const page of documentation.pages) {
    const prose = runWhole(documentation.markdownOf(page)).replaceAll(
      /```[\s\S]*?```|`[^`\n]*`/g,
      '',
    )
    for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g))
      assert.match(
        href,
        /^(?:https?:|mailto:|#|\/(?!docs\/)|\/docs\/(?:[\w/-]+\.md|images\/[\w-]+\.png)(?:#|$))/,
        `${page.file}: ${href}`,
      )
  }
})

test('examples for members have the address of this gateway', () => {
  for (const page of documentation.pages.filter(({ audience }) => audience === 'members'))
    assert.doesNotMatch(
      runWhole(documentation.markdownOf(page)),
      /http:\/\/127\.0\.0\.1:4020/,
      page.file,
    )
  const page = documentation.find('getting-started') ?? assert.fail()
  assert.match(
    runWhole(documentation.render(page)).body.markup,
    /https:\/\/gate\.example\/api\/run/,
  )
})

test('no guide for members describes the first start of a gateway', () => {
  for (const slug of ['getting-started', 'calls', 'test-mode', 'tutorial-budget', 'keys']) {
    const page = documentation.find(slug) ?? assert.fail(slug)
    assert.equal(page.audience, 'members')
    assert.doesNotMatch(String(page.source), /printed|first start|npm start/i, slug)
  }
})

test('escapes text and code, and drops HTML and unsafe links', () => {
  const { body } = renderWhole(
    '# A\n\nx &lt;y> <b>z</b> [go](javascript:alert(1)) `<i>`\n\n<script>alert(1)</script>\n\n| a |\n|---|\n| `<u>` &amp; |\n',
  )
  assert.match(body.markup, /x &lt;y&gt; z go <code>&lt;i&gt;<\/code>/)
  assert.match(body.markup, /<code>&lt;u&gt;<\/code> &amp;/)
  assert.doesNotMatch(body.markup, /<script|<b>|javascript:|alert\(1\)<\/script/)
})

test('shows neighboring examples of several languages as tabs, but not a call and its answer', () => {
  const tabs = renderWhole(
    '# A\n\n```sh\ncurl x\n```\n\n```python\ncall()\n```\n\n```json\n{}\n```\n',
  )
  assert.deepEqual(
    [...tabs.body.markup.matchAll(/<label class="code-tab"[^>]*>(\w+)</g)].map(([, tab]) => tab),
    ['curl', 'Python'],
  )
  assert.equal([...tabs.body.markup.matchAll(/class="code-card"/g)].length, 2)
})

test('gives headings the anchors of GitHub, numbered when they repeat', () => {
  const { headings } = renderWhole(
    '# T\n\n## Keys & limits\n\n## `core/onescrape`\n\n## Start\n\n## Start\n',
  )
  assert.deepEqual(
    headings.map(({ id }) => id),
    ['keys--limits', 'coreonescrape', 'start', 'start-1'],
  )
})

test('a link to a file that is not served becomes its words', () => {
  const addressOf = (file: string) => (file === 'docs/keys.md' ? '/docs/keys' : null)
  assert.equal(
    rewriteLinks(
      '[`a`](../src/x.ts) [k](keys.md#b) [w](https://a.example)\n\n```md\n[k](keys.md)\n```',
      {
        from: 'docs/a.md',
        addressOf,
      },
    ),
    '`a` [k](/docs/keys#b) [w](https://a.example)\n\n```md\n[k](keys.md)\n```',
  )
})

test('links in the markup of other pages lead to headings that exist', () => {
  const folder = join(import.meta.dirname, '..')
  const files = globSync(['html/**/*.ts', 'routes/**/*.ts'], { cwd: folder }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const links = files.flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /href="(\/(?:docs|guide)[^"#$]*)#([^"$]+)"/g,
      ),
    ].map(([, path = '', heading = '']) => ({ file, path, heading })),
  )
  assert.ok(links.length > 0)
  for (const { file, path, heading } of links)
    assert.ok(
      pages.get(path === '/guide' ? '/docs/getting-started' : path)?.ids.includes(heading),
      `${file}: ${path}#${heading}`,
    )
})

test('search finds sections by their heading, by words and with a typing error', async () => {
  const { search } = createDocumentationSearch(documentation)
  const first = async (query: string) => (await search(query))[0]?.href
  assert.equal(await first('safe retries'), '/docs/calls#safe-retries')
  assert.equal(
    await first('api_key_limit_exceeded'),
    '/docs/reference/errors#api_key_limit_exceeded',
  )
  assert.match((await first('untrustd content')) ?? '', /untrusted-content/)
  assert.match((await first('cursor mcp')) ?? '', /^\/docs\/mcp/)
  const hits = await search('backup')
  assert.ok(hits.length > 0 && hits.length <= 20)
  for (const { href, excerpt } of hits) {
    const [path = '', fragment] = href.split('#', 2)
    assert.ok(fragment === undefined || pages.get(path)?.ids.includes(fragment), href)
    assert.ok(excerpt.length <= 190, excerpt)
  }
  assert.deepEqual(await search('zzyzxqq'), [])
})

test('search yields to the event loop for every section while it builds its index', async () => {
  let reads = 0
  let turns = 0
  const { search } = createDocumentationSearch(documentation, {
    now: () => (reads += 4),
    next: async () => void (turns += 1),
  })
  const [first] = await search('safe retries')
  assert.ok(turns > 2 * documentation.pages.length, `${turns} turns`)
  assert.equal(first?.href, '/docs/calls#safe-retries')
})
