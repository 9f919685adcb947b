/**
 * Vendors' own clients whose base URL cannot be set: the tests replace the module that contains their hosts. Two of them
 * use an older version of the vendor's API than its documentation and the connector; the tests compare the transmitted
 * values and the names of their fields.
 */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import * as kicksDb from '@kicksdb/sdk'
import type { AppError } from '../../src/errors/app-error.ts'
import type { Data } from '../../src/catalog/vocabulary/outcome.ts'
import { connectorOf, KEY, recorded, recorder, sentByUs, validator } from './recorder.ts'

const require = createRequire(import.meta.url)

/** A module inside a package, whether or not the package offers it by name. */
function insideOf(packageName: string, file: string): unknown {
  return require(join(dirname(require.resolve(packageName)), file))
}

type Unlocker = { scrape(url: string, options: Data): Promise<unknown> }
const { bdclient: BrightData } = require('@brightdata/sdk') as {
  readonly bdclient: new (options: Data) => Unlocker
}
const addresses = insideOf('@brightdata/sdk', 'utils/constants.cjs') as {
  readonly API_ENDPOINT: Record<string, string>
}
addresses.API_ENDPOINT['REQUEST'] = `${recorder.url}/request`

type PageReader = { scrape(url: string, options: Data): Promise<unknown> }
const ScrapingAnt = require('@scrapingant/scrapingant-client') as new (options: Data) => PageReader
const place = insideOf('@scrapingant/scrapingant-client', 'constants.js') as { baseUrl: string }
place.baseUrl = recorder.url

type Solver = Readonly<Record<string, (given: Data) => Promise<unknown>>>
const { Solver: TwoCaptcha } = require('@2captcha/captcha-solver') as {
  readonly Solver: new (key: string, pollingMs: number) => Solver
}
const constants = insideOf('@2captcha/captcha-solver', 'structs/constants/constants.js') as {
  readonly supportedProviders: { readonly twoCaptcha: Record<string, string> }
}
const captchaHosts = constants.supportedProviders.twoCaptcha
Object.assign(captchaHosts, { in: `${recorder.url}/in.php`, res: `${recorder.url}/res.php` })

kicksDb.configureClient(KEY)

// A rejection: some clients would continue to poll after an answer.
recorder.answerWith(() => ({ body: { status: 0, request: 'ERROR_ZERO_BALANCE' } }))

function asText(fields: Iterable<readonly [string, unknown]>): Record<string, string> {
  return Object.fromEntries([...fields].map(([name, value]) => [name, String(value)]))
}

describe('sneakers', () => {
  const baseUrl = recorder.url
  const search = { query: 'dunk low', limit: 2 }
  const searched = { baseUrl, query: { query: search.query, limit: 2n, page: 1n } }
  const one = { baseUrl, path: { id: '123' } }
  /** The input of an action, and the same request by the client, whose types list its parameters. */
  const asked: readonly (readonly [action: string, given: Data, client: () => Promise<unknown>])[] =
    [
      [
        'product-search',
        { marketplace: 'stockx', ...search },
        () => kicksDb.getStockxProducts(searched),
      ],
      [
        'product-search',
        { marketplace: 'goat', ...search },
        () => kicksDb.getGoatProducts(searched),
      ],
      [
        'product-search',
        { marketplace: 'shopify', ...search },
        () => kicksDb.getShopifyProducts(searched),
      ],
      [
        'product-search',
        { marketplace: 'snkrs', ...search },
        () => kicksDb.getSnkrsProducts(searched),
      ],
      [
        'product-search',
        { marketplace: 'kream', ...search },
        () => kicksDb.getKreamProducts(searched),
      ],
      [
        'product-search',
        { marketplace: 'novelship', ...search },
        () => kicksDb.getNovelshipProducts(searched),
      ],
      ['product-detail', { marketplace: 'stockx', id: '123' }, () => kicksDb.getStockxProduct(one)],
      ['product-detail', { marketplace: 'goat', id: '123' }, () => kicksDb.getGoatProduct(one)],
      [
        'product-detail',
        { marketplace: 'shopify', id: '123' },
        () => kicksDb.getShopifyProduct(one),
      ],
      [
        'product-detail',
        { marketplace: 'kream', id: '123' },
        () => kicksDb.getKreamProduct({ baseUrl, path: { id: 123n } }),
      ],
      [
        'sales-history',
        { marketplace: 'stockx', id: '123', variant_id: 'v', limit: 2 },
        () =>
          kicksDb.getStockxProductSales({
            ...one,
            query: { variant_id: 'v', limit: 2n, page: 1n },
          }),
      ],
      [
        'sales-history',
        { marketplace: 'goat', id: '123' },
        () => kicksDb.getGoatProductSales({ baseUrl, path: { id: 123n } }),
      ],
    ]
  for (const [name, given, client] of asked)
    it(`${name} on ${String(given['marketplace'])} asks what the client asks`, async () => {
      const ours = await sentByUs(`sneakers/${name}`, given)
      const theirs = await recorded(client)
      const [our, their] = [ours, theirs].map(({ path }) => new URL(path, recorder.url)) as [
        URL,
        URL,
      ]
      assert.deepEqual(
        [ours.method, our.pathname, ours.headers.authorization],
        [theirs.method, their.pathname, theirs.headers.authorization],
      )
      assert.deepEqual(asText(our.searchParams), asText(their.searchParams))
    })
})

