import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { createCatalog } from '../../../../catalog/index.ts'
import {
  fixtureLaneOf,
  fixtureServices,
} from '../../../../catalog/published/testing/small-catalog.ts'
import { createDiscover } from '../../../../composites/discover/create-discover.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { services } from '../../../../vendors/index.ts'
import { loadAssets } from './assets.ts'
import type { HealthReader } from '../../../../history/health-reader.ts'
import { publicRoutes } from './public-routes.ts'

/** The fixture services and the service with media models. */
const withMedia = [...fixtureServices, ...services.filter(({ models }) => models !== undefined)]
const catalog = createCatalog(withMedia)
const discover = createDiscover({ services: withMedia, laneOf: fixtureLaneOf })
let app: FastifyInstance

let requestMs = 0
before(async () => {
  app = fastify()
  app.setErrorHandler((error, _request, reply) => {
    assert.ok(error instanceof AppError, String(error))
    return reply
      .code(error.spec.status)
      .send({ code: error.code, param: error.param, fix: error.fix, details: error.details })
  })
  await app.register(publicRoutes, {
    catalog,
    laneOf: fixtureLaneOf,
    publicUrl: 'https://gate.example/',
    discover,
    // A second for each request, so that the limit of rendered pages does not apply.
    now: () => (requestMs += 1_000),
  })
})
after(() => app.close())

const ADDRESSES = [
  ['/api/run', /^application\/json/],
  ['/api/run/library/pages', /^application\/json/],
  ['/api/run/ledgers/fetch?endpoint=/ships/crew', /^application\/json/],
  ['/openapi.json', /^application\/json/],
  ['/api/catalog', /^application\/json/],
  ['/llms.txt', /^text\/plain/],
  ['/llms/library.txt', /^text\/plain/],
  ['/llms-full.txt', /^text\/plain/],
  ['/', /^text\/html/],
  ['/guide', /^text\/html/],
  ['/catalog', /^text\/html/],
  ['/catalog?q=books', /^text\/html/],
  ['/catalog?lane=live', /^text\/html/],
  ['/catalog/library/search', /^text\/html/],
  ['/catalog/ledgers/fetch/ships/crew', /^text\/html/],
  ['/catalog/ledgers/fetch?find=crew', /^text\/html/],
  ['/models', /^text\/html/],
  ['/models/kokoro', /^text\/html/],
  ['/pricing', /^text\/html/],
  ['/sitemap.xml', /^application\/xml/],
  ['/assets/tollgate.css', /^text\/css/],
  ['/assets/mark.svg', /^image\/svg/],
  ['/assets/fonts/inter.woff2', /^font\/woff2/],
  ['/assets/islands/theme.ts', /^text\/javascript/],
  ['/assets/islands/common.ts', /^text\/javascript/],
  ['/assets/islands/parts/copy.ts', /^text\/javascript/],
  ['/assets/islands/passkeys.ts', /^text\/javascript/],
  ['/assets/islands/packages/preact-hooks.js', /^text\/javascript/],
  ['/assets/social.png', /^image\/png/],
  ['/favicon.ico', /^image\/x-icon/],
  ['/robots.txt', /^text\/plain/],
  ['/docs/design', /^text\/html/],
  ['/docs', /^text\/html/],
  ['/docs.md', /^text\/markdown/],
  ['/docs/keys', /^text\/html/],
  ['/docs/keys.md', /^text\/markdown/],
  ['/docs/reference/actions/core', /^text\/html/],
  ['/docs/changelog', /^text\/html/],
  ['/docs/images/keys-light.png', /^image\/png/],
  ['/docs/search?q=idempotency', /^text\/html/],
  ['/docs/search.json?q=idempotency', /^application\/json/],
  ['/search.json?q=idempotency', /^application\/json/],
] as const

