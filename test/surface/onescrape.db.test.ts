import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { before, describe, it } from 'node:test'
import { runCall } from '../../src/calls/run.ts'
import type { InHouseHandler, LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { createDomainMemory } from '../../src/composites/onescrape/domain-memory.ts'
import { createOnescrape } from '../../src/composites/onescrape/onescrape.ts'
import type { PageRow } from '../../src/composites/onescrape/page-row.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createPages } from '../../src/reader/create-pages.ts'
import { judgePage } from '../../src/reader/judge/judge.ts'
import { startSimulators } from '../../src/simulators/start.ts'
import { openCallBed, type CallBed } from '../harness/beds/calls.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { assertFits } from '../../src/catalog/testing/assert-fits.ts'

type Answer = {
  url_count: number
  row_count: number
  read_count: number
  format: string
  hard: boolean
  rows: PageRow[]
  calls: { service: string; ok: boolean }[]
  next: string
  content_trust: string
}

const lookup = async (hostname: string) => [
  { address: hostname === 'inside.example' ? '10.1.2.3' : '93.184.215.14', family: 4 },
]
const settings = {
  allowPrivateNetworks: ['127.0.0.0/8'],
  ownPages: [],
  lookup,
  userAgent: 'tollgate-test',
  respectRobots: false,
  browserConcurrency: 2,
  extractionWorkers: 1,
  cacheFolder: tmpdir(),
}
const pages = createPages(settings)
const strict = createPages({ ...settings, allowPrivateNetworks: [] })
const inHouse = new Map<string, InHouseHandler>([
  ['semantic.contents', pages.semanticContents],
  ['render.scrape', pages.renderScrape],
  ['render.map', pages.renderMap],
])

function handlers(): Map<string, LocalHandler> {
  return new Map([
    [
      'core.onescrape',
      createOnescrape({
        judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }),
        extract: pages.extract,
        memory: createDomainMemory(),
      }),
    ],
  ])
}

let simulated: CallBed
let real: CallBed
let site: string

before(async () => {
  const simulators = await startSimulators({ now: systemClock })
  cleanUp(() => simulators.close())
  cleanUp(() => pages.close())
  cleanUp(() => strict.close())
  simulated = await openCallBed({ local: handlers(), inHouse, simulatorUrl: simulators.url })
  real = await openCallBed({ local: handlers(), inHouse, configured: false })
  site = await startSite()
})