describe('unblock', () => {
  for (const country of [undefined, 'DE'])
    it(`sends what the client sends, ${country === undefined ? 'from anywhere' : 'from a country'}`, async () => {
      const given = { url: 'https://example.com/', ...(country === undefined ? {} : { country }) }
      const ours = await sentByUs(
        'unblock/unblock',
        { ...given, format: 'markdown' },
        { KEY, ZONE: 'zone_one' },
      )
      const { url, ...place } = given
      const client = new BrightData({
        apiKey: KEY,
        webUnlockerZone: 'zone_one',
        autoCreateZones: false,
        logLevel: 'CRITICAL',
      })
      const theirs = await recorded(() =>
        client.scrape(url, { ...place, method: 'GET', format: 'json', dataFormat: 'markdown' }),
      )
      assert.deepEqual(
        [ours.method, ours.path, ours.headers.authorization],
        [theirs.method, theirs.path, theirs.headers.authorization],
      )
      assert.deepEqual(ours.body, theirs.body)
    })
})

describe('proxy', () => {
  const script = "document.title = 'Grüße'"
  const shared = {
    url: 'https://example.com/a?b=c&d=é',
    browser: true,
    wait_for_selector: 'h1 > a',
    proxy_country: 'de',
    cookies: 'a=1;b=2',
  }
  /** Fields in the newer version's documentation that the client lacks. */
  const OURS = new Set(['timeout'])

  for (const [action, proxyType] of [
    ['proxy/scrape', 'datacenter'],
    ['proxy/scrape_residential', 'residential'],
  ] as const)
    it(`${action} carries every parameter of the client, under its name and in its form`, async () => {
      const ours = await sentByUs(action, {
        ...shared,
        js_snippet: Buffer.from(script).toString('base64'),
      })
      const client = new ScrapingAnt({ apiKey: KEY, maxRetries: 0 })
      const { url, ...options } = shared
      const theirs = await recorded(() =>
        client.scrape(url, { ...options, js_snippet: script, proxy_type: proxyType }),
      )
      assert.equal(ours.headers['x-api-key'], theirs.headers['x-api-key'])
      const asked = new URL(ours.path, recorder.url)
      // The client posts a body to version 1; version 2 takes the same as a query.
      assert.deepEqual(
        [theirs.method, theirs.path],
        ['POST', asked.pathname.replace('/v2/', '/v1/')],
      )
      assert.deepEqual(
        asText([...asked.searchParams].filter(([name]) => !OURS.has(name))),
        asText(Object.entries(theirs.body as Data)),
      )
    })
})

/** Names of a task's fields in the client's older API and in the newer one. */
const NEWER_NAMES: Readonly<Record<string, string>> = {
  pageurl: 'websiteURL',
  googlekey: 'websiteKey',
  sitekey: 'websiteKey',
  min_score: 'minScore',
  captcha_url: 'captchaUrl',
  proxytype: 'proxyType',
}
const page = { pageurl: 'https://example.com/' }
const proxied = { proxy: '203.0.113.7:3128', proxytype: 'http' }