for (const [url, type] of ADDRESSES) {
  test(`GET ${url} has its media type, is cacheable and answers 304 for a known ETag`, async () => {
    const first = await app.inject({ url })
    assert.equal(first.statusCode, 200)
    assert.match(first.headers['content-type'] ?? '', type)
    assert.match(first.headers['cache-control'] ?? '', /^public, max-age=\d+/)
    const etag = String(first.headers.etag)
    assert.match(etag, /^"[\w-]{27}"$/)
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.inject({ url, headers: { 'if-none-match': tag } })
      assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag], tag)
    }
    assert.equal(
      (await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode,
      200,
    )
  })

  test(`GET ${url} is compressed on request, with its own ETag`, async () => {
    const plain = await app.inject({ url })
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'br;q=1, gzip' } })
    assert.equal(packed.headers['vary'], 'accept-encoding')
    if (packed.headers['content-encoding'] === undefined) {
      const isPacked = /^(image\/(png|x-icon)|font\/)/.test(String(packed.headers['content-type']))
      assert.ok(isPacked || plain.rawPayload.length < 1_400)
      return
    }
    assert.doesNotMatch(String(packed.headers['content-type']), /^(image\/png|font\/)/)
    assert.deepEqual(gunzipSync(packed.rawPayload), plain.rawPayload)
    assert.notEqual(packed.headers.etag, plain.headers.etag)
    assert.equal(
      (await app.inject({ url, headers: { 'accept-encoding': 'gzip;q=0' } })).headers[
        'content-encoding'
      ],
      undefined,
    )
  })

  test(`HEAD ${url} has the length and no body`, async () => {
    const { statusCode, body, headers } = await app.inject({ method: 'HEAD', url })
    assert.deepEqual([statusCode, body], [200, ''])
    assert.ok(Number(headers['content-length']) > 0)
  })
}

test('URLs in the documents start with the public URL without a double slash', async () => {
  const { endpoint } = (await app.inject({ url: '/api/run/library/search' })).json<{
    endpoint: string
  }>()
  assert.equal(endpoint, 'https://gate.example/api/run/library/search')
})

test('describes one endpoint of a passthrough on request', async () => {
  const told = (await app.inject({ url: '/api/run/ledgers/fetch?endpoint=/ships/crew' })).json<{
    upstream_endpoint: string
    required_params: string[]
  }>()
  assert.deepEqual(
    [told.upstream_endpoint, told.required_params],
    ['/ships/crew', ['endpoint', 'ship']],
  )
})

test('answers unknown services, actions and endpoints with their codes', async () => {
  for (const [url, code] of [
    ['/api/run/libary/search', 'unknown_service'],
    ['/api/run/library/serch', 'unknown_action'],
    ['/api/run/library/search?endpoint=/x', 'not_found'],
    ['/api/run/ledgers/fetch?endpoint=/x', 'not_found'],
    ['/api/run/__proto__/constructor', 'unknown_service'],
    ['/llms/libary.txt', 'not_found'],
    ['/llms/library', 'not_found'],
  ] as const) {
    const reply = await app.inject({ url })
    assert.equal(reply.statusCode, 404)
    assert.equal(reply.json<{ code: string }>().code, code)
  }
})

test('shows suggestions on the page of an unknown action', async () => {
  const reply = await app.inject({ url: '/catalog/library/serch' })
  assert.equal(reply.statusCode, 404)
  assert.match(reply.headers['content-type'] ?? '', /^text\/html/)
  assert.match(reply.body, /href="\/catalog\/library\/search"/)
})

test('redirects the address of a service to its actions', async () => {
  const reply = await app.inject({ url: '/catalog/library' })
  assert.deepEqual([reply.statusCode, reply.headers['location']], [302, '/catalog#service-library'])
  assert.match((await app.inject({ url: '/catalog' })).body, /id="service-library"/)
  assert.equal((await app.inject({ url: '/catalog/libary' })).statusCode, 404)
})

