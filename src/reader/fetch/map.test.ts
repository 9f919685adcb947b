import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { AppError } from '../../errors/app-error.ts'
import { systemClock } from '../../lib/clock.ts'
import { createGuard } from '../../upstream/guard.ts'
import { createPageGetter } from './get.ts'
import { createRenderMap } from '../lanes/render-map.ts'
import { createSiteMapper, type MapRequest, type SiteMap } from './map.ts'
import { createLinkCollection } from './map-collection.ts'
import type { PageFailure } from './page-failure.ts'

describe('map', () => {
  const files = new Map<string, string | Buffer | RequestListener>()
  let asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const file = files.get(path)
    if (typeof file === 'function') return file(request, response)
    const type = path.endsWith('.xml')
      ? 'application/xml'
      : path.endsWith('.gz')
        ? 'application/gzip'
        : path.endsWith('.txt')
          ? 'text/plain'
          : 'text/html'
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file)
  })
  const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
  let base = ''
  const mapper = (now = systemClock) =>
    createSiteMapper({
      getter: createPageGetter({
        guard,
        userAgent: 'Tollgate-Test/1.0',
        respectRobots: false,
        now,
      }),
      now,
    })
  const map = (
    request: Partial<MapRequest> = {},
    now = systemClock,
  ): Promise<SiteMap | PageFailure> =>
    mapper(now)({
      url: `${base}/`,
      limit: 1_000,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      ...request,
    })
  const paths = async (request: Partial<MapRequest> = {}): Promise<string[]> => {
    const found = await map(request)
    assert.equal(found.kind, 'mapped')
    return found.links.map(({ url }) => url.replace(base, ''))
  }
  const urlset = (...addresses: string[]) =>
    `<urlset>${addresses.map((address) => `<url><loc>${address}</loc></url>`).join('')}</urlset>`
  const numbered = (count: number, prefix = 'p') =>
    Array.from({ length: count }, (_, index) => `${base}/${prefix}${index}`)

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    await guard.close()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    files.clear()
    asked = []
    files.set(
      '/',
      '<title>Home</title><meta name="description" content="Start here"><a href="/about?utm_source=x&id=1#top">About</a>',
    )
  })

  it('lists the views of an application without a request for each', async () => {
    files.set(
      '/',
      '<a href="#/guide">Guide</a><a href="#/guide#top">Top</a><a href="#!api">API</a><a href="#/">Home</a><a href="/about#x">About</a>',
    )
    files.set('/about', 'About')
    assert.deepEqual((await paths()).sort(), ['/', '/#!api', '/#/guide', '/about'])
    assert.equal(asked.filter((path) => path === '/').length, 1)
  })

  it('reads sitemaps listed in robots.txt, nested and compressed, and lists each page once', async () => {
    files.set('/robots.txt', `User-agent: *\nSitemap: ${base}/index.xml\nSitemap: /list.txt`)
    files.set(
      '/index.xml',
      `<sitemapindex><sitemap><loc>${base}/a.xml</loc></sitemap><sitemap><loc>${base}/b.xml.gz</loc></sitemap><sitemap><loc>${base}/index.xml</loc></sitemap></sitemapindex>`,
    )
    files.set(
      '/a.xml',
      urlset(
        ...numbered(12),
        'https://other.example/x',
        `${base}/style.css`,
        `${base}/p3/?gclid=1`,
      ),
    )
    files.set('/b.xml.gz', gzipSync(urlset(`${base}/packed`)))
    files.set('/list.txt', `${base}/listed\n`)
    assert.deepEqual(
      (await paths()).sort(),
      [
        '/',
        '/about?id=1',
        '/listed',
        '/packed',
        ...numbered(12).map((url) => url.replace(base, '')),
      ].sort(),
    )
    assert.equal(asked.filter((path) => path === '/index.xml').length, 1)
    assert.ok(!asked.includes('/p0'), 'pages of a telling sitemap are not read')
  })

  it('tries the usual sitemap paths without robots.txt, and ignores HTML responses', async () => {
    files.set('/sitemap.xml', urlset(...numbered(11)))
    assert.ok((await paths()).includes('/p10'))
    files.set('/sitemap.xml', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<p>no</p><url><loc>${base}/wrong</loc></url>`),
    )
    assert.ok(!(await paths()).includes('/wrong'))
  })

  it('follows links two levels deep on the same host without a sitemap, and drops dead ones', async () => {
    files.set(
      '/',
      '<title>Home</title><a href="/one">1</a><a href="/dead">2</a><a href="https://other.example/">3</a>',
    )
    files.set('/one', '<title>One</title><a href="/two">2</a>')
    files.set('/two', '<title>Two</title><a href="/three">3</a>')
    const found = await map()
    assert.equal(found.kind, 'mapped')
    assert.deepEqual(found.links, [
      { url: `${base}/`, title: 'Home' },
      { url: `${base}/one`, title: 'One' },
      { url: `${base}/two` },
    ])
  })

  it('applies limit and search over URL and title, ignoring case and accents', async () => {
    files.set(
      '/sitemap.xml',
      `<urlset><url><loc>${base}/caf%C3%A9-menu</loc></url><url><loc>${base}/x</loc><news:title>Our Café MENU</news:title></url>${urlset(...numbered(20))}</urlset>`,
    )
    assert.equal((await paths({ limit: 5 })).length, 5)
    assert.deepEqual(await paths({ search: 'cafe Menu' }), ['/caf%C3%A9-menu', '/x'])
    assert.deepEqual(await paths({ search: 'menu', limit: 1 }), ['/caf%C3%A9-menu'])
  })

  it('reads the sitemap when the start page fails, and fails for an unreachable host', async () => {
    files.set('/', (_request, response) => response.writeHead(403).end())
    files.set('/sitemap.xml', urlset(...numbered(11)))
    assert.equal((await paths()).length, 11)
    files.delete('/sitemap.xml')
    const refused = await map()
    assert.deepEqual(
      [refused.kind, refused.kind === 'failed' && refused.reason],
      ['failed', 'http_status'],
    )
    const gone = await map({ url: 'http://127.0.0.1:2/' })
    assert.equal(gone.kind === 'failed' && gone.reason, 'refused')
    const hidden = await map({ url: 'http://10.0.0.1/' })
    assert.equal(hidden.kind === 'failed' && hidden.reason, 'blocked_address')
  })

  it('returns the pages found so far at the timeout', async () => {
    const clock = manualClock(0)
    files.set('/', '<a href="/one">1</a><a href="/never">2</a>')
    files.set('/robots.txt', (_request, response) => {
      clock.advance(60_000)
      response.writeHead(404).end()
    })
    const found = await map({}, clock)
    assert.deepEqual(found.kind === 'mapped' && found.links.map(({ url }) => url), [
      `${base}/`,
      `${base}/one`,
      `${base}/never`,
    ])
    assert.ok(!asked.includes('/one') && !asked.includes('/sitemap.xml'))
  })

  it('returns no partial map after the caller aborts', async () => {
    const leaving = new AbortController()
    files.set('/robots.txt', () => leaving.abort())
    await assert.rejects(map({ signal: leaving.signal }), AppError)
  })

  it("returns the vendor's reply shape, a miss without success, bad_url for a private address", async () => {
    const renderMap = createRenderMap({ mapSite: mapper() })
    const call = {
      accountId: 'a',
      signal: new AbortController().signal,
      timeoutMs: 60_000,
      now: systemClock,
    }
    assert.deepEqual(await renderMap({ url: base, limit: 2 }, call), {
      success: true,
      links: [
        { url: `${base}/`, title: 'Home', description: 'Start here' },
        { url: `${base}/about?id=1` },
      ],
    })
    assert.deepEqual(await renderMap({ url: 'http://127.0.0.1:2/' }, call), {
      success: false,
      error: 'The server of the page refused the connection.',
    })
    await assert.rejects(
      renderMap({ url: 'http://192.168.0.1/' }, call),
      (error: unknown) => error instanceof AppError && error.code === 'bad_url',
    )
  })
})

describe('link collection', () => {
  it('handles a URL with hundreds of tracking parameters as fast as others', () => {
    const trackers = Array.from({ length: 220 }, (_, place) => `utm_${place}`).join('&')
    const cpuMs = cpuMsOf(() => {
      const collection = createLinkCollection(new URL('https://a.example/'), 10)
      for (let count = 0; count < 1_000; count += 1)
        collection.add(`https://a.example/x?${trackers}&page=%20`)
      assert.deepEqual(collection.list(undefined, 10), [{ url: 'https://a.example/x?page=%20' }])
    })
    assert.ok(cpuMs < 500, `${cpuMs} ms`)
  })

  it('ignores scheme, www, fragment, trackers and a trailing slash, but not other parameters', () => {
    const collection = createLinkCollection(new URL('https://www.a.example/'), 10)
    for (const url of [
      'https://a.example/x',
      'http://www.a.example/x/#top',
      'https://a.example/x?utm_source=y&fbclid=z',
      'https://a.example/x?page=2',
      'https://b.example/x',
    ])
      collection.add(url)
    assert.deepEqual(collection.list(undefined, 10), [
      { url: 'https://a.example/x' },
      { url: 'https://a.example/x?page=2' },
    ])
  })
})
