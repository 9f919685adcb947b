import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { systemClock } from '../../lib/clock.ts'
import { createGuard } from '../../upstream/guard.ts'
import { extractContent } from '../extract/extract.ts'
import { createBrowser } from './browser.ts'
import { createRenderer } from './render.ts'
import { withoutMarks } from './render-snapshot.ts'

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/tollgate')
const HIDDEN = [
  'display:none',
  'visibility:hidden',
  'opacity:0',
  'font-size:0',
  'height:0;overflow:hidden',
  'position:absolute;left:-9999px',
  'text-indent:-9999px;overflow:hidden',
  'position:absolute;clip:rect(0,0,0,0)',
  'clip-path:inset(50%)',
  'transform:scale(0)',
  'color:transparent',
  'color:#fff',
  'background:#123456;color:#123457',
]
const SHOWN = [
  'color:#000',
  'background:#000;color:#fff',
  'background:linear-gradient(#000,#333);color:#fff',
  'background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent',
  'height:1em;overflow:hidden',
  'opacity:.5',
]
const SHEET = [
  'a{color:inherit}',
  ...[...HIDDEN, ...SHOWN].map((style, at) => `.k${at}{${style}}`),
].join('\n')
const PAGE = `<html><head><title>Marks</title><link rel="stylesheet" href="/a.css"></head><body><main>
  <p>The keeper wrote down the height of the water every morning for thirty years.</p>
  ${HIDDEN.map((_style, at) => `<div class="k${at}">secret ${at} <a href="/secret/${at}">x</a></div>`).join('')}
  ${SHOWN.map((_style, at) => `<p class="k${at + HIDDEN.length}">shown ${at} of all</p>`).join('')}
  <p style="display:none" class="late">shown 6 of all</p><p style="opacity:0;transform:none" class="fade">shown 7 of all</p>
  <div style="font-size:0"><p style="font-size:14px">shown 8 of all</p></div>
  <x-box></x-box><h3><button aria-controls="q">Question?</button></h3><div id="q" class="k0">shown 9 of all, below a question</div>
  <nav><ul class="k0"><li><a href="/menu">Menu</a></li></ul></nav></main>
  <script>
    document.querySelector('.late').style.cssText = 'display:block'
    document.querySelector('.fade').style.opacity = 1
    document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML = '<p style="opacity:0">secret shadow</p><p>shown shadow</p>'
  </script></body></html>`

describe('a page in the browser', () => {
  const server = createServer((request, response) => {
    const isSheet = request.url === '/a.css'
    response
      .writeHead(200, { 'content-type': isSheet ? 'text/css' : 'text/html' })
      .end(isSheet ? SHEET : PAGE)
  })
  const guard = createGuard({ allowPrivateNetworks: ['127.0.0.1/32'] })
  const browser = createBrowser({
    guard,
    userAgent: 'Tollgate-Test/1.0',
    concurrency: 1,
    cacheFolder: CACHE,
    searchPath: process.env['PATH'] ?? '',
    now: systemClock,
  })
  const render = createRenderer({ browser, guard, now: systemClock })
  before(() => new Promise<void>((done) => void server.listen(0, '127.0.0.1', done)))
  after(async () => {
    await browser.close()
    await guard.close()
    server.close()
  })

  it('yields no text and link that its styles hide, and the source without marks', async () => {
    const { port } = server.address() as AddressInfo
    const page = await render({
      url: `http://127.0.0.1:${port}/`,
      accountId: 'a',
      waitForMs: 0,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      includesScreenshot: false,
    })
    assert.ok(page.kind === 'rendered', JSON.stringify(page))
    for (const mainContent of [true, false]) {
      const { content } = extractContent({
        html: page.html,
        url: page.finalUrl,
        format: 'text',
        mainContent,
        hiddenMark: page.hiddenMark,
      })
      assert.deepEqual(content.match(/secret \w+/g), null, content)
      if (!mainContent)
        assert.equal(content.match(/shown (\d+ of all|shadow)/g)?.length, 11, content)
    }
    assert.deepEqual(
      page.links.map((link) => new URL(link).pathname),
      ['/menu'],
    )
    assert.ok(!withoutMarks(page).includes(page.hiddenMark))
  })
})
