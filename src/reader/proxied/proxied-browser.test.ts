import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { startForwardProxy } from '../../../test/harness/vendors/forward-proxy.ts'
import { readEgressProxies } from '../../app/settings/egress-proxies.ts'
import { systemClock } from '../../lib/clock.ts'
import { createPages } from '../create-pages.ts'

const APP = `<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script>setTimeout(() => { document.getElementById('root').innerHTML = '<main><h1 class="late">Made by a script</h1><p>${'A page of an application that shows its text late. '.repeat(10)}</p></main>' }, 300)</script></body></html>`

test('reads a page in the browser through the proxy, and waits for the element of the caller', async () => {
  const site = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(APP),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    site.closeAllConnections()
    site.close()
  })
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
  const proxy = await startForwardProxy()
  const pages = createPages({
    allowPrivateNetworks: ['127.0.0.0/8'],
    ownPages: [],
    userAgent: 'Tollgate-Test/1.0',
    respectRobots: false,
    browserConcurrency: 1,
    extractionWorkers: 1,
    cacheFolder: join(tmpdir(), 'tollgate-browser-tests'),
    searchPath: process.env['PATH'] ?? '',
    allowUnsandboxedBrowser: true,
    proxies: readEgressProxies(`de=http://${proxy.authority}`),
  })
  cleanUp(() => pages.close())
  const call = {
    accountId: 'a',
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    now: systemClock,
  }
  const input = { url: `http://${host}/`, browser: true, timeout: 60, wait_for_selector: 'h1.late' }
  assert.match(await pages.proxied.proxyScrape(input, call), /<h1 class="late">Made by a script/)
  assert.equal(proxy.tunnels[0]?.target, host)
  await assert.rejects(
    pages.proxied.proxyScrape({ ...input, timeout: 5, wait_for_selector: 'h2.never' }, call),
    { code: 'upstream_timeout' },
  )
})
