import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { manualClock } from '../../test/harness/manual-clock.ts'
import { tryTimeLimits } from '../../test/harness/try-time-limits.ts'
import { AppError } from '../errors/app-error.ts'
import { systemClock } from '../lib/clock.ts'
import { createPages, type Pages, type PagesSettings } from './create-pages.ts'

const ARTICLE = `<!doctype html><html lang="en"><head><title>Group commits | Ledger notes</title></head><body>
<nav><a href="/">Home</a><a href="/a">Archive</a></nav><main><article><h1>Group commits</h1>
${Array.from({ length: 6 }, (_value, index) => `<p>Paragraph ${index} says that a group commit shares the price of one durable write between many callers, so that a hot account is no queue.</p>`).join('\n')}
<p>Only this sentence speaks of walruses and their whiskers at the shore, which the <a href="/next">Next part</a> of this series describes at length.</p></article></main><footer>Imprint and so on</footer></body></html>`
const WALL =
  '<html><head><title>Just a moment...</title></head><body><h1>Checking your browser before accessing site.example.</h1><p>Enable JavaScript and cookies to continue</p></body></html>'
const SHELL =
  '<html><head><title>Shop</title></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/app.js"></script></body></html>'
const LINES = 'title: Ledgers\n  order: kept\n'
const NOTES =
  '---\nlayout: page\n---\n\n# Tides & <moons> ##\n\nThe **moon** draws the sea, see [the table](table.md).\n\n```sh\n# not a heading\ntide --now\n```\n'
const TYPES: Readonly<Record<string, string>> = {
  '/docs/notes.md': 'text/plain',
  '/llms.txt': 'text/plain',
  '/notes': 'text/markdown',
  '/page.md': 'text/html',
  '/data': 'application/json',
  '/api': 'application/vnd.api+json',
  '/lines': 'application/octet-stream',
  '/markup': 'application/octet-stream',
  '/feed': 'application/rss+xml',
  '/xhtml': 'application/xml',
}
const FEED = `<?xml version="1.0"?><rss><channel><title>Harbour &amp; sea</title>${Array.from({ length: 4 }, (_value, index) => `<item><title>Ship ${index} has come in</title><link>https://sea.example/${index}</link><description>With a cargo of cloth and spices.</description></item>`).join('')}</channel></rss>`
const APP = `<html><head><title>App</title></head><body><div id="root"></div><script>document.getElementById('root').innerHTML = '<main><p>Made by a script for everybody who reads it, and <a href="/next">the next part</a> tells the rest.</p></main>'</script></body></html>`

