import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { after, before, describe, it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { tryTimeLimits } from '../../../test/harness/try-time-limits.ts'
import { systemClock } from '../../lib/clock.ts'
import { createGuard } from '../../upstream/guard.ts'
import { createPageGetter } from '../fetch/get.ts'
import { createBrowser } from './browser.ts'
import {
  createRenderer,
  type RenderedPage,
  type RenderLimits,
  type RenderRequest,
} from './render.ts'
import type { PageFailure } from '../fetch/page-failure.ts'

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/tollgate')

describe('render', () => {
  const pages = new Map<string, string | RequestListener>()
  const asked: string[] = []
  const privateAsked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const page = pages.get(new URL(request.url ?? '/', 'http://x').pathname)
    if (typeof page === 'function') return page(request, response)
    response
      .writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(page ?? 'nothing')
  })
  // Only 127.0.0.1 is allowed; 127.0.0.2 is the operator's private network.
  const privateServer = createServer((request, response) => {
    privateAsked.push(request.url ?? '')
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('secret')
  })
  privateServer.on('upgrade', (request, socket) => {
    privateAsked.push(`upgrade ${request.url}`)
    socket.destroy()
  })
  const datagrams = createSocket('udp4').on('message', () => privateAsked.push('datagram'))
  const guard = createGuard({ allowPrivateNetworks: ['127.0.0.1/32'] })
  const browser = createBrowser({
    guard,
    userAgent: 'Tollgate-Test/1.0',
    concurrency: 2,
    cacheFolder: CACHE,
    searchPath: process.env['PATH'] ?? '',
    now: systemClock,
  })
  // Pages that become quiet get all the time that a busy machine needs.
  const limits: Partial<RenderLimits> = {
    loadMs: 60_000,
    quietMs: 60_000,
    thinMs: 200,
    answerMs: 60_000,
    stuckMs: 60_000,
    readMs: 60_000,
  }
  const render = createRenderer({ browser, guard, now: systemClock, limits })
  const renderBriefly = createRenderer({
    browser,
    guard,
    now: systemClock,
    limits: { ...limits, loadMs: 1_000, quietMs: 500 },
  })
  let base = ''
  let privateBase = ''

  const open = (
    path: string,
    options: Partial<RenderRequest> = {},
  ): Promise<RenderedPage | PageFailure> =>
    render({
      url: base + path,
      accountId: 'a',
      waitForMs: 0,
      timeoutMs: 180_000,
      signal: new AbortController().signal,
      includesScreenshot: false,
      ...options,
    })
  const read = async (
    path: string,
    options: Partial<RenderRequest> = {},
  ): Promise<RenderedPage> => {
    const page = await open(path, options)
    assert.equal(page.kind, 'rendered', JSON.stringify(page))
    return page
  }
  const failure = async (
    path: string,
    options: Partial<RenderRequest> = {},
  ): Promise<PageFailure> => {
    const page = await open(path, options)
    assert.equal(page.kind, 'failed')
    return page
  }

  before(async () => {
    await listen(server, '127.0.0.1')
    await listen(privateServer, '127.0.0.2')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const port = (privateServer.address() as AddressInfo).port
    privateBase = `http://127.0.0.2:${port}`
    await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.2', resolve))
  })
  after(async () => {
    await browser.close()
    await guard.close()
    datagrams.close()
    for (const one of [server, privateServer]) {
      one.closeAllConnections()
      one.close()
    }
  })

  it('reads a page built by JavaScript, with its metadata and links', async () => {
    pages.set('/data', (_request, response) =>
      response.end(JSON.stringify({ name: 'Loaded later' })),
    )
    pages.set(
      '/app',
      `<html lang="en"><head><title> The app </title><meta name="description" content="An app."></head><body><main></main><script>
      fetch('/data').then((r) => r.json()).then(({ name }) => { document.querySelector('main').innerHTML = '<h1>' + name + '</h1><a href="/next#part">next</a><a href="#/view">view</a><a href="mailto:x@y.z">mail</a>' })
    </script></body></html>`,
    )
    const page = await read('/app')
    assert.match(page.html, /<h1>Loaded later<\/h1>/)
    assert.deepEqual(
      {
        title: page.title,
        description: page.description,
        language: page.language,
        links: page.links,
        status: page.status,
        type: page.contentType,
        finalUrl: page.finalUrl,
      },
      {
        title: 'The app',
        description: 'An app.',
        language: 'en',
        links: [`${base}/next`, `${base}/app#/view`],
        status: 200,
        type: 'text/html',
        finalUrl: `${base}/app`,
      },
    )
  })

  it('reads text inside shadow roots in place, including slots', async () => {
    pages.set(
      '/shadow',
      `<my-card><b>slotted</b></my-card><script>customElements.define('my-card', class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>before</p><slot></slot><p>after</p>' } })</script>`,
    )
    assert.match(
      (await read('/shadow')).html,
      /<p>before<\/p><slot><b>slotted<\/b><\/slot><p>after<\/p>/,
    )
  })

  it("reads a page that replaced its document's functions", async () => {
    pages.set(
      '/liar',
      `<p>the truth</p><script>
      Object.defineProperty(Element.prototype, 'outerHTML', { get() { return 'a lie' } }); Document.prototype.querySelector = () => { throw 1 }
      JSON.stringify = () => 'a lie'</script>`,
    )
    assert.match((await read('/liar')).html, /the truth/)
  })

  it("follows redirects by script or status, and returns the last page's status", async () => {
    pages.set('/hop', (_request, response) => response.writeHead(302, { location: '/jump' }).end())
    pages.set('/jump', `<script>location.replace('/gone')</script>`)
    pages.set('/gone', (_request, response) =>
      response.writeHead(410, { 'content-type': 'text/html' }).end('<p>gone</p>'),
    )
    const page = await read('/hop')
    assert.deepEqual([page.url, page.finalUrl, page.status], [`${base}/hop`, `${base}/gone`, 410])
    assert.match(page.html, /<p>gone<\/p>/)
  })

  it('reads a page that never becomes quiet or never loads, at the time limit', async () => {
    pages.set('/slow', () => undefined)
    pages.set('/busy', `<p>busy page</p><script>setInterval(() => fetch('/data'), 20)</script>`)
    pages.set(
      '/loading',
      `<p>half a page</p><img src="/x"><link rel="stylesheet" href="/data"><iframe src="/slow"></iframe>`,
    )
    for (const [path, text] of [
      ['/busy', /busy page/],
      ['/loading', /half a page/],
    ] as const) {
      const page = await renderBriefly({
        url: base + path,
        accountId: 'a',
        waitForMs: 0,
        timeoutMs: 180_000,
        signal: new AbortController().signal,
        includesScreenshot: false,
      })
      assert.ok(page.kind === 'rendered')
      assert.match(page.html, text)
    }
  })

  it('rejects a page that its server cut', async () => {
    pages.set('/half', (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' })
        .write(`<p>${'As far as it came. '.repeat(20)}</p>`)
      setTimeout(() => response.destroy(), 50)
    })
    const packed = gzipSync(
      `<p>${Array.from({ length: 3_000 }, (_value, at) => `line ${at * 7919}`).join(' ')}</p>`,
    )
    pages.set('/packed', (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(packed.subarray(0, packed.length * 0.6))
    })
    pages.set('/whole', (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(packed)
    })
    const getter = createPageGetter({
      guard,
      userAgent: 'Tollgate-Test/1.0',
      respectRobots: false,
      now: systemClock,
    })
    const renderChecked = createRenderer({
      browser,
      guard,
      now: systemClock,
      limits,
      isCut: getter.isCut,
    })
    const results = ['/half', '/packed', '/whole'].map(async (path) => {
      const page = await renderChecked({
        url: base + path,
        accountId: 'a',
        waitForMs: 0,
        timeoutMs: 180_000,
        signal: new AbortController().signal,
        includesScreenshot: false,
      })
      return page.kind === 'failed' ? page.reason : page.kind
    })
    assert.deepEqual(await Promise.all(results), ['incomplete', 'incomplete', 'rendered'])
  })

  const words = 'The harbour handled more freight than in any year before. '.repeat(8)

  it('reads a page without waiting for slow third parties, images and frames', async () => {
    const slow = `${privateBase}/never`
    pages.set(
      '/tracked',
      `<p>${words}</p><img src="/endless"><iframe src="/endless"></iframe><script async src="${slow}"></script><script>setInterval(() => fetch('/poll'), 100)</script>`,
    )
    pages.set('/endless', () => undefined)
    const started = Date.now()
    assert.match((await read('/tracked')).html, /more freight/)
    assert.ok(Date.now() - started < 30_000, 'none of them is waited for')
  })

  it('reads parts that load when they are scrolled into view', async () => {
    pages.set(
      '/lazy',
      `<p style="height:4000px">${words}</p><div id="more" style="min-height:20px"></div><script>new IntersectionObserver((seen, watch) => { if (seen.some((one) => one.isIntersecting)) { watch.disconnect(); fetch('/part').then((reply) => reply.text()).then((text) => { document.getElementById('more').textContent = text }) } }).observe(document.getElementById('more'))</script>`,
    )
    pages.set('/part', 'The part below.')
    assert.match((await read('/lazy')).html, /The part below\./)
    // A page that is little longer than its screen.
    pages.set('/lazy-short', String(pages.get('/lazy')).replace('4000px', '110vh'))
    assert.match((await read('/lazy-short')).html, /The part below\./)
  })

  it('reads text in nested shadow roots without waiting for more text', async () => {
    pages.set(
      '/nested',
      `<one-page></one-page><script>customElements.define('one-text', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>${words}</p>' } }); customElements.define('one-page', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<one-text></one-text>' } })</script>`,
    )
    const patient = createRenderer({
      browser,
      guard,
      now: systemClock,
      limits: { ...limits, thinMs: 60_000 },
    })
    const started = Date.now()
    const page = await patient({
      url: `${base}/nested`,
      accountId: 'a',
      waitForMs: 0,
      timeoutMs: 120_000,
      signal: AbortSignal.timeout(120_000),
      includesScreenshot: false,
    })
    assert.match(page.kind === 'rendered' ? page.html : '', /more freight/)
    assert.ok(Date.now() - started < 30_000, 'the page has its text')
  })

  it('accepts a consent banner in front of an empty page, and removes the others', async () => {
    const banner = (id: string, click: string) =>
      `<div ${id} style="position:fixed;bottom:0">We store cookies on your device.<button onclick="${click}">Accept all</button></div>`
    pages.set(
      '/gated',
      `<div id="app"></div>${banner('id="onetrust-consent-sdk"', `document.getElementById('app').textContent = '${words}'`)}<script></script>`,
    )
    pages.set(
      '/covered',
      `<p>${words}</p>${banner('class="our-cookie-bar"', "document.body.textContent = 'clicked'")}${banner('id="CybotCookiebotDialog"', '')}<p class="cookie-recipe">Cookies need butter.</p><script></script>`,
    )
    assert.match((await read('/gated')).html, /more freight/)
    const { html } = await read('/covered')
    assert.match(html, /more freight[^]*Cookies need butter/)
    assert.doesNotMatch(html, /We store cookies|clicked/)
  })

  it('waits for waitFor after the load, up to the deadline', async () => {
    const changing = (afterMs: number) =>
      `<p id="p">early</p><script>setTimeout(() => { document.getElementById('p').textContent = 'late' }, ${afterMs})</script>${'long text '.repeat(30)}`
    pages.set('/late', changing(700))
    pages.set('/never', changing(600_000))
    assert.match((await read('/late', { waitForMs: 900 })).html, /late<\/p>/)
    assert.match((await read('/never')).html, /early/)
    // The deadline ends the caller's longest wait, early enough to read the page.
    await tryTimeLimits([1_600, 5_000, 20_000], (timeoutMs) =>
      read('/never', { waitForMs: 600_000, timeoutMs }),
    )
  })

  it('ends every wait early for a page with an error status', async () => {
    const hasty = createRenderer({
      browser,
      guard,
      now: systemClock,
      limits: { ...limits, errorMs: 0 },
    })
    pages.set('/broken', (_request, response) =>
      response
        .writeHead(500, { 'content-type': 'text/html' })
        .end('<p>broken</p><iframe src="/slow"></iframe>'),
    )
    const page = await hasty({
      url: `${base}/broken`,
      accountId: 'a',
      waitForMs: 600_000,
      timeoutMs: 900_000,
      signal: AbortSignal.timeout(120_000),
      includesScreenshot: false,
    })
    assert.deepEqual([page.kind, page.kind === 'rendered' && page.status], ['rendered', 500])
  })

  it('waits for the page that an error page navigates to', async () => {
    pages.set('/check', (request, response) => {
      const isChecked = request.headers.cookie?.includes('checked') === true
      response.writeHead(isChecked ? 200 : 503, { 'content-type': 'text/html' })
      response.end(
        isChecked
          ? `<p id="p">early</p><script>setTimeout(() => { document.getElementById('p').textContent = 'late' }, 300)</script>`
          : `<script>document.cookie = 'checked=1'; location.reload()</script>`,
      )
    })
    const unhurried = createRenderer({
      browser,
      guard,
      now: systemClock,
      limits: { ...limits, errorMs: 60_000 },
    })
    const page = await unhurried({
      url: `${base}/check`,
      accountId: 'a',
      waitForMs: 1_500,
      timeoutMs: 180_000,
      signal: AbortSignal.timeout(120_000),
      includesScreenshot: false,
    })
    assert.ok(page.kind === 'rendered')
    assert.deepEqual([page.status, /late<\/p>/.test(page.html)], [200, true])
  })

  it('fails a silent server and an endless script by the deadline, and leaves the browser usable', async () => {
    pages.set('/endless', '<p>x</p><script>for (;;) {}</script>')
    const [silent, endless] = await Promise.all([
      failure('/slow', { timeoutMs: 800 }),
      failure('/endless', { timeoutMs: 1_500 }),
    ])
    assert.deepEqual([silent.reason, endless.reason], ['timeout', 'timeout'])
    await read('/app')
  })

  it('closes a page that takes too long to read', async () => {
    const hasty = createRenderer({
      browser,
      guard,
      now: systemClock,
      limits: { ...limits, readMs: 0 },
    })
    const page = await hasty({
      url: `${base}/app`,
      accountId: 'a',
      waitForMs: 0,
      timeoutMs: 180_000,
      signal: new AbortController().signal,
      includesScreenshot: false,
    })
    assert.deepEqual([page.kind, page.kind === 'failed' && page.reason], ['failed', 'timeout'])
  })

  it('closes a page that is too busy to read long before the deadline', async () => {
    pages.set('/busy', `<p>x</p><script>addEventListener('load', () => { for (;;) {} })</script>`)
    // A busy machine may not reach the script within half a second.
    await tryTimeLimits([500, 3_000, 15_000], async (limitMs) => {
      const brief = createRenderer({
        browser,
        guard,
        now: systemClock,
        limits: { ...limits, loadMs: limitMs, quietMs: 100, stuckMs: limitMs },
      })
      // A renderer that waits for the deadline would see the caller abort first.
      const page = await brief({
        url: `${base}/busy`,
        accountId: 'a',
        waitForMs: 0,
        timeoutMs: 600_000,
        signal: AbortSignal.timeout(120_000),
        includesScreenshot: false,
      })
      assert.deepEqual([page.kind, page.kind === 'failed' && page.reason], ['failed', 'timeout'])
    })
    await read('/app')
  })

  it('aborts a small page with an endless script long before any other timeout', async () => {
    const strict = createRenderer({
      browser,
      guard,
      now: systemClock,
      limits: { ...limits, stuckMs: 1_000 },
    })
    const page = await strict({
      url: `${base}/endless`,
      accountId: 'a',
      waitForMs: 0,
      timeoutMs: 600_000,
      signal: AbortSignal.timeout(50_000),
      includesScreenshot: false,
    })
    assert.deepEqual([page.kind, page.kind === 'failed' && page.reason], ['failed', 'timeout'])
    await read('/app')
  })

  it('returns aborted when the caller aborts', async () => {
    const leaving = new AbortController()
    pages.set('/leave', () => leaving.abort())
    assert.equal((await failure('/leave', { signal: leaving.signal })).reason, 'aborted')
  })

  it('is not blocked by alerts, prompts and popups', async () => {
    pages.set(
      '/noisy',
      `<script>alert(1); confirm(2); prompt(3); window.onbeforeunload = () => 'stay'; window.open('/app')</script><p>after the noise</p>`,
    )
    assert.match((await read('/noisy')).html, /after the noise/)
  })

  it('rejects downloads and other files', async () => {
    pages.set('/file', (_request, response) =>
      response
        .writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename=a.bin',
        })
        .end('bytes'),
    )
    pages.set('/picture', (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
    )
    assert.equal((await failure('/file')).reason, 'not_html')
    assert.equal((await failure('/picture')).reason, 'not_html')
  })

  it('rejects a file that the server labels as a page', async () => {
    pages.set('/paper', '%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj')
    pages.set('/photo', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(Buffer.from(`89504e470d0a1a0a0000000d49484452${'1f00a3c8'.repeat(500)}`, 'hex')),
    )
    for (const path of ['/paper', '/photo'])
      assert.equal((await failure(path)).reason, 'not_html', path)
    pages.set('/stray', '<p>A stray \u0001 character</p>')
    assert.match((await read('/stray')).html, /A stray/)
  })

  it('reads XML as its source, not as the browser shows it', async () => {
    const feed = '<rss><channel><item><title>Ships &amp; cargo</title></item></channel></rss>'
    pages.set('/feed', (request, response) =>
      response
        .writeHead(200, { 'content-type': new URL(request.url ?? '', base).search.slice(1) })
        .end(feed),
    )
    for (const type of ['text/xml', 'application/xml'])
      assert.equal((await read(`/feed?${type}`)).html, feed)
    // The browser detects this as text.
    assert.match((await read('/feed?application/rss+xml')).html, /<pre[^<>]*>&lt;rss&gt;/)
  })

  it('rejects an endlessly growing page as too large', async () => {
    pages.set(
      '/large',
      `<body><script>const line = 'x'.repeat(1e6); for (let i = 0; i < 12; i += 1) document.body.append(line)</script>`,
    )
    assert.equal((await failure('/large')).reason, 'too_large')
  })

  it('aborts a document above the size limit while it loads', async () => {
    const packed = gzipSync(
      `<body><p>${'x'.repeat(12e6)}</p><script>document.body.replaceChildren('small')</script>`,
    )
    pages.set('/packed', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(packed),
    )
    pages.set('/frame', `<p>outside</p><iframe src="/packed"></iframe>`)
    assert.equal((await failure('/packed')).reason, 'too_large')
    // The page itself is read without waiting for its frames.
    assert.equal((await failure('/frame', { waitForMs: 30_000 })).reason, 'too_large')
  })

  it('aborts a document of tags that blocks the browser before it is too large, in any encoding', async () => {
    const brief = createRenderer({
      browser,
      guard,
      now: systemClock,
      limits: { ...limits, answerMs: 1_000 },
    })
    const tags = '<p>x</p>'.repeat(6e6)
    const packings = [
      ['gzip', gzipSync(tags)],
      ['br', brotliCompressSync(tags, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
      ['zstd', zstdCompressSync(tags)],
    ] as const
    for (const [encoding, packed] of packings) {
      pages.set('/bomb', (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding })
          .end(packed),
      )
      const page = await brief({
        url: `${base}/bomb`,
        accountId: 'a',
        waitForMs: 0,
        timeoutMs: 180_000,
        signal: new AbortController().signal,
        includesScreenshot: false,
      })
      assert.deepEqual([encoding, page.kind === 'failed' && page.reason], [encoding, 'too_large'])
    }
  })

  it('fails only the page that exhausts memory', async () => {
    pages.set(
      '/hungry',
      `<script>const all = []; for (;;) all.push(new Array(2e7).fill(1.5))</script>`,
    )
    const [hungry] = await Promise.all([failure('/hungry'), read('/app')])
    assert.equal(hungry.reason, 'bad_response')
  })

  it('returns a PNG screenshot, and loads images only for it', async () => {
    pages.set('/drawn', `<img src="/pixel.png"><p>drawn</p>`)
    await read('/drawn')
    assert.ok(!asked.includes('/pixel.png'))
    const { screenshot } = await read('/drawn', { includesScreenshot: true })
    assert.ok(asked.includes('/pixel.png'))
    assert.deepEqual(
      screenshot?.subarray(0, 8),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    )
    assert.deepEqual([screenshot.readUInt32BE(16), screenshot.readUInt32BE(20)], [1280, 800])
  })

  it('rejects a private address as start, redirect or script navigation, over http and https', async () => {
    pages.set('/to', (request, response) =>
      response
        .writeHead(302, {
          location: new URL(request.url ?? '', base).searchParams.get('url') ?? '',
        })
        .end(),
    )
    pages.set(
      '/move',
      `<script>location.replace(new URL(location).searchParams.get('url'))</script>`,
    )
    const target = encodeURIComponent(`${privateBase}/secret`)
    const secure = encodeURIComponent(`https://127.0.0.2:${new URL(privateBase).port}/secret`)
    const starts = [
      `${privateBase}/`,
      'http://169.254.169.254/',
      'http://[::1]/',
      'file:///etc/passwd',
      'chrome://version',
    ].map((url) => failure('', { url }))
    assert.deepEqual(
      (await Promise.all(starts)).map(({ reason }) => reason),
      ['blocked_address', 'blocked_address', 'blocked_address', 'bad_url', 'bad_url'],
    )
    for (const path of [
      `/to?url=${target}`,
      `/to?url=${secure}`,
      `/move?url=${target}`,
      `/move?url=${secure}`,
    ]) {
      assert.equal((await failure(path)).reason, 'blocked_address', path)
    }
    assert.deepEqual(privateAsked, [])
  })

  it('blocks private addresses in images, frames, fetch, workers, sockets and WebRTC', async () => {
    const host = new URL(privateBase).host
    pages.set('/worker.js', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(`fetch('${privateBase}/worker').catch(() => {})`),
    )
    pages.set(
      '/attack',
      `<link rel="preconnect" href="${privateBase}"><link rel="dns-prefetch" href="//${host}"><link rel="stylesheet" href="${privateBase}/style">
      <img src="${privateBase}/image"><iframe src="${privateBase}/frame"></iframe><iframe src="http://localhost:${new URL(privateBase).port}/localhost"></iframe><video src="${privateBase}/video"></video>
      <script>
        fetch('${privateBase}/fetch').catch(() => {}); navigator.sendBeacon('${privateBase}/beacon', 'x'); new WebSocket('ws://${host}/socket'); new EventSource('${privateBase}/events')
        new Worker('/worker.js'); const t = new WebTransport('https://${host}/'); t.ready.catch(() => {}); t.closed.catch(() => {})
        for (const scheme of ['stun', 'turn']) for (const transport of ['udp', 'tcp']) {
          const server = scheme === 'stun' ? { urls: 'stun:${host}' } : { urls: 'turn:${host}?transport=' + transport, username: 'u', credential: 'p' }
          const peer = new RTCPeerConnection({ iceServers: [server] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
        }
      </script><p>${'attack '.repeat(50)}</p>`,
    )
    const connections = await connectionsTo(privateServer, () =>
      read('/attack', { includesScreenshot: true, waitForMs: 1_000 }),
    )
    assert.deepEqual([privateAsked, connections], [[], 0])
  })

  it('blocks private addresses in requests that outlive the page, and in indirect ones', async () => {
    const reports = JSON.stringify({
      group: 'default',
      max_age: 9_000,
      endpoints: [{ url: `${privateBase}/report` }],
    })
    pages.set('/shared.js', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(
          `fetch('${privateBase}/shared').catch(() => {}); importScripts('${privateBase}/script')`,
        ),
    )
    pages.set(
      '/frame',
      `<form id="f" method="post" action="${privateBase}/posted"><input name="a"></form><script>document.getElementById('f').submit()</script>`,
    )
    pages.set('/leave', (_request, response) => {
      const headers = {
        'content-type': 'text/html',
        link: `<${privateBase}/early>; rel=preload; as=script`,
        'alt-svc': `h3="${new URL(privateBase).host}"; ma=9000`,
        'report-to': reports,
        'reporting-endpoints': `default="${privateBase}/reporting"`,
        nel: '{"report_to":"default","max_age":9000,"success_fraction":1}',
        'content-security-policy': `img-src 'none'; report-uri ${privateBase}/policy; report-to default`,
        refresh: `90; url=${privateBase}/refresh`,
      }
      response.writeHead(200, headers)
        .end(`<link rel="modulepreload" href="${privateBase}/module"><link rel="prefetch" href="${privateBase}/prefetch"><link rel="icon" href="${privateBase}/icon"><link rel="manifest" href="${privateBase}/manifest">
        <style>@import "${privateBase}/import"; @font-face { font-family: x; src: url(${privateBase}/font) } p { font-family: x; background: url(${privateBase}/background); cursor: url(${privateBase}/cursor), auto }</style>
        <script type="speculationrules">{"prefetch":[{"source":"list","urls":["${privateBase}/speculated"],"eagerness":"immediate"}],"prerender":[{"source":"list","urls":["${privateBase}/prerendered"],"eagerness":"immediate"}]}</script>
        <object data="${privateBase}/object"></object><embed src="${privateBase}/embed"><audio src="${privateBase}/audio" autoplay></audio><svg><use href="${privateBase}/use#a"/><image href="${privateBase}/svg"/></svg><iframe src="/frame"></iframe>
        <img src="/pixel.png"><a id="ping" href="#x" ping="${privateBase}/ping">x</a><a id="saved" href="${privateBase}/saved" download target="_blank">x</a>
        <script>
          open('${privateBase}/popup'); new SharedWorker('/shared.js')
          navigator.serviceWorker?.register('/shared.js').catch(() => {}); import('${privateBase}/imported').catch(() => {})
          document.getElementById('ping').click(); document.getElementById('saved').click()
          fetch('${privateBase}/later', { method: 'POST', keepalive: true, mode: 'no-cors', body: 'x' }).catch(() => {})
          addEventListener('pagehide', () => navigator.sendBeacon('${privateBase}/goodbye', 'x'))
          const frame = document.createElement('iframe'); frame.srcdoc = '<img src="${privateBase}/inner">'; document.documentElement.append(frame)
          const made = new Worker(URL.createObjectURL(new Blob(["fetch('${privateBase}/blob').catch(() => {}); new WebSocket('${privateBase.replace('http', 'ws')}/worker-socket')"]))); made.onerror = () => {}
        </script><p>${'leaving '.repeat(50)}</p>`)
    })
    const connections = await connectionsTo(privateServer, () =>
      read('/leave', { includesScreenshot: true, waitForMs: 3_000 }),
    )
    assert.deepEqual([privateAsked, connections], [[], 0])
  })

  it('checks robots.txt for the start and the final URL', async () => {
    const rules = (forbidden: string) =>
      createRenderer({
        browser,
        guard,
        now: systemClock,
        limits,
        mayRead: async (url) => url.pathname !== forbidden,
      })
    const request = {
      url: `${base}/hop`,
      accountId: 'a',
      waitForMs: 0,
      timeoutMs: 180_000,
      signal: new AbortController().signal,
      includesScreenshot: false,
    }
    for (const path of ['/hop', '/gone'])
      assert.equal(((await rules(path)(request)) as PageFailure).reason, 'robots')
  })

  it('throws an AppError when the browser cannot start, and reports the reason in the status', async () => {
    const broken = createBrowser({
      guard,
      userAgent: 'x',
      concurrency: 1,
      cacheFolder: join(import.meta.filename, 'no-folder'),
      searchPath: '',
      now: systemClock,
    })
    const reading = createRenderer({ browser: broken, guard, now: systemClock })({
      url: base,
      accountId: 'a',
      waitForMs: 0,
      timeoutMs: 180_000,
      signal: new AbortController().signal,
      includesScreenshot: false,
    })
    await assert.rejects(
      reading,
      (error: unknown) => error instanceof AppError && error.code === 'upstream_not_configured',
    )
    assert.equal(broken.status().status, 'unavailable')
    assert.match(broken.status().detail, /ENOTDIR/)
    await broken.close()
  })
})

function listen(server: Server, host: string): Promise<void> {
  return new Promise((resolve) => server.listen(0, host, resolve))
}

async function connectionsTo(server: Server, during: () => Promise<unknown>): Promise<number> {
  let count = 0
  const seen = () => (count += 1)
  server.on('connection', seen)
  await during()
  server.off('connection', seen)
  return count
}
