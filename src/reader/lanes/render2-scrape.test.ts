import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { systemClock } from '../../lib/clock.ts'
import { createPages, type Pages } from '../create-pages.ts'
import { createPageGetter } from '../fetch/get.ts'
import { createGuard } from '../../upstream/guard.ts'
import { createCheapunblockScrape } from './cheapunblock-scrape.ts'
import type { LaneInput } from './lane-call.ts'
import { createRender2Scrape } from './render2-scrape.ts'
import type { ScrapeReply } from './scraped-document.ts'

const ARTICLE = `<!doctype html><title>Crane</title><nav><a href="/menu">Menu</a></nav><main><h1>The crane</h1><p>${'The crane lifts forty tonnes, and its driver sees both the ship and the train. '.repeat(12)}</p><a href="/next">next</a></main>`
const SHELL = `<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>`
const VIEWS = ARTICLE.replace('<nav>', '<script src="/router.js"></script><nav>')
const BY_BROWSER: ScrapeReply = {
  success: true,
  data: {
    markdown: 'by the browser',
    metadata: { title: '', sourceURL: '', url: '', statusCode: 200, contentType: '' },
  },
}

describe('render2/scrape and cheapunblock/scrape in-house', () => {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    response.writeHead(path === '/gone' ? 404 : path === '/busy' ? 503 : 200, {
      'content-type': path === '/file' ? 'application/pdf' : 'text/html',
    })
    response.end(path === '/shell' ? SHELL : path === '/views' ? VIEWS : ARTICLE)
  })
  const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'], ownPages: [] })
  const getter = createPageGetter({
    guard,
    userAgent: 'Tollgate-Test/1.0',
    respectRobots: false,
    now: systemClock,
  })
  const rendered: LaneInput[] = []
  let pages: Pages
  let base: string
  let inBrowser: () => Promise<ScrapeReply>
  const call = {
    accountId: 'a',
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    now: systemClock,
  }

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    pages = createPages({
      allowPrivateNetworks: ['127.0.0.0/8'],
      ownPages: [],
      userAgent: 'Tollgate-Test/1.0',
      respectRobots: false,
      browserConcurrency: 1,
      extractionWorkers: 1,
      cacheFolder: '',
    })
  })
  after(async () => {
    await pages.close()
    await guard.close()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    rendered.length = 0
    inBrowser = async () => BY_BROWSER
  })

  const scrape = (path: string, input: LaneInput = {}) =>
    createRender2Scrape({
      getter,
      inlineFrames: async ({ html }) => html,
      extract: pages.extract,
      inBrowser: (asked) => (rendered.push(asked), inBrowser()),
    })({ url: `${base}${path}`, ...input }, call)

  it('reads a page without scripts, in every format, with its links', async () => {
    const formats = ['markdown', 'html', 'rawHtml', 'plainText', 'links']
    const reply = await scrape('/article', { formats })
    assert.ok(reply.success)
    const { markdown, html, rawHtml, plainText, links, metadata } = reply.data
    assert.match(markdown ?? '', /The crane lifts forty tonnes/)
    assert.match(html ?? '', /<p>The crane lifts/)
    assert.equal(rawHtml, ARTICLE)
    assert.match(plainText ?? '', /^(?!.*<p>)[^]*The crane lifts/)
    assert.deepEqual(links, [`${base}/menu`, `${base}/next`])
    assert.deepEqual([metadata.title, metadata.statusCode], ['The crane', 200])
    assert.deepEqual(rendered, [])
  })

  it('uses the browser for a shell, a refusal, a wait, a screenshot or by request', async () => {
    for (const [path, input] of [
      ['/shell', {}],
      ['/busy', {}],
      ['/views#/guide', {}],
      ['/views#!guide', {}],
      ['/article', { waitFor: 10 }],
      ['/article', { formats: ['screenshot'] }],
      ['/article', { renderJs: true }],
    ] as const) {
      assert.deepEqual(await scrape(path, input), BY_BROWSER, path)
    }
    assert.equal(rendered.length, 7)
  })

  it('does not use it for a position on a page, or where no script shows views', async () => {
    for (const path of ['/views#top', '/views#/', '/article#/guide'])
      assert.equal((await scrape(path)).success, true, path)
    assert.deepEqual(rendered, [])
    const rows = await pages.semanticContents({ urls: [`${base}/views#/guide`], text: true }, call)
    assert.equal(rows.statuses[0]?.error?.reason, 'needs_javascript')
  })

  it('never uses it if scripts are turned off, or for a file', async () => {
    const shell = await scrape('/shell', { renderJs: false })
    assert.equal(shell.success, true)
    assert.deepEqual(await scrape('/file'), {
      success: false,
      error: 'The URL leads to a file, not to a page.',
    })
    assert.deepEqual(rendered, [])
  })

  it('returns the page as it arrived where no browser runs', async () => {
    inBrowser = () => Promise.reject(new AppError('upstream_not_configured'))
    assert.equal((await scrape('/shell')).success, true)
    assert.deepEqual(await scrape('/busy'), {
      success: false,
      error: 'The server answered with status 503.',
    })
  })

  it('returns the bare page for cheapunblock, and fails for a page that was not read', async () => {
    const unblock = createCheapunblockScrape((input, asked) =>
      createRender2Scrape({
        getter,
        inlineFrames: async ({ html }) => html,
        extract: pages.extract,
        inBrowser,
      })(input, asked),
    )
    assert.equal(await unblock({ url: `${base}/article`, format: 'html' }, call), ARTICLE)
    assert.match(await unblock({ url: `${base}/article`, format: 'markdown' }, call), /# The crane/)
    assert.equal(
      await unblock({ url: `${base}/shell`, format: 'markdown', render: true }, call),
      'by the browser',
    )
    await assert.rejects(unblock({ url: `${base}/file`, format: 'markdown' }, call), {
      code: 'no_results',
    })
  })

  it('lists the pages of a site for render2/map', async () => {
    const reply = await pages.render2Map({ url: `${base}/article` }, call)
    assert.ok(reply.success)
    assert.ok(reply.data.links.includes(`${base}/next`))
  })
})
