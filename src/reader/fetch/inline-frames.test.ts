import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { systemClock } from '../../lib/clock.ts'
import { createPages, type Pages } from '../create-pages.ts'
import { contentFrames } from './inline-frames.ts'

const STORY =
  'The crane lifts forty tonnes, and its driver sees both the ship and the train from the cabin. '
const framed = (...frames: string[]) =>
  `<!doctype html><title>Harbour</title><nav><a href="/">Home</a></nav>${frames.join('')}`
const PAGES: Record<string, string> = {
  '/story': `<!doctype html><title>Inner</title><h2>The crane</h2><p>${STORY.repeat(8)}</p><a href="next">The next story about the crane</a>`,
  '/dir/story': `<!doctype html><p>${STORY.repeat(8)} <a href="next">Read the next one</a></p>`,
  '/short': '<p>Play</p>',
  '/framed': framed('<iframe src="/story" width="100%" height="900"></iframe>'),
  '/framed-deep': framed('<iframe src="/dir/story"></iframe>'),
  '/long': `<!doctype html><title>Long</title><main><p>${STORY.repeat(40)}</p></main><iframe src="/story"></iframe>`,
  '/many': framed(...Array.from({ length: 9 }, (_, at) => `<iframe src="/story?${at}"></iframe>`)),
  '/players': framed(
    '<iframe src="/short"></iframe>',
    '<iframe src="/story" width="1" height="1"></iframe>',
    '<iframe src="/story" style="display:none"></iframe>',
    '<iframe src="/story" id="ad-banner"></iframe>',
  ),
  '/own': framed('<iframe src="/gateway"></iframe>'),
  '/gateway': `<p>${STORY.repeat(8)}</p>`,
  '/hung': framed('<iframe src="/never"></iframe>'),
  '/huge': framed('<iframe src="/large"></iframe>'),
  '/large': `<p>${STORY.repeat(40_000)}</p>`,
  '/nested': framed('<iframe src="/framed"></iframe>'),
  '/inward': framed('<iframe src="http://10.0.0.1/story"></iframe>'),
}

describe('content in frames', () => {
  const requested: string[] = []
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    requested.push(url)
    const page = PAGES[url.split('?')[0] ?? '']
    if (url === '/never') return
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page)
  })
  let pages: Pages
  let base: string

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    pages = createPages({
      allowPrivateNetworks: ['127.0.0.0/8'],
      ownPages: [`${base}/gateway`],
      userAgent: 'Tollgate-Test/1.0',
      respectRobots: false,
      browserConcurrency: 1,
      extractionWorkers: 1,
      cacheFolder: '',
    })
  })
  after(async () => {
    await pages.close()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => void requested.splice(0))

  const call = () => ({
    accountId: 'a',
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    now: systemClock,
  })
  const read = async (path: string): Promise<string> => {
    const { results } = await pages.ragExtract({ urls: [`${base}${path}`] }, call())
    return results[0]?.raw_content ?? ''
  }

  it('is read with the page, with links relative to the frame', async () => {
    const content = await read('/framed')
    assert.match(content, /The crane[^]*forty tonnes/)
    assert.match(await read('/framed-deep'), new RegExp(`${base}/dir/next`))
  })

  it('is read by every lane that works without scripts, and the raw source is unchanged', async () => {
    const url = `${base}/framed`
    const scraped = await pages.render2Scrape(
      { url, formats: ['markdown', 'rawHtml'], renderJs: false },
      call(),
    )
    assert.ok(scraped.success)
    assert.match(scraped.data.markdown ?? '', /forty tonnes/)
    assert.equal(scraped.data.rawHtml, PAGES['/framed'])
    const contents = await pages.semanticContents({ urls: [url], text: true }, call())
    assert.match(String(contents.results[0]?.['text']), /forty tonnes/)
  })

  it('is not fetched for a page with text of its own, nor from hidden and small frames', async () => {
    assert.match(await read('/long'), /forty tonnes/)
    await read('/players')
    assert.deepEqual(requested, ['/long', '/players', '/short'])
  })

  it('is bounded: three frames, one level, 2 MiB, no page of the gateway, no private address', async () => {
    await read('/many')
    assert.equal(requested.filter((path) => path.startsWith('/story')).length, 3)
    requested.length = 0
    await read('/nested')
    assert.deepEqual(requested, ['/nested', '/framed'])
    for (const path of ['/own', '/huge', '/inward'])
      assert.doesNotMatch(await read(path), /forty tonnes/, path)
    assert.ok(!requested.includes('/gateway'))
  })

  it('is given up without failing the page if the frame does not respond', async () => {
    const scraped = await pages.render2Scrape(
      { url: `${base}/hung`, formats: ['links'], renderJs: false },
      { ...call(), timeoutMs: 2_000 },
    )
    assert.ok(scraped.success)
    assert.deepEqual(scraped.data.links, [`${base}/`])
  })

  it('is never sought in players, and takes linear time for any markup', () => {
    const page = (html: string) => ({ html, finalUrl: 'https://a.example/', contentType: '' })
    const players = [
      'https://www.youtube.com/embed/x',
      'https://challenges.cloudflare.com/x',
      'javascript:void(0)',
      'about:blank',
      'https://a.example/',
    ].map((source) => `<iframe src="${source}"></iframe>`)
    assert.deepEqual(contentFrames(page(players.join(''))), [])
    for (const part of ['<iframe ', '<!--', '<iframe src="', '<iframe src="/a">'])
      assert.ok(
        cpuMsOf(() => void contentFrames(page(part.repeat(1_000_000 / part.length)))) < 1_500,
        part,
      )
  })
})
