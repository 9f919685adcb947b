/**
 * Tries every technique to make the gateway connect to a forbidden address, over each surface that reads URLs. A canary
 * on loopback must see no connection. A second gateway that allows loopback shows that the same requests can reach it.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { cleanUp } from '../harness/clean-up.ts'
import { reportFigure } from '../harness/figure.ts'
import type { GatewayProcess } from '../harness/clients/gateway-process.ts'
import { openFireBed } from './bed.ts'
import { ask } from './client.ts'
import { directTechniques } from './egress/addresses.ts'
import { pageBorne } from './egress/page-borne.ts'
import { redirects } from './egress/redirects.ts'

const NAMES = pathToFileURL(join(import.meta.dirname, 'egress/names.ts')).href
// The gateway may reach the site, like a public page. It must not reach the canary.
const SITE_HOST = '127.77.0.1'
const URLS_IN_A_CALL = 10
const CALLS_AT_ONCE = 8
const HITS_OF_CONTROL = 60

const bed = await openFireBed()
const account = await bed.account('1000000')

const hits: string[] = []
const canaryPort = await listen('127.0.0.1', (path) => {
  hits.push(path)
  return { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>secret</p>' }
})
const target = (name: string): string => `http://127.0.0.1:${canaryPort}/${name}`

const REDIRECTS = redirects(target)
const PAGE_BORNE = pageBorne(target)
const sitePort = await listen(SITE_HOST, (path) => {
  const name = path.slice(1)
  const redirect = REDIRECTS[name]
  if (redirect !== undefined) return redirect
  if (path === '/robots.txt')
    return {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: `User-agent: *\nAllow: /\nSitemap: ${target('sitemap-of-robots')}\n`,
    }
  if (path === '/sitemap.xml')
    return {
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: `<sitemapindex><sitemap><loc>${target('sitemap-of-index')}</loc></sitemap></sitemapindex>`,
    }
  return {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: `<title>Page</title><main><h1>Page</h1><p>${'A public page with some words. '.repeat(20)}</p></main>${PAGE_BORNE[name] ?? ''}`,
  }
})
const siteUrl = (name: string): string => `http://${SITE_HOST}:${sitePort}/${name}`

type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Starts a server at this address and returns its port. */
async function listen(host: string, reply: (path: string) => Reply): Promise<number> {
  const server = createServer(({ url = '/' }, response) => {
    const { status, headers, body } = reply(url)
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((ready) => server.listen(0, host, ready))
  cleanUp(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

/** The surfaces that take URLs, and how to call each. */
const SURFACES: Readonly<
  Record<
    string,
    {
      readonly path: string
      readonly bodyOf: (urls: readonly string[]) => object
      readonly takesMany?: true
    }
  >
> = {
  'api/fetch': { path: '/api/fetch', bodyOf: ([url]) => ({ url }) },
  'files/upload_from_url': { path: '/api/run/files/upload_from_url', bodyOf: ([url]) => ({ url }) },
  'semantic/contents': {
    path: '/api/run/semantic/contents',
    bodyOf: (urls) => ({ urls, text: true }),
    takesMany: true,
  },
  'rag/extract': { path: '/api/run/rag/extract', bodyOf: (urls) => ({ urls }), takesMany: true },
  'agentic/extract': {
    path: '/api/run/agentic/extract',
    bodyOf: (urls) => ({ urls, objective: 'x' }),
    takesMany: true,
  },
  'core/onescrape': {
    path: '/api/run/core/onescrape',
    bodyOf: (urls) => ({ urls }),
    takesMany: true,
  },
  'scraping/scrape': { path: '/api/run/scraping/scrape', bodyOf: ([url]) => ({ url }) },
  'render/map': { path: '/api/run/render/map', bodyOf: ([url]) => ({ url }) },
  'render/scrape': { path: '/api/run/render/scrape', bodyOf: ([url]) => ({ url }) },
}
const IN_BROWSER = 'render/scrape'

/** Calls a surface with each URL, a few at a time. */
async function callWith(
  { url }: GatewayProcess,
  name: string,
  addresses: readonly string[],
): Promise<string[]> {
  const surface = SURFACES[name] ?? assert.fail(name)
  const size = surface.takesMany === true ? URLS_IN_A_CALL : 1
  const waiting = Array.from({ length: Math.ceil(addresses.length / size) }, (_, place) =>
    addresses.slice(place * size, (place + 1) * size),
  )
  const texts: string[] = []
  const work = async (): Promise<void> => {
    for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
      const { text } = await ask({
        url,
        key: account.key,
        path: surface.path,
        body: surface.bodyOf(some),
      })
      texts.push(text)
    }
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work))
  return texts
}

function startOpenTo(networks: string): Promise<GatewayProcess> {
  return bed.start({
    NODE_OPTIONS: `--import ${NAMES}`,
    ALLOW_PRIVATE_NETWORKS: networks,
    RATE_LIMIT_PER_MINUTE: '1000000000',
  })
}

const ownAddresses = Object.values(networkInterfaces())
  .flatMap((list = []) => list)
  .filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
  .map(({ address }) => address)
const direct = directTechniques(canaryPort, ownAddresses)
const techniques = direct.length + Object.keys(REDIRECTS).length + Object.keys(PAGE_BORNE).length
let requests = 0

test('no technique makes any surface connect to the canary', async (context) => {
  const gateway = await startOpenTo(`${SITE_HOST}/32`)
  for (const name of Object.keys(SURFACES)) {
    const addresses = [
      ...direct.map(({ url }) => url),
      ...Object.keys(REDIRECTS).map(siteUrl),
      ...(name === IN_BROWSER ? Object.keys(PAGE_BORNE).map(siteUrl) : []),
      siteUrl('page'),
    ]
    const texts = await callWith(gateway, name, addresses)
    requests += addresses.length
    assert.deepEqual(hits, [], name)
    for (const text of texts) assert.ok(!text.includes('secret'), `${name}: ${text.slice(0, 500)}`)
  }
  reportFigure(context, {
    what: `connections to addresses that callers must not reach, by ${techniques} techniques in ${requests} requests over ${Object.keys(SURFACES).length} surfaces`,
    measured: String(hits.length),
    must: '0',
    isMet: hits.length === 0,
  })
  await gateway.end('SIGTERM')
})

test('the same techniques reach the canary when the operator allows loopback', async (context) => {
  const gateway = await startOpenTo('127.0.0.0/8,::1/128')
  await callWith(
    gateway,
    'api/fetch',
    direct.filter(({ isAtCanary }) => isAtCanary).map(({ url }) => url),
  )
  const byAddress = hits.length
  await callWith(
    gateway,
    IN_BROWSER,
    [...Object.keys(REDIRECTS), ...Object.keys(PAGE_BORNE)].map(siteUrl),
  )
  const borne = new Set(hits.slice(byAddress))
  context.diagnostic(
    `${byAddress} requests by address, ${borne.size} redirects and parts of pages reached the canary`,
  )
  assert.ok(byAddress + borne.size >= HITS_OF_CONTROL, `${byAddress} and ${borne.size}`)
  await gateway.end('SIGTERM')
})
