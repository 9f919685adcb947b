import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { startForwardProxy } from '../../../test/harness/vendors/forward-proxy.ts'
import { readEgressProxies } from '../../app/settings/egress-proxies.ts'
import { systemClock } from '../../lib/clock.ts'
import { createPages, type Pages } from '../create-pages.ts'

const TEXT = 'A group commit shares the price of one durable write between many callers. '
const PAGE = `<!doctype html><html><head><title>Ledgers</title></head><body><main><h1>Ledgers</h1><p>${TEXT.repeat(12)}</p></main></body></html>`

const site = createServer((request, response) =>
  response
    .writeHead(request.url === '/gone' ? 404 : 200, { 'content-type': 'text/html' })
    .end(PAGE),
)
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
cleanUp(() => {
  site.closeAllConnections()
  site.close()
})
const siteHost = `127.0.0.1:${(site.address() as AddressInfo).port}`
const [german, home] = [await startForwardProxy(), await startForwardProxy()]

function openPages(allowPrivateNetworks: readonly string[], proxies: string): Pages {
  const pages = createPages({
    allowPrivateNetworks,
    ownPages: [],
    userAgent: 'Tollgate-Test/1.0',
    respectRobots: false,
    browserConcurrency: 1,
    extractionWorkers: 1,
    cacheFolder: tmpdir(),
    proxies: readEgressProxies(proxies),
  })
  cleanUp(() => pages.close())
  return pages
}

const { proxied } = openPages(
  ['127.0.0.0/8'],
  `de=http://op:pa%3Ass@${german.authority},us-residential=http://${home.authority}`,
)
const call = {
  accountId: 'a',
  signal: new AbortController().signal,
  timeoutMs: 20_000,
  now: systemClock,
}
const simple = { url: `http://${siteHost}/`, browser: false }

describe('pages read through the operator’s proxies', () => {
  it('uses the proxy of the country and kind, with its password', async () => {
    assert.equal(await proxied.proxyScrape({ ...simple, proxy_country: 'DE' }, call), PAGE)
    assert.deepEqual(german.tunnels.at(-1), {
      target: siteHost,
      authorization: `Basic ${Buffer.from('op:pa:ss').toString('base64')}`,
    })
    const before = german.tunnels.length
    assert.equal(await proxied.proxyScrapeResidential(simple, call), PAGE)
    assert.deepEqual([home.tunnels.length, german.tunnels.length], [1, before])
    const { markdown } = await proxied.proxyMarkdown(simple, call)
    assert.match(markdown, /^# Ledgers/m)
    const atGerman = german.tunnels.length
    const { results } = await proxied.geoegressScrape(
      { url: simple.url, geo_location: 'United States' },
      call,
    )
    assert.deepEqual(results, [{ content: PAGE, status_code: 200, url: simple.url }])
    assert.equal(german.tunnels.length, atGerman)
  })

  it('rejects a country without a proxy, with the parameter and the countries of its kind', async () => {
    await assert.rejects(proxied.proxyScrape({ ...simple, proxy_country: 'us' }, call), {
      code: 'invalid_params',
      param: 'proxy_country',
      fix: 'Use one of de, or remove "proxy_country".',
    })
    await assert.rejects(proxied.geoegressScrape({ url: simple.url, geo_location: 'fr' }, call), {
      code: 'invalid_params',
      param: 'geo_location',
      fix: 'Use one of de, us, or remove "geo_location".',
    })
  })

  it('never sends a private address to a proxy', async () => {
    const strict = openPages([], `de=http://${german.authority}`)
    const before = german.tunnels.length
    for (const url of [simple.url, 'http://169.254.169.254/', 'http://[::ffff:10.0.0.1]/'])
      await assert.rejects(strict.proxied.proxyScrape({ ...simple, url }, call), {
        code: 'bad_url',
      })
    assert.equal(german.tunnels.length, before)
  })

  it('returns no_results for a page with an error status, and reads for unblock without proxies', async () => {
    await assert.rejects(proxied.proxyScrape({ ...simple, url: `${simple.url}gone` }, call), {
      code: 'no_results',
    })
    const direct = openPages(['127.0.0.0/8'], '')
    const page = await direct.proxied.unblock({ url: simple.url, format: 'html' }, call)
    assert.deepEqual(page, { status_code: 200, headers: {}, body: PAGE })
    await assert.rejects(direct.proxied.unblock({ url: simple.url, country: 'de' }, call), {
      code: 'invalid_params',
      param: 'country',
    })
    await assert.rejects(direct.proxied.proxyScrape(simple, call), {
      code: 'upstream_not_configured',
    })
  })
})