describe('pages read in-house', () => {
  let base = ''
  let pages: Pages
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const status = path === '/gone' ? 410 : path === '/refuses' ? 403 : 200
    if (path === '/silent') return
    response.writeHead(status, { 'content-type': TYPES[path] ?? 'text/html; charset=utf-8' })
    response.end(
      path === '/wall'
        ? WALL
        : path === '/shell'
          ? SHELL
          : path === '/app'
            ? APP
            : ['/data', '/api', '/data-as-page'].includes(path)
              ? '{"a": "<b>"}'
              : ['/docs/notes.md', '/llms.txt', '/notes'].includes(path)
                ? NOTES
                : path === '/lines'
                  ? LINES
                  : path === '/feed-as-page'
                    ? FEED
                    : path === '/feed'
                      ? FEED
                      : path === '/short'
                        ? '<title>Status</title><p>All systems go'
                        : ARTICLE,
    )
  })
  const settings = (more: Partial<PagesSettings> = {}): PagesSettings => ({
    allowPrivateNetworks: ['127.0.0.0/8'],
    ownPages: [],
    userAgent: 'Tollgate/1.0',
    respectRobots: false,
    browserConcurrency: 1,
    extractionWorkers: 1,
    cacheFolder: '',
    now: manualClock(1_000_000),
    ...more,
  })
  const call = (more: Partial<{ signal: AbortSignal; timeoutMs: number }> = {}) => ({
    accountId: 'a',
    signal: new AbortController().signal,
    timeoutMs: 120_000,
    now: manualClock(1_000_000),
    ...more,
  })

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    pages = createPages(settings())
  })
  after(async () => {
    await pages.close()
    server.closeAllConnections()
    server.close()
  })

  it("returns the main content as markdown in the vendor's reply shape", async () => {
    const reply = await pages.semanticContents({ urls: [`${base}/a`] }, call())
    const [row] = reply.results
    assert.match(reply.requestId, /^req_/)
    assert.deepEqual(reply.statuses, [{ id: `${base}/a`, status: 'success', source: 'live' }])
    assert.deepEqual(
      [row?.id, row?.url, row?.['title'], row?.['format']],
      [`${base}/a`, `${base}/a`, 'Group commits', 'markdown'],
    )
    assert.match(String(row?.['text']), /^Paragraph 0 says/)
    assert.ok(String(row?.['text']).includes(`[Next part](${base}/next)`))
    assert.ok(!String(row?.['text']).includes('Imprint'))
  })

  it('rag/extract: returns pages that were read and those that failed, as markdown or text', async () => {
    const reply = await pages.ragExtract(
      { urls: [`${base}/a`, `${base}/wall`, `${base}/gone`], format: 'markdown' },
      call(),
    )
    assert.deepEqual(
      reply.results.map(({ url }) => url),
      [`${base}/a`],
    )
    assert.match(reply.results[0]?.raw_content ?? '', /\[Next part\]/)
    assert.deepEqual(
      reply.failed_results.map(({ url }) => url),
      [`${base}/wall`, `${base}/gone`],
    )
    const text = await pages.ragExtract({ urls: [`${base}/a`], format: 'text' }, call())
    assert.match(text.results[0]?.raw_content ?? '', /Next part/)
    assert.doesNotMatch(text.results[0]?.raw_content ?? '', /\[Next part\]/)
  })

  it('agentic/extract: returns excerpts for the objective, and the whole page on request', async () => {
    const reply = await pages.agenticExtract(
      { urls: [`${base}/a`, `${base}/refuses`], objective: 'walrus whiskers' },
      call(),
    )
    assert.match(reply.results[0]?.excerpts[0] ?? '', /walruses/)
    assert.deepEqual([reply.results.length, reply.results[0]?.full_content], [1, null])
    assert.deepEqual(
      reply.errors.map(({ url, http_status_code }) => [url, http_status_code]),
      [[`${base}/refuses`, 403]],
    )
    const whole = await pages.agenticExtract({ urls: [`${base}/a`], full_content: true }, call())
    assert.match(whole.results[0]?.full_content ?? '', /Paragraph 5/)
    assert.equal(whole.results[0]?.excerpts.length, 5)
  })

  it('returns text as cleaned HTML, as the whole body, or cut to a length', async () => {
    const text = async (options: unknown) =>
      String(
        (await pages.semanticContents({ urls: [`${base}/a`], text: options }, call())).results[0]?.[
          'text'
        ],
      )
    assert.match(await text({ includeHtmlTags: true }), /<p>Paragraph 0/)
    assert.match(await text({ verbosity: 'full' }), /Archive[\s\S]*Imprint/)
    assert.equal(await text({ maxCharacters: 11 }), 'Paragraph 0')
    assert.match(
      await text(false),
      /^Paragraph 0/,
      'with everything switched off it is the text all the same',
    )
  })

  it('returns sentences that match the query as highlights, and text on request', async () => {
    const reply = await pages.semanticContents(
      { urls: [`${base}/a`], highlights: { query: 'whiskers of a walrus' } },
      call(),
    )
    const row = reply.results[0]
    assert.ok(
      row !== undefined &&
        Array.isArray(row['highlights']) &&
        Array.isArray(row['highlightScores']),
    )
    assert.match(String(row['highlights'][0]), /walruses and their whiskers/)
    assert.equal(row['highlights'].length, row['highlightScores'].length)
    const [short] = (
      await pages.semanticContents(
        { urls: [`${base}/a`], highlights: { query: 'group commits', maxCharacters: 200 } },
        call(),
      )
    ).results
    assert.ok(
      short !== undefined &&
        Array.isArray(short['highlights']) &&
        Array.isArray(short['highlightScores']),
    )
    assert.deepEqual(
      [short['highlights'].join('').length, short['highlights'].length],
      [200, short['highlightScores'].length],
    )
    assert.equal(row['text'], undefined)
  })

  it("limits walls, shells, error pages and private addresses to their own page's error", async () => {
    const urls = ['/wall', '/shell', '/gone', '/refuses'].map((path) => base + path)
    const reply = await pages.semanticContents(
      { urls: [...urls, 'http://10.0.0.1/', `${base}/a`], ids: [`${base}/a`] },
      call(),
    )
    const errors = reply.statuses.map(({ error }) => error && `${error.tag} ${error.reason}`)
    assert.deepEqual(errors, [
      'SOURCE_NOT_AVAILABLE bot_wall',
      'SOURCE_NOT_AVAILABLE needs_javascript',
      'CRAWL_NOT_FOUND http_status',
      'SOURCE_NOT_AVAILABLE http_status',
      'UNSUPPORTED_URL blocked_address',
      undefined,
    ])
    assert.deepEqual(
      reply.results.map(({ id }) => id),
      [`${base}/a`],
    )
  })

  it('limits an unresponsive page to its own time, and stops when the caller aborts', async () => {
    await tryTimeLimits([400, 2_000, 10_000], async (timeoutMs) => {
      const reply = await pages.semanticContents(
        { urls: [`${base}/silent`, `${base}/a`] },
        call({ timeoutMs }),
      )
      assert.deepEqual(
        reply.statuses.map(({ error }) => error?.tag),
        ['CRAWL_TIMEOUT', undefined],
      )
    })
    const gone = await pages.semanticContents(
      { urls: [`${base}/silent`] },
      call({ signal: AbortSignal.abort() }),
    )
    assert.equal(gone.statuses[0]?.error?.reason, 'aborted')
  })

  it('rejects a request for summaries only; omits them from other replies and reports that', async () => {
    await assert.rejects(
      pages.semanticContents({ urls: [`${base}/a`], summary: true }, call()),
      (error: unknown) => error instanceof AppError && error.code === 'upstream_not_configured',
    )
    const {
      results: [row],
      notices,
    } = await pages.semanticContents({ urls: [`${base}/a`], text: true, summary: true }, call())
    assert.deepEqual([typeof row?.['text'], row?.['summary']], ['string', undefined])
    assert.deepEqual(
      notices?.map(({ field, code }) => [field, code]),
      [['summary', 'upstream_not_configured']],
    )
    assert.match(notices?.[0]?.message ?? '', /omitted and not charged/)
    assert.equal(
      (await pages.semanticContents({ urls: [`${base}/a`], text: true, summary: false }, call()))
        .notices,
      undefined,
    )
  })

  it('reads a feed as its entries with titles and links, and XHTML as a page', async () => {
    const reply = await pages.semanticContents(
      { urls: [`${base}/feed`, `${base}/xhtml`], text: true },
      call(),
    )
    const [feed, page] = reply.results
    assert.equal(feed?.['title'], 'Harbour & sea')
    for (const part of ['Ship 3 has come in', '](https://sea.example/3)', 'With a cargo'])
      assert.ok(String(feed?.['text']).includes(part), part)
    assert.ok(!String(feed?.['text']).includes('<link>'))
    assert.match(String(page?.['text']), /^Paragraph 0 says/)
  })

  it('returns the verdict with the text, because only the source distinguishes a shell', async () => {
    const [short] = (
      await pages.semanticContents({ urls: [`${base}/short`, `${base}/shell`] }, call())
    ).results
    assert.deepEqual([short?.['text'], Number(short?.['yield']) > 0], ['All systems go', true])
  })

  it('reads resources of a generic type as page, text, feed or JSON by their content', async () => {
    const reply = await pages.semanticContents(
      {
        urls: ['/markup', '/lines', '/api', '/feed-as-page', '/data-as-page'].map(
          (path) => base + path,
        ),
        text: true,
      },
      call(),
    )
    const [page = '', ...texts] = reply.results.map(({ text }) => String(text))
    assert.match(page, /^Paragraph 0 says/)
    assert.deepEqual(texts.slice(0, 2), [
      '```\ntitle: Ledgers\n  order: kept\n```',
      '```\n{"a": "<b>"}\n```',
    ])
    assert.equal(texts[3], texts[1])
    assert.match(texts[2] ?? '', /\]\(https:\/\/sea\.example\/3\)/)
  })

  it('returns markdown unchanged with its heading as title, and reads a page named .md as a page', async () => {
    for (const path of ['/notes', '/docs/notes.md', '/llms.txt']) {
      const [row] = (await pages.semanticContents({ urls: [base + path] }, call())).results
      assert.deepEqual([row?.['title'], row?.['text']], ['Tides & <moons>', NOTES], path)
    }
    const [text] = (await pages.ragExtract({ urls: [`${base}/notes`], format: 'text' }, call()))
      .results
    assert.match(text?.raw_content ?? '', /^---\nlayout: page\n---\n\n# Tides/)
    const [page] = (await pages.semanticContents({ urls: [`${base}/page.md`] }, call())).results
    assert.match(String(page?.['text']), /^Paragraph 0 says/)
  })

  it('returns JSON and text unchanged', async () => {
    const reply = await pages.semanticContents({ urls: [`${base}/data`], text: true }, call())
    assert.equal(
      reply.statuses[0]?.status === 'success'
        ? reply.results[0]?.['text']
        : reply.statuses[0]?.error?.reason,
      '```\n{"a": "<b>"}\n```',
    )
  })

  it("renders a scripted page and maps a site in the vendor's reply shapes", async () => {
    const cacheFolder = join(import.meta.dirname, '../../../node_modules/.cache/tollgate')
    const withBrowser = createPages(settings({ cacheFolder, now: systemClock }))
    try {
      assert.equal(withBrowser.browserStatus().status, 'not started')
      const scraped = await withBrowser.renderScrape(
        { url: `${base}/app`, formats: ['markdown', 'links'] },
        call(),
      )
      assert.ok(scraped.success, JSON.stringify(scraped))
      assert.equal(
        scraped.data.markdown,
        `Made by a script for everybody who reads it, and [the next part](${base}/next) tells the rest.`,
      )
      assert.deepEqual(
        [scraped.data.links, scraped.data.metadata.statusCode, scraped.data.metadata.title],
        [[`${base}/next`], 200, 'App'],
      )
      assert.equal(withBrowser.browserStatus().status, 'ready')
      const mapped = await withBrowser.renderMap({ url: `${base}/a`, limit: 10 }, call())
      assert.ok(
        mapped.success && mapped.links.some(({ url }) => url === `${base}/next`),
        JSON.stringify(mapped),
      )
    } finally {
      await withBrowser.close()
    }
  })

  it("extracts a vendor's raw page the same way", async () => {
    const raw = { html: ARTICLE, url: 'https://site.example/dir/', mainContent: true }
    const markdown = await pages.extract({ ...raw, format: 'markdown' }, call())
    const text = await pages.extract({ ...raw, format: 'text' }, call())
    assert.deepEqual(
      [markdown.title, markdown.format, markdown.chars],
      ['Group commits', 'markdown', markdown.content.length],
    )
    assert.ok(markdown.content.includes('[Next part](https://site.example/next)'))
    assert.ok(!text.content.includes('https://'))
  })
})
