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
import { createCrawlWorker } from '../crawls/crawl-worker.ts'
import type { BoundedComplete } from '../shared/complete.ts'
import { createContentsWithSummaries } from './contents-with-summaries.ts'
import { createExtractData } from './extract-data.ts'
import type { ExtractData, Summarize } from './extraction.ts'
import { createExtractWithSchema } from './extract-with-schema.ts'
import { extractHandlers } from './extract-handlers.ts'
import { createScrapeWithSchema } from './scrape-with-schema.ts'
import { createSchemaChecker } from './schema-checker.ts'
import { createSummarize } from './summarize.ts'

const TEXT =
  'The new crane of the harbour lifts forty tonnes and can be hired by the day, with a driver who knows the quay. '
const SHELL = '<!doctype html><title>App</title><div id="root"></div><script src="/a.js"></script>'
const SCHEMA = {
  type: 'object',
  properties: { price: { type: 'number' } },
  required: ['price'],
}
const NAMES = [
  'render.extract',
  'render.extract_status',
  'render2.extract',
  'render2.extract_status',
]

describe('an extraction that the gateway does itself', () => {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/gone') return void response.writeHead(404).end('gone')
    response.setHeader('content-type', 'text/html')
    response.end(
      path === '/shell'
        ? SHELL
        : `<!doctype html><title>Page ${path}</title><main><h1>Crane ${path}</h1><p>${TEXT.repeat(6)}</p><p>It costs 40 euros a day.</p></main>`,
    )
  })
  const checker = createSchemaChecker()
  const prompts: Parameters<BoundedComplete>[0][] = []
  let answer: (request: Parameters<BoundedComplete>[0]) => string | null
  let extractData: ExtractData | null
  let summarize: Summarize | null
  let bed: CallBed
  let without: CallBed
  let pages: Pages
  let base: string

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    pages = createPages({
      allowPrivateNetworks: ['127.0.0.0/8'],
      ownPages: [],
      userAgent: 'Tollgate-Test/1.0',
      respectRobots: false,
      browserConcurrency: 1,
      extractionWorkers: 1,
      cacheFolder: '',
    })
    const handlers = new Map<string, InHouseHandler>()
    const inHouse = new Map(
      [...NAMES, 'render2.scrape', 'semantic.contents', 'agentic.extract'].map(
        (name): [string, InHouseHandler] => [
          name,
          (input, tools) => handlers.get(name)?.(input, tools) ?? assert.fail(name),
        ],
      ),
    )
    bed = await openCallBed({ configured: false, inHouse })
    without = await openCallBed({ configured: false })
    for (const [name, handler] of extractHandlers({
      database: bed.database,
      now: bed.clock,
      pages,
      checker,
    }))
      handlers.set(name, handler)
    handlers.set('render2.scrape', (input, tools) =>
      createScrapeWithSchema({ pages, extractData, checker })(input, tools),
    )
    handlers.set('semantic.contents', (input, tools) =>
      createContentsWithSummaries({ pages, summarize, checker })(input, tools),
    )
    handlers.set('agentic.extract', (input, tools) =>
      createExtractWithSchema({ pages, extractData, checker })(input, tools),
    )
  })
  after(async () => {
    await pages.close()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(async () => {
    prompts.length = 0
    answer = () => '{"price":40}'
    const complete: BoundedComplete = async (request) => {
      prompts.push(request)
      const text = answer(request)
      return text === null ? null : { answer: text, isCut: false }
    }
    extractData = createExtractData({ complete, checker })
    summarize = createSummarize({ complete, extractData })
    await bed.database.query('delete from page_crawls', [])
  })

  const run = async (action: string, body: object, caller: Caller = bed.caller) => {
    const [service = '', name = ''] = action.split('/')
    const reply = await runCall(bed.calls, bed.request(service, name, body, { caller }))
    const { data } = JSON.parse(reply.body) as { data: Record<string, unknown> }
    return { charged: reply.charged, data }
  }
  const refusal = async (work: Promise<unknown>): Promise<AppError> => {
    try {
      await work
    } catch (error) {
      assert.ok(error instanceof AppError, String(error))
      return error
    }
    return assert.fail('the call succeeded')
  }
  const work = async (): Promise<void> => {
    const worker = createCrawlWorker({
      database: bed.database,
      now: bed.clock,
      pages,
      extractData,
      pace: async () => undefined,
      pause: async () => undefined,
      concurrency: 1,
      onError: (error) => assert.fail(String(error)),
    })
    await worker.beat()
    for (;;) {
      const { rows } = await bed.database.query(
        "select 1 from page_crawls where status = 'scraping'",
        [],
      )
      if (rows.length === 0) return worker.stop()
    }
  }
  const urls = (...paths: string[]) => paths.map((path) => `${base}${path}`)

  it('extracts one object from all pages for render/extract, within its price', async () => {
    const { data, charged } = await run('render/extract', {
      urls: urls('/a', '/b', '/shell'),
      schema: SCHEMA,
    })
    assert.equal(charged, cents('1'))
    const { id } = data
    assert.equal((await run('render/extract_status', { id })).data['status'], 'processing')
    await work()
    const status = await run('render/extract_status', { id })
    assert.equal(status.charged, 0n)
    assert.deepEqual(
      [status.data['status'], status.data['data'], status.data['sources']],
      [
        'completed',
        { price: 40 },
        [true, true, false].map((read, at) => ({ url: urls('/a', '/b', '/shell')[at], read })),
      ],
    )
    assert.equal(prompts.length, 1)
    assert.equal(prompts[0]?.texts.length, 2)
    assert.match(prompts[0]?.texts[1] ?? '', /Crane \/b[^]*40 euros/)
    const spent = prompts.reduce((sum, { mostMicros }) => sum + mostMicros, 0n)
    assert.ok(2n * spent < cents('1'))
  })

  it('extracts each page by itself for render2/extract, in the order of the request', async () => {
    answer = ({ texts }) => (texts.join('').includes('/b') ? '{"price":"unknown"}' : '{"price":40}')
    const { data, charged } = await run('render2/extract', {
      urls: urls('/b', '/a', '/gone'),
      schema: SCHEMA,
    })
    assert.equal(charged, cents('5'))
    await work()
    const status = await run('render2/extract_status', { id: data['id'] })
    assert.equal(status.charged, cents('1'))
    const results = status.data['results'] as { url: string; status: string; error?: string }[]
    assert.deepEqual(
      results.map(({ url, status: one }) => [url, one]),
      [
        [`${base}/b`, 'failed'],
        [`${base}/a`, 'completed'],
        [`${base}/gone`, 'failed'],
      ],
    )
    assert.match(results[0]?.error ?? '', /does not fit the schema: \/price must be number/)
    assert.match(results[2]?.error ?? '', /404/)
    const spent = prompts.reduce((sum, { mostMicros }) => sum + mostMicros, 0n)
    assert.ok(spent <= cents('4'))
  })

  it('without any data has failed, and its status is not charged', async () => {
    answer = () => null
    for (const service of ['render', 'render2']) {
      const { data } = await run(`${service}/extract`, { urls: urls('/a'), prompt: 'The price.' })
      await work()
      const status = await run(`${service}/extract_status`, { id: data['id'] })
      assert.deepEqual([status.data['status'], status.charged], ['failed', 0n], service)
    }
  })

  it('is not charged if no page can be read, the schema is wrong or a URL ends in /*', async () => {
    const before = await bed.balance()
    for (const [service, body, code, param] of [
      ['render2', { urls: urls('/gone'), prompt: 'x' }, 'upstream_rejected', null],
      ['render', { urls: urls('/a'), schema: { type: 'text' } }, 'invalid_params', 'schema'],
      ['render', { urls: urls('/*'), prompt: 'x' }, 'upstream_not_configured', 'urls[0]'],
      ['render', { urls: ['http://10.0.0.1/'], prompt: 'x' }, 'bad_url', 'url'],
    ] as const) {
      const error = await refusal(run(`${service}/extract`, body))
      assert.deepEqual([error.code, error.param ?? null], [code, param])
    }
    assert.deepEqual(await bed.balance(), before)
    assert.equal(prompts.length, 0)
  })

  it('belongs to its account and action', async () => {
    const { data } = await run('render/extract', { urls: urls('/a'), prompt: 'x' })
    const { id } = data
    const other = await anotherCaller(bed)
    for (const [action, caller] of [
      ['render/extract_status', other],
      ['render2/extract_status', bed.caller],
    ] as const)
      assert.equal((await refusal(run(action, { id }, caller))).code, 'unknown_job')
  })

  it('names the missing language model on a gateway without one', async () => {
    const request = without.request('render', 'extract', { urls: urls('/a'), prompt: 'x' })
    const error = await refusal(runCall(without.calls, request))
    assert.equal(error.code, 'upstream_not_configured')
    assert.match(error.message, /no language model/)
    assert.match(error.fix ?? '', /UPSTREAM_LLM_KEY/)
    extractData = null
    const scrape = { url: `${base}/a`, formats: ['json'], jsonSchema: SCHEMA }
    const refused = await refusal(run('render2/scrape', scrape))
    assert.deepEqual([refused.code, refused.param], ['upstream_not_configured', 'jsonSchema'])
  })

  it('returns data in the schema with render2/scrape, and charges nothing without', async () => {
    const scrape = { url: `${base}/a`, formats: ['json'], jsonSchema: SCHEMA }
    const { data, charged } = await run('render2/scrape', scrape)
    const document = data['data'] as Record<string, unknown>
    assert.deepEqual(
      [charged, document['json'], document['markdown']],
      [cents('1'), { price: 40 }, undefined],
    )
    const both = await run('render2/scrape', { ...scrape, formats: ['markdown', 'json'] })
    assert.match((both.data['data'] as { markdown: string }).markdown, /40 euros/)
    const before = await bed.balance()
    answer = () => '{"price":"forty"}'
    assert.equal((await refusal(run('render2/scrape', scrape))).code, 'no_results')
    const shell = { ...scrape, url: `${base}/shell`, renderJs: false }
    prompts.length = 0
    assert.equal((await refusal(run('render2/scrape', shell))).code, 'no_results')
    assert.equal(prompts.length, 0)
    assert.deepEqual(await bed.balance(), before)
  })

  it('summarizes pages for semantic/contents, for a question and without their text', async () => {
    answer = ({ texts }) => `Summary of ${/Crane (\S+)/.exec(texts.join(''))?.[1]}.`
    const body = { urls: urls('/a', '/b'), summary: { query: 'What does it cost?' } }
    const { data, charged } = await run('semantic/contents', body)
    const results = data['results'] as Record<string, unknown>[]
    assert.deepEqual(
      results.map(({ url, summary, text }) => [url, summary, text]),
      [
        [`${base}/a`, 'Summary of /a.', undefined],
        [`${base}/b`, 'Summary of /b.', undefined],
      ],
    )
    assert.deepEqual([charged, data['notices']], [cents('1'), undefined])
    assert.match(prompts[0]?.prompt ?? '', /What does it cost\?/)
    assert.match(prompts[0]?.texts[0] ?? '', /It costs 40 euros/)
    const spent = prompts.reduce((sum, { mostMicros }) => sum + mostMicros, 0n)
    assert.ok(spent <= cents('0.8'))
  })

  it('returns a summary as JSON in the schema, and the text as long as requested', async () => {
    const { data } = await run('semantic/contents', {
      urls: urls('/a'),
      text: { maxCharacters: 20 },
      summary: { schema: SCHEMA },
    })
    const [row] = data['results'] as Record<string, string>[]
    assert.deepEqual([row?.['summary'], row?.['text']?.length], ['{"price":40}', 20])
    assert.match(prompts[0]?.texts[0] ?? '', /It costs 40 euros/)
    const body = { urls: urls('/a'), summary: { schema: { type: 'text' } } }
    const error = await refusal(run('semantic/contents', body))
    assert.deepEqual([error.code, error.param], ['invalid_params', 'summary.schema'])
  })

  it('charges only the summaries that exist, and names the others', async () => {
    const body = {
      urls: urls(...'abcdef'.split('').map((one) => `/${one}`)),
      text: true,
      summary: true,
    }
    assert.equal((await run('semantic/contents', body)).charged, cents('2'))
    answer = ({ texts }) => (/Crane \/[abc]/.test(texts.join('')) ? 'A crane.' : null)
    const { data, charged } = await run('semantic/contents', body)
    assert.equal(charged, cents('1'))
    const [notice] = data['notices'] as { field: string; message: string }[]
    assert.equal(notice?.field, 'summary')
    assert.match(notice?.message ?? '', /^3 of 6 pages have no summary, which is not charged/)
    answer = () => null
    const without = { urls: urls('/a'), summary: true }
    assert.equal((await run('semantic/contents', without)).charged, 0n)
    summarize = null
    const refused = await refusal(run('semantic/contents', without))
    assert.equal(refused.code, 'upstream_not_configured')
    assert.match(refused.fix ?? '', /UPSTREAM_LLM_URL/)
  })

  it('returns data of each page in the schema for agentic/extract, and charges only those', async () => {
    answer = ({ texts }) => (texts.join('').includes('/b') ? '{"price":"unknown"}' : '{"price":40}')
    const { data, charged } = await run('agentic/extract', {
      urls: urls('/a', '/b', '/gone'),
      objective: 'The price of a day.',
      schema: SCHEMA,
    })
    assert.equal(charged, cents('1'))
    const results = data['results'] as Record<string, unknown>[]
    assert.deepEqual(
      results.map(({ url, data: found, full_content: text }) => [url, found, text]),
      [[`${base}/a`, { price: 40 }, null]],
    )
    const errors = data['errors'] as { url: string; error_type: string }[]
    assert.deepEqual(
      errors.map(({ url, error_type: kind }) => [url, kind]),
      [
        [`${base}/gone`, 'http_status'],
        [`${base}/b`, 'no_data'],
      ],
    )
    assert.match(prompts[0]?.prompt ?? '', /The price of a day\./)
    answer = () => '{}'
    const nothing = await run('agentic/extract', {
      urls: urls('/a'),
      schema: { type: 'object', maxProperties: 0 },
      full_content: true,
    })
    assert.deepEqual([nothing.charged, nothing.data['results']], [0n, []])
    extractData = null
    const refused = await refusal(run('agentic/extract', { urls: urls('/a'), schema: SCHEMA }))
    assert.deepEqual([refused.code, refused.param], ['upstream_not_configured', 'schema'])
    assert.equal((await run('agentic/extract', { urls: urls('/a') })).charged, cents('1'))
  })
})
