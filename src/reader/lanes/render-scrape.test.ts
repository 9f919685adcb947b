import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { systemClock } from '../../lib/clock.ts'
import type { FailureReason, PageFailure } from '../fetch/page-failure.ts'
import type { RenderedPage, RenderRequest } from '../render/render.ts'
import { createRenderScrape } from './render-scrape.ts'
import type { ExtractPage } from './scraped-document.ts'

const PAGE: RenderedPage = {
  kind: 'rendered',
  url: 'https://a.example/x',
  finalUrl: 'https://a.example/y',
  status: 200,
  contentType: 'text/html',
  html: '<p>raw</p>',
  title: 'Its title',
  description: '',
  language: 'en',
  hiddenMark: 'data-hidden-1',
  links: ['https://a.example/z'],
}

describe('render/scrape in-house', () => {
  const call = {
    accountId: 'a',
    signal: new AbortController().signal,
    timeoutMs: 140_000,
    now: systemClock,
  }
  const asked: RenderRequest[] = []
  const raw: Parameters<ExtractPage>[0][] = []
  const scrape = (
    input: Record<string, unknown>,
    page: RenderedPage | PageFailure = PAGE,
    flags: string[] = [],
  ) => {
    const render = async (request: RenderRequest) => (asked.push(request), page)
    const extract: ExtractPage = async (page) => (
      raw.push(page),
      { title: 'The title', content: `as ${page.format}`, verdict: { flags, yield: 0.9 } }
    )
    return createRenderScrape({ render, extract })({ url: 'https://a.example/x', ...input }, call)
  }

  it('returns exactly the requested formats', async () => {
    const metadata = {
      title: 'The title',
      language: 'en',
      sourceURL: PAGE.url,
      url: PAGE.finalUrl,
      statusCode: 200,
      contentType: 'text/html',
      yield: 0.9,
      qualityFlags: [],
    }
    assert.deepEqual(await scrape({}), {
      success: true,
      data: { markdown: 'as markdown', metadata },
    })
    const all = await scrape(
      { formats: ['markdown', 'html', 'rawHtml', 'links', 'screenshot'] },
      { ...PAGE, screenshot: Buffer.from('PNG') },
    )
    const contents = {
      markdown: 'as markdown',
      html: 'as html',
      rawHtml: PAGE.html,
      links: PAGE.links,
      screenshot: 'data:image/png;base64,UE5H',
    }
    assert.deepEqual(all, { success: true, data: { ...contents, metadata } })
    assert.deepEqual(await scrape({ formats: ['links'] }), {
      success: true,
      data: { links: PAGE.links, metadata },
    })
  })

  it('passes wait, screenshot and content choice on, and reserves time for parsing', async () => {
    await scrape({ formats: ['html', 'screenshot'], waitFor: 500, onlyMainContent: false })
    const { waitForMs, includesScreenshot, timeoutMs } =
      asked.at(-1) ?? assert.fail('nothing was rendered')
    assert.deepEqual(
      { waitForMs, includesScreenshot, timeoutMs },
      { waitForMs: 500, includesScreenshot: true, timeoutMs: 128_000 },
    )
    assert.deepEqual(raw.at(-1), {
      html: PAGE.html,
      url: PAGE.finalUrl,
      format: 'html',
      mainContent: false,
      hiddenMark: PAGE.hiddenMark,
    })
  })

  it('passes on the content type of a feed, but not of a page', async () => {
    await scrape(
      {},
      { ...PAGE, contentType: 'application/rss+xml', html: '<rss><title>Sea</title></rss>' },
    )
    await scrape({}, PAGE)
    assert.deepEqual(
      raw.slice(-2).map(({ contentType }) => contentType),
      ['application/rss+xml', undefined],
    )
  })

  it("returns the page's own error status and skips parsing", async () => {
    raw.length = 0
    const reply = await scrape({}, { ...PAGE, status: 404 })
    assert.ok(reply.success)
    assert.deepEqual(
      [reply.data.metadata.statusCode, reply.data.metadata.title, reply.data.markdown, raw.length],
      [404, 'Its title', undefined, 0],
    )
  })

  it('returns a miss for a wall, with any formats', async () => {
    for (const formats of [['markdown'], ['links'], ['screenshot']])
      assert.equal((await scrape({ formats }, PAGE, ['blocked'])).success, false)
    assert.equal((await scrape({}, PAGE, ['thin_content'])).success, true)
  })

  it("returns a page's fault as a miss, but throws for a bad address, a timeout or lost browser", async () => {
    const failed = (reason: FailureReason): PageFailure => ({
      kind: 'failed',
      reason,
      url: PAGE.url,
    })
    assert.deepEqual(await scrape({}, failed('dns')), {
      success: false,
      error: 'The host name of the page cannot be resolved.',
    })
    assert.deepEqual(await scrape({}, { ...failed('http_status'), status: 410 }), {
      success: false,
      error: 'The server answered with status 410.',
    })
    const inward = {
      success: false,
      error: 'The page redirects to an address that is not on the public internet.',
    }
    assert.deepEqual(
      await scrape({}, { ...failed('blocked_address'), finalUrl: 'http://10.0.0.1/' }),
      inward,
    )
    const codes: [FailureReason, string][] = [
      ['blocked_address', 'bad_url'],
      ['bad_url', 'bad_url'],
      ['timeout', 'upstream_timeout'],
      ['unavailable', 'upstream_error'],
    ]
    for (const [reason, code] of codes)
      await assert.rejects(
        scrape({}, failed(reason)),
        (error: unknown) => error instanceof AppError && error.code === code,
      )
  })
})
