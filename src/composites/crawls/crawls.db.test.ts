import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { anotherCaller, openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import { runCall } from '../../calls/run.ts'
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../keys/caller.ts'
import { cents } from '../../lib/money.ts'
import { createPages, type Pages } from '../../reader/create-pages.ts'
import type { ScrapeReply } from '../../reader/lanes/scraped-document.ts'
import { crawlHandlers } from './crawl-handlers.ts'
import { forgetCrawls } from './crawl-store.ts'
import { createCrawlWorker, type CrawlWorker, type CrawlWorkerDeps } from './crawl-worker.ts'
import { CRAWL_RETENTION_MS, LEASE_MS } from './crawl.ts'

const TEXT =
  'The harbour of Lindau handled more freight than in any year before. This page describes how the new crane changed the work on the quay, and lists the figures of each quarter. '
const PATHS = ['/', '/a', '/b', '/c', '/private/x', '/deep/1', '/deep/2']
const LINKS: Readonly<Record<string, readonly string[]>> = {
  '/': ['/a', '/b#top', '/private/x', '/file.pdf', 'https://elsewhere.example/', '/gone'],
  '/a': ['/', '/c', '/deep/1'],
  '/deep/1': ['/deep/2'],
}
const NAMES = ['render.crawl', 'render.crawl_status', 'render2.crawl', 'render2.crawl_status']
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a crawl that the gateway does itself', () => {
  const requested: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requested.push(path)
    if (path === '/robots.txt') return void response.end('User-agent: *\nDisallow: /private/')
    if (!PATHS.includes(path)) return void response.writeHead(404).end('gone')
    const links = (LINKS[path] ?? []).map((link) => `<a href="${link}">more of it</a>`).join(' ')
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><title>Page ${path}</title><main><h1>Page ${path}</h1><p>${TEXT.repeat(4)}</p></main>${links}`,
    )
  })
  const handlers = new Map<string, InHouseHandler>()
  let bed: CallBed
  let pages: Pages
  let base: string

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const inHouse = new Map(
      NAMES.map((name): [string, InHouseHandler] => [
        name,
        (input, tools) => handlers.get(name)?.(input, tools) ?? assert.fail(name),
      ]),
    )
    bed = await openCallBed({ configured: false, inHouse })
    pages = createPages({
      allowPrivateNetworks: ['127.0.0.0/8'],
      ownPages: [],
      userAgent: 'Tollgate-Test/1.0',
      respectRobots: false,
      browserConcurrency: 1,
      extractionWorkers: 1,
      cacheFolder: '',
    })
    for (const [name, handler] of crawlHandlers({
      database: bed.database,
      now: bed.clock,
      pages,
    }))
      handlers.set(name, handler)
  })
  after(async () => {
    await pages.close()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(async () => {
    requested.length = 0
    await bed.database.query('delete from page_crawls', [])
  })

  const openWorker = (more: Partial<CrawlWorkerDeps> = {}): CrawlWorker =>
    createCrawlWorker({
      database: bed.database,
      now: bed.clock,
      pages,
      extractData: null,
      pace: async () => undefined,
      pause: async () => undefined,
      concurrency: 2,
      onError: (error) => assert.fail(String(error)),
      ...more,
    })
  const run = async (action: string, body: object, caller: Caller = bed.caller) => {
    const [service = '', name = ''] = action.split('/')
    const answer = await runCall(bed.calls, bed.request(service, name, body, { caller }))
    const { data } = JSON.parse(answer.body) as { data: Record<string, unknown> }
    return { charged: answer.charged, data }
  }
  const refusal = async (action: string, body: object, caller?: Caller): Promise<AppError> => {
    try {
      await run(action, body, caller)
    } catch (error) {
      assert.ok(error instanceof AppError, String(error))
      return error
    }
    return assert.fail('the call succeeded')
  }
  const launch = async (more: object = {}): Promise<string> =>
    String((await run('render2/crawl', { url: `${base}/`, ...more })).data['id'])
  const statusOf = async (id: string) => (await run('render2/crawl_status', { id })).data
  const untilEnded = async (id: string): Promise<void> => {
    for (;;) {
      const { rows } = await bed.database.query<{ status: string }>(
        'select status from page_crawls where id = $1',
        [id],
      )
      if (rows[0]?.status !== 'scraping') return
    }
  }
  const ended = async (id: string): Promise<Record<string, unknown>> => {
    await untilEnded(id)
    return statusOf(id)
  }
  const urlsOf = (data: Record<string, unknown>): string[] =>
    (data['data'] as { metadata: { sourceURL: string } }[]).map(({ metadata }) =>
      metadata.sourceURL.slice(base.length),
    )

  it('reads the pages of the host within budget and depth, as robots.txt allows', async () => {
    const { data, charged } = await run('render2/crawl', { url: `${base}/`, maxDepth: 2 })
    assert.equal(charged, cents('10'))
    const worker = openWorker()
    await worker.beat()
    const found = await ended(String(data['id']))
    assert.deepEqual(urlsOf(found), ['/', '/a', '/b', '/c', '/deep/1'])
    assert.deepEqual([found['status'], found['completed']], ['completed', 5])
    const [first] = found['data'] as { markdown: string; links?: unknown }[]
    assert.match(first?.markdown ?? '', /harbour of Lindau/)
    assert.equal(first?.links, undefined)
    assert.ok(!requested.includes('/private/x') && !requested.includes('/file.pdf'))
    await worker.stop()
  })

  it('stops at its page budget', async () => {
    const id = await launch({ maxPages: 2 })
    const worker = openWorker()
    await worker.beat()
    assert.deepEqual(urlsOf(await ended(id)), ['/', '/a'])
    await worker.stop()
  })

  it('returns pages in parts through render/crawl_status, which is free', async () => {
    const { data, charged } = await run('render/crawl', { url: `${base}/`, limit: 3 })
    assert.equal(charged, cents('1'))
    const id = String(data['id'])
    const worker = openWorker({
      pages: { ...pages, renderScrape: (input, call) => pages.render2Scrape(input, call) },
    })
    await worker.beat()
    await untilEnded(id)
    const answer = await run('render/crawl_status', { id })
    assert.deepEqual([answer.charged, answer.data['status']], [0n, 'completed'])
    assert.deepEqual(urlsOf(answer.data), ['/', '/a', '/b'])
    const rest = await run('render/crawl_status', { id, skip: 2 })
    assert.deepEqual(urlsOf(rest.data), ['/b'])
    await worker.stop()
  })

  it('is not charged if its start page cannot be read', async () => {
    const before = await bed.balance()
    for (const path of ['/private/x', '/gone']) {
      const error = await refusal('render2/crawl', { url: `${base}${path}` })
      assert.equal(error.code, 'upstream_rejected', path)
    }
    assert.equal((await refusal('render2/crawl', { url: 'http://10.0.0.1/' })).code, 'bad_url')
    assert.deepEqual(await bed.balance(), before)
  })

  it('belongs to its account and service', async () => {
    const id = await launch()
    const other = await anotherCaller(bed)
    for (const [action, who] of [
      ['render2/crawl_status', other],
      ['render/crawl_status', bed.caller],
    ] as const) {
      const error = await refusal(action, { id }, who)
      assert.deepEqual([error.code, error.param], ['unknown_job', 'id'])
    }
  })

  it('is rejected beyond five running crawls, also when they start concurrently', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => launch()))
    const refused = answers.filter((answer) => answer.status === 'rejected')
    assert.equal(refused.length, 3)
    for (const { reason } of refused) assert.equal((reason as AppError).code, 'too_many_inflight')
  })

  it('is continued by another worker after a death, and no page is stored twice', async () => {
    const id = await launch({ maxDepth: 2 })
    const reads: string[] = []
    const begun = Promise.withResolvers<void>()
    const late = Promise.withResolvers<ScrapeReply>()
    const doomed = openWorker({
      pages: {
        ...pages,
        render2Scrape(input, call) {
          const url = String(input['url'])
          reads.push(url.slice(base.length))
          if (!url.endsWith('/b')) return pages.render2Scrape(input, call)
          begun.resolve()
          return late.promise
        },
      },
    })
    await doomed.beat()
    await begun.promise
    const next = openWorker()
    await next.beat()
    assert.equal((await statusOf(id))['completed'], 2)
    bed.clock.advance(LEASE_MS + 1)
    await next.beat()
    const found = await ended(id)
    assert.deepEqual(urlsOf(found), ['/', '/a', '/b', '/c', '/deep/1'])
    // The first worker wakes up late: its page is already stored.
    const metadata = {
      title: 'late',
      sourceURL: `${base}/b`,
      url: `${base}/b`,
      statusCode: 200,
      contentType: '',
    }
    late.resolve({ success: true, data: { markdown: 'late', metadata } })
    await doomed.stop()
    assert.deepEqual(await statusOf(id), found)
    assert.deepEqual(reads, ['/', '/a', '/b'])
    await next.stop()
  })

  it('gives up a page that ended its workers three times', async () => {
    const id = await launch({ maxPages: 3 })
    const hangs: Pages['render2Scrape'] = (input, call) =>
      String(input['url']).endsWith('/a')
        ? new Promise(() => undefined)
        : pages.render2Scrape(input, call)
    const attempts = async () =>
      (
        await bed.database.query<{ attempts: number }>(
          'select attempts from page_crawl_pages where crawl_id = $1 and url = $2',
          [id, `${base}/a`],
        )
      ).rows[0]?.attempts ?? 0
    for (const attempt of [1, 2, 3]) {
      await openWorker({ pages: { ...pages, render2Scrape: hangs } }).beat()
      while ((await attempts()) < attempt) await settled()
      bed.clock.advance(LEASE_MS + 1)
    }
    const worker = openWorker({ pages: { ...pages, render2Scrape: hangs } })
    await worker.beat()
    assert.deepEqual(urlsOf(await ended(id)), ['/', '/b'])
    await worker.stop()
  })

  it('waits while the gateway has no capacity for its pages', async () => {
    const id = await launch({ maxPages: 1 })
    let refusals = 5
    const worker = openWorker({
      pages: {
        ...pages,
        render2Scrape(input, call) {
          if (refusals === 0) return pages.render2Scrape(input, call)
          refusals -= 1
          return Promise.reject(new AppError('overloaded'))
        },
      },
    })
    await worker.beat()
    assert.deepEqual(urlsOf(await ended(id)), ['/'])
    await worker.stop()
  })

  it('that reads no page has failed, and its status is not charged', async () => {
    const id = await launch()
    const worker = openWorker({
      pages: { ...pages, render2Scrape: async () => ({ success: false, error: 'wall' }) },
    })
    await worker.beat()
    while ((await run('render2/crawl_status', { id })).data['status'] === 'scraping')
      await settled()
    const { data, charged } = await run('render2/crawl_status', { id })
    assert.deepEqual([data['status'], charged], ['failed', 0n])
    await worker.stop()
  })

  it('is deleted after a week', async () => {
    const id = await launch()
    assert.equal(await forgetCrawls(bed.database, bed.clock()), 0)
    assert.equal(await forgetCrawls(bed.database, bed.clock() + CRAWL_RETENTION_MS + 1), 1)
    assert.equal((await refusal('render2/crawl_status', { id })).code, 'unknown_job')
  })
})