/** A kind of task, the client's method and its name on the older wire, and what the client is given. */
const TASKS: readonly (readonly [type: string, method: string, wireName: string, given: Data])[] = [
  ['RecaptchaV2TaskProxyless', 'recaptcha', 'userrecaptcha', { ...page, googlekey: 'k' }],
  ['RecaptchaV2Task', 'recaptcha', 'userrecaptcha', { ...page, googlekey: 'k', ...proxied }],
  [
    'RecaptchaV3TaskProxyless',
    'recaptcha',
    'userrecaptcha',
    { ...page, googlekey: 'k', version: 'v3', min_score: 0.3 },
  ],
  ['TurnstileTaskProxyless', 'cloudflareTurnstile', 'turnstile', { ...page, sitekey: 'k' }],
  ['TurnstileTask', 'cloudflareTurnstile', 'turnstile', { ...page, sitekey: 'k', ...proxied }],
  ['HCaptchaTaskProxyless', 'hcaptcha', 'hcaptcha', { ...page, sitekey: 'k' }],
  ['GeeTestTaskProxyless', 'geetest', 'geetest', { ...page, gt: 'g', challenge: 'c' }],
  [
    'AmazonTaskProxyless',
    'amazonWaf',
    'amazon_waf',
    { ...page, sitekey: 'k', iv: 'i', context: 'c' },
  ],
  [
    'DataDomeSliderTask',
    'dataDome',
    'datadome',
    { ...page, captcha_url: 'https://example.com/captcha', userAgent: 'agent', ...proxied },
  ],
  ['ImageToTextTask', 'imageCaptcha', 'base64', { body: 'aGVsbG8=' }],
]

/** The same facts for us: the version is part of the type, and a proxy is given in parts. */
function newer({ proxy, version: _version, ...given }: Data): Data {
  const named = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [NEWER_NAMES[name] ?? name, value]),
  )
  const [proxyAddress, port] = String(proxy).split(':')
  return proxy === undefined ? named : { ...named, proxyAddress, proxyPort: Number(port) }
}

describe('captcha', () => {
  for (const [type, method, wireName, given] of TASKS)
    it(`${type}: the task carries what the client carries, and what the client demands is demanded`, async () => {
      const ours = (await sentByUs('captcha/solve', { task: { type, ...newer(given) } })).body as {
        readonly clientKey: string
        readonly task: Data
      }
      const solver = new TwoCaptcha(KEY, 0)
      const request = await recorded(async () => solver[method]?.(given))
      // An image is posted; everything else stands in the query.
      const theirs = asText(
        request.method === 'POST'
          ? Object.entries(request.body as Data)
          : new URL(request.path, recorder.url).searchParams,
      )
      assert.deepEqual([theirs['key'], theirs['method']], [ours.clientKey, wireName])
      assert.deepEqual(
        asText(Object.entries(ours.task)),
        asText(
          Object.entries({
            type,
            ...newer(Object.fromEntries(Object.keys(given).map((name) => [name, theirs[name]]))),
          }),
        ),
      )
      for (const name of Object.keys(given)) await demandedAlike(solver, method, type, given, name)
    })

  it('a result is requested by the same id', async () => {
    const ours = await sentByUs('captcha/result', { taskId: '17000000000000' })
    const theirs = await recorded(async () =>
      new TwoCaptcha(KEY, 0)['pollResponse']?.('17000000000000' as never),
    )
    const { key, action, id } = asText(new URL(theirs.path, recorder.url).searchParams)
    assert.deepEqual([action, { clientKey: key, taskId: Number(id) }], ['get', ours.body])
  })
})

/** The actions require every field that the client requires. */
async function demandedAlike(
  solver: Solver,
  method: string,
  type: string,
  given: Data,
  name: string,
): Promise<void> {
  const { [name]: _left, ...rest } = given
  const before = recorder.requests.length
  await solver[method]?.(rest).catch(() => undefined)
  if (recorder.requests.length > before) return
  const { action } = connectorOf('captcha/solve')
  const input = validator.validate(action.input, { task: { type, ...newer(rest) } })
  assert.throws(
    () => action.check(input),
    (error: AppError) => error.code === 'invalid_params' && String(error.param).startsWith('task.'),
    `${type} without ${name}`,
  )
}
