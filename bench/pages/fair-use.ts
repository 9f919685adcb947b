/**
 * `npx node bench/pages/fair-use.ts [--only parsing]`: measures the delay of one account's pages while another account
 * sends free calls that occupy the browser or the parser. Prints a ratio per attack; docs/benchmarks.md has the latest.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/lib/clock.ts'
import { createPages } from '../../src/reader/create-pages.ts'

const ROUNDS = 5
const TIMEOUT_MS = 180_000
const SITE = 'site'
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' } },
  allowPositionals: true,
})
const HOSTILE_CHARACTERS = 9_000_000
/** Long enough for hostile calls to take every place that they can have. */
const HEAD_START_MS = 1_500
/** The pause that a rejection requests. */
const RETRY_MS = 1_000

const GUIDE = `<title>Guide</title><main><h1>Guide</h1>${`<p>${'A paragraph of a guide for careful readers. '.repeat(6)}</p>`.repeat(150)}</main>`
const HOSTILE = '<'.repeat(HOSTILE_CHARACTERS)
if (process.argv[2] === SITE) {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    response.writeHead(path.startsWith('/broken') ? 500 : 200, { 'content-type': 'text/html' })
    response.end(
      path.startsWith('/endless')
        ? '<p>x</p><script>for (;;) {}</script>'
        : path.startsWith('/hostile')
          ? HOSTILE
          : GUIDE,
    )
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
} else {
  await measure()
}

/** The site is a separate process, so its work does not count as the gateway's. */
async function measure(): Promise<void> {
  const siteProcess = fork(import.meta.filename, [SITE])
  const [port] = (await once(siteProcess, 'message')) as [number]
  const site = `http://127.0.0.1:${port}`
  const pages = createPages({
    allowPrivateNetworks: ['127.0.0.0/8'],
    ownPages: [],
    userAgent: 'Tollgate-Bench/1.0',
    respectRobots: false,
    browserConcurrency: 3,
    extractionWorkers: 2,
    cacheFolder: join(import.meta.dirname, '../../node_modules/.cache/tollgate'),
  })

  const leaving = new AbortController()
  const callOf = (accountId: string) => ({
    accountId,
    signal: accountId === 'thief' ? leaving.signal : new AbortController().signal,
    timeoutMs: TIMEOUT_MS,
    now: systemClock,
  })
  let asked = 0
  const address = (path: string): string => `${site}/${path}?${(asked += 1)}`

  const render = () => pages.renderScrape({ url: address('guide') }, callOf('reader'))
  const parse = () => pages.semanticContents({ urls: [address('guide')] }, callOf('reader'))
  const scrape = (path: string) => () =>
    pages.renderScrape({ url: address(path), waitFor: 60_000 }, callOf('thief'))
  const extract = () =>
    pages.agenticExtract(
      { urls: Array.from({ length: 4 }, () => address('hostile')), objective: 'x' },
      callOf('thief'),
    )

  async function medianMs(work: () => Promise<unknown>): Promise<number> {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedMs = performance.now()
      await work()
      times.push(performance.now() - startedMs)
    }
    return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? Number.NaN
  }

  /** Keeps so many hostile calls in flight until it is stopped. */
  function attack(calls: number, work: () => Promise<unknown>): () => void {
    const over = new AbortController()
    const goOn = async (): Promise<void> => {
      while (!over.signal.aborted) await work().catch(() => pause(RETRY_MS))
    }
    for (let call = 0; call < calls; call += 1) void goOn()
    return () => over.abort()
  }

  async function compare(
    name: string,
    work: () => Promise<unknown>,
    calls: number,
    hostile: () => Promise<unknown>,
  ): Promise<void> {
    if (!name.includes(values.only)) return
    await work()
    const quietMs = await medianMs(work)
    const stop = attack(calls, hostile)
    await pause(HEAD_START_MS)
    const disturbedMs = await medianMs(work)
    stop()
    process.stdout.write(
      `${name}: ${quietMs.toFixed(0)} ms undisturbed, ${disturbedMs.toFixed(0)} ms disturbed, ratio ${(disturbedMs / quietMs).toFixed(2)} (must: <= 2)\n`,
    )
    // Active requests end at their own limits.
    while (pages.browserUse().taken > 0) await pause(200)
  }

  await compare('rendering, 3 pages of status 500 with wait_for', render, 3, scrape('broken'))
  await compare('rendering, 12 pages of status 500 with wait_for', render, 12, scrape('broken'))
  await compare('rendering, 3 pages of endless scripts', render, 3, scrape('endless'))
  await compare('parsing, 10 calls of 4 pages of nine million "<"', parse, 10, extract)
  leaving.abort()
  await pages.close()
  siteProcess.kill()
  process.exit(0)
}