async function startSite(): Promise<string> {
  const paragraphs = Array.from(
    { length: 12 },
    (_, place) =>
      `<p>Paragraph ${place} tells of group commits, of ledgers that balance to the micro-dollar, and of calls that are charged once.</p>`,
  ).join('')
  const documents: Record<string, [number, string]> = {
    '/article': [
      200,
      `<html><head><title>On ledgers</title></head><body><nav><a href="/a">Home</a></nav><article><h1>On ledgers</h1>${paragraphs}<pre><code class="language-sql">select 1;</code></pre><p><a href="/more">More</a></p></article><footer>Imprint</footer></body></html>`,
    ],
    '/app': [
      200,
      `<html><head><title>App</title></head><body><div id="root"></div><script>document.getElementById('root').innerHTML = '<main><h1>Built by a script</h1>' + ${JSON.stringify(paragraphs)} + '</main>'</script></body></html>`,
    ],
    '/menu': [
      200,
      `<html><head><title>Shop</title></head><body><nav>${Array.from({ length: 20 }, (_, place) => `<a href="/c/${place}">Category ${place}</a> `).join('')}</nav><div id="root"></div><footer>© 2026 Example Corp. <a href="/p">Privacy</a></footer><script>/* ${'x'.repeat(60_000)} */</script></body></html>`,
    ],
    '/lead': [
      200,
      `<html><head><title>Lead</title></head><body><main id="story"><p>Short lead.</p></main><script>document.getElementById('story').innerHTML += ${JSON.stringify(paragraphs)}</script></body></html>`,
    ],
    '/wall': [
      403,
      '<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1><p>Please enable JavaScript and cookies to continue.</p></body></html>',
    ],
  }
  const files: Record<string, [string, string | Buffer]> = {
    '/paper': ['application/pdf', '%PDF-1.7'],
    '/letter': [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document; charset=binary',
      'PK',
    ],
    '/download': ['application/octet-stream', `%PDF-1.7\n${'words of a stream '.repeat(200)}`],
    '/workbook': [
      'application/octet-stream',
      Buffer.concat([
        Buffer.from('PK\u0003\u0004'),
        Buffer.alloc(26),
        Buffer.from('[Content_Types].xml'),
      ]),
    ],
    '/archive': ['application/zip', Buffer.from('504b0304140000000800', 'hex')],
    '/picture': ['text/html', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  }
  const server = createServer((request, response) => {
    if (request.url === '/inward') {
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
      return
    }
    const file = files[request.url ?? '']
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': file[0] }).end(file[1])
      return
    }
    const [status, html] = documents[request.url ?? ''] ?? [
      404,
      '<html><body><h1>Not found</h1></body></html>',
    ]
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function scrape(bed: CallBed, body: object): Promise<{ data: Answer; charged: bigint }> {
  const answer = await runCall(
    bed.calls,
    bed.request('core', 'onescrape', body, bed === simulated ? { caller: bed.testCaller } : {}),
  )
  const { data } = JSON.parse(answer.body) as { data: Answer }
  assertFits('core/onescrape', data)
  return { data, charged: answer.charged }
}

async function refusal(bed: CallBed, body: object): Promise<AppError> {
  return scrape(bed, body).then(
    () => assert.fail('expected a refusal'),
    (error: unknown) => {
      assert.ok(error instanceof AppError, String(error))
      return error
    },
  )
}

const hopsOf = (row: PageRow | undefined): string[] =>
  (row?.hops ?? []).map(
    ({ provider, ok, skipped }) =>
      `${provider}${ok ? ' ok' : ''}${skipped === undefined ? '' : ' skipped'}`,
  )

describe('the cheap ladder, with a test key', () => {
  it('reads a plain page with the first tier and stops', async () => {
    const { data, charged } = await scrape(simulated, { urls: ['example.com'] })
    const [row] = data.rows
    assert.deepEqual(
      [data.url_count, data.row_count, data.read_count, data.hard, data.content_trust],
      [1, 1, 1, false, 'untrusted'],
    )
    assert.deepEqual(
      [row?.url, row?.provider, row?.hard, row?.quality_flags],
      ['https://example.com/', 'semantic', false, []],
    )
    assert.equal(row?.chars, row?.content?.length)
    assert.deepEqual(hopsOf(row), ['semantic ok'])
    assert.equal(charged, 20_000n)
  })

  it('falls back to the next tier after a wall, and a tier that met a wall is free', async () => {
    const { data } = await scrape(simulated, { urls: ['https://wall.semantic.sim.test/'] })
    const [row] = data.rows
    assert.deepEqual(hopsOf(row), ['semantic', 'render2 ok'])
    assert.deepEqual(
      [row?.provider, row?.charged_micros, row?.hops[0]?.charged_micros],
      ['render2', 10_000, 0],
    )
  })

  it('charges a page its share of a batch with a minimum price of one cent', async () => {
    const micros = async (urls: string[]) =>
      (await scrape(simulated, { urls })).data.rows.map((row) => [
        row.charged_micros,
        row.hops[0]?.charged_micros,
      ])
    assert.deepEqual(await micros(['https://example.com/']), [[10_000, 10_000]])
    assert.deepEqual(
      await micros([
        'https://example.com/a',
        'https://wall.semantic.sim.test/',
        'https://example.com/b',
      ]),
      [
        [5_000, 5_000],
        [10_000, 0],
        [5_000, 5_000],
      ],
    )
  })

  it('does not count an empty shell as read', async () => {
    const { data } = await scrape(simulated, {
      urls: ['https://thin.semantic.render2.render.sim.test/'],
    })
    assert.deepEqual(hopsOf(data.rows[0]), ['semantic', 'render2', 'render', 'cheapunblock ok'])
    assert.equal(data.rows[0]?.format, 'text')
  })

  it('starts the next page of a host with the renderer that did better there', async () => {
    await scrape(simulated, { urls: ['https://wall.semantic.render2.sim.test/one'] })
    const { data } = await scrape(simulated, {
      urls: ['https://wall.semantic.render2.sim.test/two'],
    })
    assert.deepEqual(hopsOf(data.rows[0]), ['semantic', 'render ok'])
  })

  it('charges every page sent once one was read, and reports walls as blocked', async () => {
    const { data, charged } = await scrape(simulated, {
      urls: ['https://example.com/', 'https://wall.sim.test/'],
    })
    assert.deepEqual([data.read_count, charged], [1, 40_000n])
    const walled = data.rows[1]
    assert.deepEqual(
      [walled?.content, walled?.error, walled?.quality_flags, walled?.charged_cents],
      [null, 'blocked', ['blocked'], 0],
    )
    assert.match(data.next, /1 of 2 pages were read/)
  })

  it('reports the first batch as one call, which succeeded if any page was read', async () => {
    const { data } = await scrape(simulated, {
      urls: ['https://wall.semantic.sim.test/', 'https://example.com/', 'https://example.com/two'],
    })
    assert.deepEqual(
      data.calls.map(({ service, ok }) => [service, ok]),
      [
        ['semantic', true],
        ['render2', true],
      ],
    )
  })

  it('answers 502 all_blocked and charges nothing when no page was read', async () => {
    const error = await refusal(simulated, { urls: ['https://wall.sim.test/'] })
    assert.deepEqual([error.code, error.spec.status], ['all_blocked', 502])
    assert.equal((error.details?.['rows'] as PageRow[])[0]?.error, 'blocked')
  })

  it('reads and bills a page that is named twice once, and reports both counts', async () => {
    const { data, charged } = await scrape(simulated, {
      urls: ['example.com', 'https://EXAMPLE.com/#part', 'https://example.com:443/'],
    })
    assert.deepEqual([data.url_count, data.row_count, charged], [3, 1, 20_000n])
  })

  it('returns HTML when HTML is wanted', async () => {
    const { data } = await scrape(simulated, { urls: ['https://example.com/'], format: 'html' })
    assert.equal(data.rows[0]?.format, 'html')
  })

  const refused: readonly (readonly [string, string])[] = [
    ['https://www.linkedin.com/in/x', 'onescrape_social'],
    ['youtu.be/x', 'onescrape_social'],
    ['https://m.weibo.cn/1', 'onescrape_social'],
    ['https://example.com/a.pdf', 'onescrape_document'],
    ['https://example.com/a.DOCX?x=1', 'onescrape_document'],
    ['not a url', 'bad_url'],
    ['ftp://example.com/', 'bad_url'],
  ]
  for (const [url, code] of refused) {
    it(`refuses ${url} with ${code}, naming the input, free of charge`, async () => {
      const error = await refusal(simulated, { urls: ['https://example.com/', url] })
      assert.deepEqual([error.code, error.spec.status, error.param], [code, 400, 'urls[1]'])
    })
  }
})

describe('the cheap ladder without any vendor', () => {
  it('reads a real page as markdown of its main content', async () => {
    const { data, charged } = await scrape(real, { urls: [`${site}/article`] })
    const [row] = data.rows
    assert.deepEqual(
      [row?.format, row?.title, row?.provider, charged],
      ['markdown', 'On ledgers', 'semantic', 20_000n],
    )
    assert.match(row?.content ?? '', /```sql\nselect 1;\n```/)
    assert.ok(row?.content?.includes(`[More](${site}/more)`))
    assert.doesNotMatch(row?.content ?? '', /Imprint|Home/)
  })

  it('reads a page that a script builds in a real browser', async () => {
    const { data } = await scrape(real, { urls: [`${site}/app`] })
    const [row] = data.rows
    assert.deepEqual(hopsOf(row), ['semantic', 'render2 skipped', 'render ok'])
    assert.match(row?.content ?? '', /Built by a script/)
  })

  it('rejects files recognized by Content-Type or first bytes like those recognized by name', async () => {
    const before = await real.balance()
    for (const path of ['/paper', '/letter', '/download', '/workbook', '/archive', '/picture']) {
      const error = await refusal(real, { urls: [`${site}/article`, `${site}${path}`] })
      assert.deepEqual(
        [error.code, error.spec.status, error.param],
        ['onescrape_document', 400, 'urls[1]'],
      )
    }
    assert.deepEqual(await real.balance(), before)
  })

  it('reads a bare host over http if https is closed, and only https if requested', async () => {
    const { host } = new URL(site)
    const { data, charged } = await scrape(real, { urls: [`${host}/article`] })
    const [row] = data.rows
    assert.deepEqual(
      [row?.url, row?.final_url, row?.title, hopsOf(row), charged],
      [
        `https://${host}/article`,
        `${site}/article`,
        'On ledgers',
        ['semantic', 'semantic ok'],
        20_000n,
      ],
    )
    const { data: both } = await scrape(real, {
      urls: [`${host}/app`, `https://${host}/article`, `${site}/article`],
    })
    assert.deepEqual(
      both.rows.map(({ final_url: at, error }) => error ?? at),
      [`${site}/app`, 'unreadable', `${site}/article`],
    )
  })

  it('charges nothing for a page that shows only its menu, without scripts and in the browser', async () => {
    const error = await refusal(real, { urls: [`${site}/menu`] })
    assert.equal(error.code, 'all_blocked')
    const [row] = error.details?.['rows'] as PageRow[]
    assert.deepEqual(
      [row?.content, row?.quality_flags, row?.charged_micros],
      [null, ['thin_content'], 0],
    )
  })

  it('reads a page with a low yield in the browser too, and returns the better reading', async () => {
    const { data } = await scrape(real, { urls: [`${site}/lead`] })
    const [row] = data.rows
    assert.match(row?.content ?? '', /^Short lead\.[^]*Paragraph 11 tells/)
    assert.equal(row?.provider, 'render')
    assert.ok((row?.yield ?? 0) >= 0.5, String(row?.yield))
    assert.deepEqual(
      row?.hops
        .filter(({ charged_micros: charged }) => charged > 0)
        .map(({ provider }) => provider),
      ['render'],
    )
  })

  it('reports a wall as blocked and a missing page as unreadable, both free', async () => {
    const before = await real.balance()
    const error = await refusal(real, { urls: [`${site}/wall`, `${site}/missing`] })
    const rows = error.details?.['rows'] as PageRow[]
    assert.deepEqual(
      rows.map((row) => row.error),
      ['blocked', 'unreadable'],
    )
    assert.deepEqual(await real.balance(), before)
  })

  it('advises no action that this gateway cannot carry out, and a test key the ones that it can', async () => {
    const walled = await refusal(real, { urls: [`${site}/wall`] })
    assert.match(walled.fix, /no reader for walls/)
    assert.doesNotMatch(walled.fix, /onescrape-deep/)
    assert.match(
      (await refusal(simulated, { urls: ['https://wall.sim.test/'] })).fix,
      /core\/onescrape-deep/,
    )
    assert.doesNotMatch(
      (await scrape(real, { urls: [`${site}/article`] })).data.next,
      /semantic\/search/,
    )
    assert.match(
      (await scrape(simulated, { urls: ['https://example.com/'], format: 'html' })).data.next,
      /semantic\/search/,
    )
  })

  const notPublic = [
    '10.0.0.1',
    'http://0x0a.1/',
    'http://167772161/',
    'http://012.0.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://0.0.0.0/',
    'https://100.64.0.1/',
    'http://inside.example/',
    'inside.example/page',
  ]
  for (const url of notPublic) {
    it(`rejects ${url} with bad_url and its input, free, before any page is charged`, async () => {
      const before = await real.balance()
      const error = await refusal(real, { urls: [`${site}/article`, url] })
      assert.deepEqual([error.code, error.spec.status, error.param], ['bad_url', 400, 'urls[1]'])
      assert.match(error.fix, /ALLOW_PRIVATE_NETWORKS/)
      assert.deepEqual(await real.balance(), before)
    })
  }

  it('rejects localhost and non-web ports without a hold, also for a test key', async () => {
    const closed: CallBed = {
      ...simulated,
      calls: { ...simulated.calls, checkAddress: strict.checkAddress },
    }
    for (const url of [
      'localhost',
      'http://a.localhost/x',
      'http://127.0.0.1/',
      'https://example.com:22/',
    ]) {
      const error = await refusal(closed, { urls: ['https://example.com/', url] })
      assert.deepEqual([error.code, error.param], ['bad_url', 'urls[1]'], url)
    }
    assert.equal(
      (await closed.transactions()).some(({ error_code: code }) => code === 'bad_url'),
      false,
    )
    const deep = async (body: object) =>
      runCall(
        closed.calls,
        closed.request('core', 'onescrape-deep', body, { caller: closed.testCaller }),
      ).then(
        () => null,
        ({ code, param }: AppError) => [code, param],
      )
    assert.deepEqual(await deep({ urls: ['https://example.com/', 'http://10.0.0.1/'] }), [
      'bad_url',
      'urls[1]',
    ])
    assert.deepEqual(await deep({ site: { url: 'localhost:3000' } }), ['bad_url', 'site.url'])
  })

  it('rejects localhost in other page fields before any hold; readers decide about ports', async () => {
    const closed: CallBed = {
      ...simulated,
      calls: { ...simulated.calls, checkAddress: strict.checkAddress },
    }
    const refused = (service: string, action: string, body: object) =>
      runCall(
        closed.calls,
        closed.request(service, action, body, { caller: closed.testCaller }),
      ).then(
        () => null,
        ({ code, param }: AppError) => [code, param],
      )
    const held = (await closed.transactions()).length
    const bodies: readonly (readonly [string, string, object, string])[] = [
      ['render', 'scrape', { url: 'http://127.0.0.1/' }, 'url'],
      ['semantic', 'contents', { urls: ['https://example.com/', 'http://localhost/'] }, 'urls[1]'],
      ['proxy', 'scrape_residential', { url: 'http://169.254.169.254/latest' }, 'url'],
      ['files', 'upload_from_url', { url: 'https://example.com:22/' }, 'url'],
      [
        'core',
        'produce_demo',
        {
          script: [
            { action: 'open', url: 'https://example.com/' },
            { action: 'open', url: 'localhost:3000' },
          ],
        },
        'script[1].url',
      ],
      ['core', 'produce_autodemo', { url: 'http://10.0.0.1/' }, 'url'],
    ]
    for (const [service, action, body, param] of bodies)
      assert.deepEqual(
        await refused(service, action, body),
        ['bad_url', param],
        `${service}/${action}`,
      )
    assert.equal((await closed.transactions()).length, held)
    assert.equal(await refused('render', 'scrape', { url: 'https://example.com:3000/' }), null)
  })

  it('reports a page that redirects to a private network as unreadable', async () => {
    const { data } = await scrape(real, { urls: [`${site}/article`, `${site}/inward`] })
    const [, row] = data.rows
    assert.deepEqual([row?.error, row?.content], ['unreadable', null])
    assert.match(row?.reason ?? '', /redirects to an address that is not on the public internet/)
  })
})
