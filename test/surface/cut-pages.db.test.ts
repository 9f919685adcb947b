/** Pages whose server ends the response before its end, through every action that reads them. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { runCall } from '../../src/calls/run.ts'
import type { InHouseHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { createDomainMemory } from '../../src/composites/onescrape/domain-memory.ts'
import { createOnescrape } from '../../src/composites/onescrape/onescrape.ts'
import type { PageRow } from '../../src/composites/onescrape/page-row.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { createPages } from '../../src/reader/create-pages.ts'
import { judgePage } from '../../src/reader/judge/judge.ts'
import { openCallBed, type CallBed } from '../harness/beds/calls.ts'
import { cleanUp } from '../harness/clean-up.ts'

const PAGE = `<!doctype html><title>Heights</title><article><h1>Heights</h1>${Array.from(
  { length: 60 },
  (_, day) => `<p>On day ${day} the keeper wrote that the water stood at ${day * 7919} marks.</p>`,
).join('')}</article>`
const PACKED = gzipSync(PAGE)
const HALF = PAGE.slice(0, PAGE.length / 2)
const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** Sends a part and closes the connection when it has arrived. */
function cut(response: ServerResponse, headers: Record<string, string>, part: string | Buffer) {
  response.writeHead(200, { ...HTML, ...headers })
  response.write(part, () => response.destroy())
}

const CUTS: Record<string, (response: ServerResponse) => void> = {
  '/short': (response) => cut(response, { 'content-length': String(PAGE.length) }, HALF),
  '/chunked': (response) => cut(response, { 'transfer-encoding': 'chunked' }, HALF),
  '/packed': (response) => {
    response
      .writeHead(200, { ...HTML, 'content-encoding': 'gzip' })
      .end(PACKED.subarray(0, PACKED.length * 0.6))
  },
  '/packed-short': (response) =>
    cut(
      response,
      { 'content-encoding': 'gzip', 'content-length': String(PACKED.length) },
      PACKED.subarray(0, PACKED.length * 0.6),
    ),
}

const pages = createPages({
  allowPrivateNetworks: ['127.0.0.0/8'],
  ownPages: [],
  userAgent: 'tollgate-test',
  respectRobots: false,
  browserConcurrency: 2,
  extractionWorkers: 1,
  cacheFolder: tmpdir(),
})
const readers: [string, InHouseHandler][] = [
  ['semantic.contents', pages.semanticContents],
  ['render.scrape', pages.renderScrape],
  ['render2.scrape', pages.render2Scrape],
  ['cheapunblock.scrape', pages.cheapunblockScrape],
]
const openBed = (inHouse: [string, InHouseHandler][]) =>
  openCallBed({
    configured: false,
    inHouse: new Map(inHouse),
    local: new Map([
      [
        'core.onescrape',
        createOnescrape({
          judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }),
          extract: pages.extract,
          memory: createDomainMemory(),
        }),
      ],
    ]),
  })

let bed: CallBed
let bedWithOtherSource: CallBed
let site: string

before(async () => {
  cleanUp(() => pages.close())
  bed = await openBed(readers)
  // A reader whose requests the server answers whole.
  const readWhole: InHouseHandler = (input, visit) =>
    pages.renderScrape({ ...input, url: `${site}/whole` }, visit)
  bedWithOtherSource = await openBed([...readers, ['render.scrape', readWhole]])
  const server = createServer((request, response) => {
    const answer = CUTS[request.url ?? '']
    if (answer === undefined) response.writeHead(200, HTML).end(PAGE)
    else answer(response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    server.closeAllConnections()
  })
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

async function call(on: CallBed, service: string, action: string, body: object): Promise<unknown> {
  const answer = await runCall(on.calls, on.request(service, action, body)).catch(
    (error: unknown) => {
      if (error instanceof AppError) return error
      throw error
    },
  )
  return answer instanceof AppError ? answer : JSON.parse(answer.body)
}

async function readRows(on: CallBed, paths: readonly string[]): Promise<readonly PageRow[]> {
  const answer = await call(on, 'core', 'onescrape', { urls: paths.map((path) => site + path) })
  if (answer instanceof AppError) throw answer
  return (answer as { data: { rows: PageRow[] } }).data.rows
}

describe('a page that its server cut', () => {
  for (const path of Object.keys(CUTS))
    it(`fails without a charge in every action that reads it: ${path}`, async () => {
      const before = await bed.balance()
      for (const [service, action, body] of [
        ['core', 'onescrape', { urls: [site + path] }],
        ['render', 'scrape', { url: site + path }],
        ['render2', 'scrape', { url: site + path }],
        ['render2', 'scrape', { url: site + path, renderJs: true }],
      ] as const) {
        const answer = await call(bed, service, action, body)
        if (!(answer instanceof AppError))
          assert.fail(`${service} returned ${JSON.stringify(answer)}`)
        if (service !== 'core') {
          assert.match(answer.message, /ended its response too early/)
          continue
        }
        const [row] = answer.details?.['rows'] as PageRow[]
        assert.deepEqual([row?.content, row?.charged_micros], [null, 0])
        assert.equal(row?.reason, 'The server of the page ended its response too early.')
      }
      assert.deepEqual(await bed.balance(), before)
    })

  it('is read from another source where there is one', async () => {
    const rows = await readRows(bedWithOtherSource, Object.keys(CUTS))
    for (const { content, provider, url } of rows) {
      assert.equal(provider, 'render', url)
      assert.match(content ?? '', /On day 59/)
    }
  })

  it('leaves the other pages of its call readable', async () => {
    const rows = await readRows(bed, ['/short', '/whole'])
    assert.deepEqual(
      rows.map(({ content }) => content === null),
      [true, false],
    )
  })
})