test('searches without a script and escapes the query', async () => {
  const reply = await app.inject({
    url: `/catalog?q=${encodeURIComponent('<script>alert(1)</script>')}`,
  })
  assert.doesNotMatch(reply.body, /<script(?! (?:type="module" )?src="\/assets\/)/)
  assert.match(reply.body, /&lt;script&gt;/)
  assert.match(reply.body, /No actions match|No action clearly fits/)
})

test('accepts unusual query strings of the catalog', async () => {
  for (const url of [
    '/catalog?q=a&q=b',
    `/catalog?q=${'x'.repeat(5_000)}`,
    '/catalog?lane=x',
    '/catalog?q=%00',
    '/catalog?q=a&page=0',
    '/catalog?q=books&page=9999',
    '/catalog?q=books&page=2&page=3',
  ])
    assert.equal((await app.inject({ url })).statusCode, 200, url)
})

test('caches assets permanently under their version, but not under another one', async () => {
  const { body } = await app.inject({ url: '/' })
  const [, path = ''] = /href="(\/assets\/\w+\/tollgate\.css)"/.exec(body) ?? []
  assert.match(String((await app.inject({ url: path })).headers['cache-control']), /immutable/)
  assert.doesNotMatch(
    String((await app.inject({ url: '/assets/0123456789/tollgate.css' })).headers['cache-control']),
    /immutable/,
  )
})

test('modules import only files that the gateway serves, under the same version', async () => {
  const seen = new Set<string>()
  const open = async (url: string): Promise<void> => {
    if (seen.has(url)) return
    seen.add(url)
    const { statusCode, body } = await app.inject({ url })
    assert.equal(statusCode, 200, url)
    for (const [, specifier = ''] of body.matchAll(/(?:\bfrom|\bimport)\s*["']([\w./-]+)["']/g)) {
      assert.match(specifier, /^\.\.?\//, `${url} imports ${specifier}`)
      await open(new URL(specifier, `https://gate.example${url}`).pathname)
    }
  }
  await open('/assets/0123456789/islands/common.ts')
  await open('/assets/0123456789/islands/passkeys.ts')
  await open('/assets/0123456789/islands/playground.ts')
  await open('/assets/0123456789/islands/packages/preact-hooks.js')
  assert.ok(seen.has('/assets/0123456789/islands/packages/preact.js'))
  assert.ok(seen.has('/assets/0123456789/islands/parts/copy.ts'))
})

for (const [from, to] of [
  ['/dashboard', '/balance'],
  ['/login', '/sign-in'],
  ['/signup', '/sign-up'],
] as const)
  test(`GET ${from} leads to ${to}`, async () => {
    const { statusCode, headers } = await app.inject({ url: from })
    assert.deepEqual([statusCode, headers.location], [302, to])
  })

test('filters the media models by kind or model, each with its own ETag', async () => {
  const listOf = async (query: string) => {
    const { statusCode, headers, body } = await app.inject({ url: `/api/catalog${query}` })
    return {
      statusCode,
      tag: headers.etag,
      ...(JSON.parse(body) as {
        model_count: number
        kinds: string[]
        models: { model: string; kind: string; call_cents: object }[]
        param?: string
        fix?: string
      }),
    }
  }
  const whole = await listOf('')
  const films = await listOf('?kind=video')
  assert.deepEqual([...new Set(films.models.map(({ kind }) => kind))], ['video'])
  assert.deepEqual([films.model_count, films.kinds], [films.models.length, whole.kinds])
  assert.notEqual(films.tag, whole.tag)
  assert.deepEqual(
    (await listOf('?model=nano-banana-pro')).models.map(({ model, call_cents }) => [
      model,
      call_cents,
    ]),
    [['nano-banana-pro', { least: 18, most: 144 }]],
  )
  const unknown = await listOf('?kind=films')
  assert.deepEqual([unknown.statusCode, unknown.param], [400, 'kind'])
  assert.match((await listOf('?model=nano-banan')).fix ?? '', /"nano-banana"/)
  assert.equal(
    (
      await app.inject({
        url: '/api/catalog?kind=video',
        headers: { 'if-none-match': String(films.tag) },
      })
    ).statusCode,
    304,
  )
})

test('lists the parameters and the price of each media model', async () => {
  const { models } = (await app.inject({ url: '/api/catalog' })).json<{
    models: {
      model: string
      kind: string
      async: boolean
      params: { name: string; required: boolean }[]
      unit: string
      prices: { when?: object; unit_price_cents: number }[]
    }[]
  }>()
  const found = models.find(({ model }) => model === 'nano-banana-pro')
  assert.deepEqual(
    [found?.kind, found?.async, found?.unit, found?.params[0]],
    ['image', false, 'image', { name: 'prompt', required: true }],
  )
  assert.deepEqual(
    models
      .filter(
        ({ kind }) =>
          kind === 'video' ||
          kind === 'lipsync' ||
          kind === 'background-removal' ||
          kind === 'assembly',
      )
      .map((model) => model.async)
      .includes(false),
    false,
  )
  assert.deepEqual(found?.prices, [
    { when: { resolution: '4K' }, unit_price_cents: 36, text: '36¢ per image' },
    { unit_price_cents: 18, text: '18¢ per image' },
  ])
})

test('/search.json finds actions, endpoints, models and sections of the documentation', async () => {
  const find = async (query: string) => {
    const { body } = await app.inject(`/search.json?q=${encodeURIComponent(query)}`)
    const { groups } = JSON.parse(body) as { groups: { title: string; hits: { href: string }[] }[] }
    return new Map(groups.map(({ title, hits }) => [title, hits.map(({ href }) => href)]))
  }
  assert.ok(
    (await find('crew of a ship')).get('Actions')?.includes('/catalog/ledgers/fetch/ships/crew'),
  )
  assert.ok((await find('kokoro')).get('Models')?.includes('/models/kokoro'))
  const sections = (await find('idempotency key reused')).get('Docs')
  assert.equal(sections?.[0], '/docs/reference/errors#idempotency_key_reused')
  assert.deepEqual([...(await find(' ')).keys()], [])
})

test('the scripts of each island, with those of every page, stay within the budget', async () => {
  const { files } = await loadAssets()
  const textOf = new Map(files.map(({ name, current }) => [name, current.plain.body.toString()]))
  const read = (name: string, seen: Set<string>): void => {
    if (seen.has(name)) return
    seen.add(name)
    const text = textOf.get(name) ?? assert.fail(name)
    for (const [, specifier = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*["']([\w./-]+)["']/g))
      read(new URL(specifier, `https://gate.example/${name}`).pathname.slice(1), seen)
  }
  const islands = [...textOf.keys()].filter((name) => /^islands\/[\w-]+\.ts$/.test(name))
  assert.ok(islands.length >= 4)
  for (const island of islands) {
    const seen = new Set<string>()
    for (const name of ['islands/theme.ts', 'islands/common.ts', island]) read(name, seen)
    const bytes = [...seen].reduce(
      (sum, name) => sum + Buffer.byteLength(textOf.get(name) ?? ''),
      0,
    )
    assert.ok(bytes <= 120_000, `${island}: ${bytes} bytes`)
  }
})

test('browsers get the code that they share with the server, and no other server code', async () => {
  const { files } = await loadAssets()
  const shared = files
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.ts') && !name.startsWith('islands/'))
  assert.deepEqual(shared.toSorted(), [
    'code/cli-flags.ts',
    'code/curl-example.ts',
    'code/highlight.ts',
    'code/install-lines.ts',
    'code/patterns.ts',
    'code/play-input.ts',
    'code/python-literal.ts',
    'code/snippets.ts',
    'code/typescript-literal.ts',
    'html.ts',
  ])
})

test('the landing page shows figures of real calls once they are read, and never waits for them', async () => {
  const own = fastify()
  const health = Promise.withResolvers<Awaited<ReturnType<HealthReader>>>()
  await own.register(publicRoutes, {
    catalog,
    laneOf: fixtureLaneOf,
    publicUrl: 'https://gate.example',
    discover,
    readHealth: () => health.promise,
  })
  const read = async () => (await own.inject('/')).body
  assert.doesNotMatch(await read(), /Of 400 calls/)
  const service = { medianMs: 1, p95Ms: 2 }
  const day = new Map([
    ['one', { ...service, calls: 300, succeeded: 1 }],
    ['two', { ...service, calls: 100, succeeded: 0.9 }],
  ])
  health.resolve({ value: { hour: new Map(), day, month: new Map() }, atMs: 0 })
  await new Promise(setImmediate)
  assert.match(await read(), /97\.5%[\s\S]*Of 400 calls/)
  await own.close()
})

test('the site map lists every action, endpoint and documentation page; robots.txt links it', async () => {
  const { body } = await app.inject({ url: '/sitemap.xml' })
  const urls = [...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)
  for (const path of [
    '/',
    '/status',
    '/catalog/library/search',
    '/catalog/ledgers/fetch/ships/crew',
    '/docs/keys',
    '/docs/reference/actions/core',
    '/docs/changelog',
  ])
    assert.ok(urls.includes(`https://gate.example${path}`), path)
  assert.equal(new Set(urls).size, urls.length)
  const robots = await app.inject({ url: '/robots.txt' })
  assert.match(robots.body, /^Sitemap: https:\/\/gate\.example\/sitemap\.xml$/m)
  const closed = [...robots.body.matchAll(/^Disallow: (.*)$/gm)].map(([, path = '']) => path)
  for (const url of urls) {
    const { pathname } = new URL(url ?? '')
    assert.deepEqual(
      closed.filter((path) => pathname.startsWith(path)),
      [],
      pathname,
    )
  }
  for (const path of [
    '/api/run',
    '/search.json',
    '/docs/search?q=x',
    '/welcome',
    '/operate/vendors',
  ])
    assert.ok(
      closed.some((one) => path.startsWith(one)),
      path,
    )
})

test('an unknown endpoint leads to the page of its action', async () => {
  const { statusCode, body } = await app.inject({ url: '/catalog/ledgers/fetch/ships/none' })
  assert.equal(statusCode, 404)
  assert.match(body, /href="\/catalog\/ledgers\/fetch"/)
  assert.equal((await app.inject({ url: '/catalog/library/search/x' })).statusCode, 404)
})

test('limits the pages that one client has rendered for itself', async () => {
  const own = fastify()
  own.setErrorHandler((error, _request, reply) => {
    assert.ok(error instanceof AppError, String(error))
    return reply.code(error.spec.status).send({ code: error.code })
  })
  let nowMs = 1_000_000
  await own.register(publicRoutes, {
    catalog,
    laneOf: fixtureLaneOf,
    publicUrl: 'https://gate.example',
    discover,
    now: () => nowMs,
  })
  const open = async (remoteAddress: string) =>
    (await own.inject({ url: '/catalog/ledgers/fetch/ships/crew', remoteAddress })).statusCode
  const statuses = new Map<number, number>()
  for (let at = 0; at < 700; at += 1) {
    nowMs += 50
    const status = await open('192.0.2.1')
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  assert.deepEqual(
    [...statuses],
    [
      [200, 600],
      [429, 100],
    ],
  )
  assert.equal(await open('192.0.2.2'), 200)
  nowMs += 60_000
  const together = []
  for (let at = 0; at < 50; at += 1) together.push(await open(`192.0.3.${at}`))
  assert.deepEqual([...new Set(together)], [200, 503])
  nowMs += 1_000
  assert.equal(await open('192.0.2.1'), 200)
  await own.close()
})

for (const path of ['/docs/search.json', '/search.json'])
  test(`limits searches at ${path}, but not those whose result is stored`, async () => {
    const own = fastify()
    await own.register(publicRoutes, {
      catalog,
      laneOf: fixtureLaneOf,
      publicUrl: 'https://gate.example',
      discover,
      now: () => 0,
    })
    const search = async (query: string) =>
      (await own.inject(`${path}?q=${encodeURIComponent(query)}`)).statusCode
    assert.equal(await search('limit'), 200)
    const codes: number[] = []
    for (let at = 0; at < 60; at += 1) codes.push(await search(`limit ${at}`))
    assert.ok(codes.filter((code) => code === 200).length < 60)
    assert.equal(await search('limit'), 200)
    await own.close()
  })
