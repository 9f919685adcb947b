/**
 * Our request equals that of the vendor's own client: method, path, query, credentials and body, for the example of each
 * action, both recorded by one server. `ours` and `theirs` name the fields that one side sends beyond the other, with
 * the reason; anything else must be equal.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { Firecrawl } from '@mendable/firecrawl-js'
import { tavily } from '@tavily/core'
import { ApifyClient } from 'apify-client'
import { Exa } from 'exa-js'
import { LinkupClient } from 'linkup-sdk'
import OpenAI from 'openai'
import { Parallel } from 'parallel-web'
import { config as serpapiConfig, getJson } from 'serpapi'
import type { Data } from '../../src/catalog/vocabulary/outcome.ts'
import { catalog, connectorOf, KEY, recorded, recorder, sentByUs, validator } from './recorder.ts'

type Comparison = {
  readonly action: string
  /** Drives the vendor's client with the same wish; what it makes of the recorder's answer is of no interest. */
  readonly client: (base: string, input: Data) => Promise<unknown>
  /** Where the client's own base path begins, when it adds one itself. */
  readonly basePath?: string
  readonly headers: readonly string[]
  readonly ours?: Readonly<Record<string, string>>
  readonly theirs?: Readonly<Record<string, string>>
}

const openai = (base: string): OpenAI => new OpenAI({ apiKey: KEY, baseURL: base, maxRetries: 0 })
const firecrawl = (base: string): Firecrawl =>
  new Firecrawl({ apiKey: KEY, apiUrl: base, maxRetries: 1 })
const parallel = (base: string): Parallel =>
  new Parallel({ apiKey: KEY, baseURL: base, maxRetries: 0 })
const rag = (base: string): ReturnType<typeof tavily> => tavily({ apiKey: KEY, apiBaseURL: base })
const plain = (input: Data): never => input as never

const TAVILY_DEFAULTS = {
  search_depth: 'the default, written out',
  include_domains: 'empty',
  exclude_domains: 'empty',
  include_images: 'the default',
  include_raw_content: 'the default',
  days: 'a default',
  max_tokens: 'a default',
  timeout: 'a hint',
  include_image_descriptions: 'the default',
  include_favicon: 'the default',
}
const FIRECRAWL_ORIGIN = { origin: 'names the client' }

const COMPARISONS: readonly Comparison[] = [
  {
    action: 'semantic/search',
    headers: ['x-api-key'],
    client: (base, { query, ...options }) =>
      new Exa(KEY, base).search(String(query), { contents: false, ...options }),
    theirs: { contents: 'switches off a default of the client' },
  },
  {
    action: 'semantic/contents',
    headers: ['x-api-key'],
    client: (base, { urls, ...options }) =>
      new Exa(KEY, base).getContents(plain(urls as never), plain(options)),
  },
  {
    action: 'render/scrape',
    basePath: '',
    headers: ['authorization'],
    client: (base, { url, ...options }) =>
      firecrawl(base).scrape(String(url), { ...options, timeout: 60_000 }),
    theirs: FIRECRAWL_ORIGIN,
  },
  {
    action: 'render/map',
    basePath: '',
    headers: ['authorization'],
    client: (base, { url, ...options }) => firecrawl(base).map(String(url), options),
    theirs: FIRECRAWL_ORIGIN,
  },
  {
    action: 'render/search',
    basePath: '',
    headers: ['authorization'],
    client: (base, { query, ...options }) => firecrawl(base).search(String(query), plain(options)),
    theirs: FIRECRAWL_ORIGIN,
  },
  {
    action: 'render/crawl',
    basePath: '',
    headers: ['authorization'],
    client: (base, { url, limit }) =>
      firecrawl(base).startCrawl(String(url), {
        limit: Number(limit),
        scrapeOptions: { formats: ['markdown'], onlyMainContent: true },
      }),
    theirs: FIRECRAWL_ORIGIN,
  },
  {
    action: 'render/extract',
    basePath: '',
    headers: ['authorization'],
    client: (base, { urls, prompt }) =>
      firecrawl(base).startBatchScrape(urls as string[], {
        options: { formats: [{ type: 'json', prompt: String(prompt) }] },
      }),
    theirs: FIRECRAWL_ORIGIN,
  },
  {
    action: 'rag/search',
    headers: ['authorization'],
    client: (base, { query }) =>
      rag(base).search(String(query), {
        maxResults: 3,
        includeAnswer: true,
        topic: 'general',
        includeUsage: true,
      }),
    theirs: TAVILY_DEFAULTS,
  },
  {
    action: 'rag/extract',
    headers: ['authorization'],
    client: (base, { urls }) =>
      rag(base).extract(urls as string[], {
        format: 'markdown',
        extractDepth: 'basic',
        includeUsage: true,
      }),
    theirs: TAVILY_DEFAULTS,
  },
  {
    action: 'cited/search',
    basePath: '/v1',
    headers: ['authorization'],
    client: (base, { q }) =>
      new LinkupClient({ apiKey: KEY, baseUrl: base }).search({
        query: String(q),
        depth: 'standard',
        outputType: 'sourcedAnswer',
        includeImages: false,
      }),
  },
  {
    action: 'agentic/search',
    headers: ['x-api-key'],
    client: (base, { objective, search_queries: queries }) =>
      parallel(base).search({
        objective: String(objective),
        search_queries: queries as string[],
        mode: 'advanced',
        advanced_settings: { max_results: 10 },
      }),
  },
  {
    action: 'agentic/extract',
    headers: ['x-api-key'],
    client: (base, { urls, objective }) =>
      parallel(base).extract({ urls: urls as string[], objective: String(objective) }),
  },
  {
    action: 'agentic/task',
    headers: ['x-api-key'],
    client: (base, { input, processor }) =>
      parallel(base).taskRun.create({ input: String(input), processor: String(processor) }),
  },
  // The vendor takes the key in either of two headers; and we name the older version of the API, which takes older bodies too.
  {
    action: 'llmnative-a/messages',
    basePath: '',
    headers: ['content-type'],
    client: (base, input) =>
      new Anthropic({ apiKey: KEY, baseURL: base, maxRetries: 0 }).messages.create(plain(input)),
  },
  {
    action: 'llmnative-b/chat',
    basePath: '/v1',
    headers: ['authorization'],
    client: (base, input) => openai(base).chat.completions.create(plain(input)),
  },
  {
    action: 'llmnative-b/embeddings',
    basePath: '/v1',
    headers: ['authorization'],
    client: (base, input) => openai(base).embeddings.create(plain(input)),
    theirs: { encoding_format: 'the client decodes base64 itself' },
  },
  {
    action: 'llmnative-b/image-generate',
    basePath: '/v1',
    headers: ['authorization'],
    client: (base, input) => openai(base).images.generate(plain(input)),
  },
  // The aggregator documents this client next to its own, which is 11 MB and uses the same protocol.
  {
    action: 'router2/chat',
    headers: ['authorization'],
    client: (base, input) => openai(base).chat.completions.create(plain(input)),
    ours: { provider: 'holds the vendor to what was held' },
  },
]

describe("our request equals that of the vendor's own client", () => {
  for (const comparison of COMPARISONS) {
    it(comparison.action, async () => {
      const { action, vendor } = connectorOf(comparison.action)
      const input = validator.validate(action.input, action.example)
      const basePath = new URL(vendor.baseUrl).pathname.replace(/\/$/, '')

      const ours = await sentByUs(comparison.action)
      const theirs = await recorded(() =>
        comparison.client(`${recorder.url}${comparison.basePath ?? basePath}`, input),
      )

      assert.deepEqual([ours.method, ours.path], [theirs.method, theirs.path])
      for (const header of comparison.headers)
        assert.equal(ours.headers[header], theirs.headers[header], header)
      assert.deepEqual(without(ours.body, comparison.ours), without(theirs.body, comparison.theirs))
    })
  }

  it('trends/fetch', async () => {
    const { action, service } = catalog.findAction('trends', 'fetch')
    assert.ok(action.kind === 'endpoint' && service.vendor !== undefined)
    const input = validator.validate(action.input, action.example)
    const { path, query } = action.request(input)
    const request = await serpapiRequest({
      engine: 'google_trends',
      q: 'espresso',
      data_type: 'TIMESERIES',
      geo: 'US',
    })
    assert.equal(path, request.pathname.replace(/^\/search$/, '/search.json'))
    for (const [key, value] of Object.entries(query ?? {}).filter(
      ([, given]) => given !== undefined,
    ))
      assert.equal(request.searchParams.get(key), String(value), key)
    assert.deepEqual(service.vendor.auth, { in: 'query', name: 'api_key', credential: 'KEY' })
    assert.equal(request.searchParams.get('api_key'), KEY)
  })

  it('platform: one request runs the actor and reads its items; the client needs two', async () => {
    const { action } = catalog.findAction('platform', 'reddit')
    assert.ok(action.kind === 'call')
    const wire = action.request(validator.validate(action.input, action.example))
    const actor = /^\/acts\/([^/]+)\/run-sync-get-dataset-items$/.exec(wire.path)?.[1] ?? ''
    const theirs = await recorded(() =>
      new ApifyClient({ token: KEY, baseUrl: recorder.url, maxRetries: 0 })
        .actor(actor.replace('~', '/'))
        .start(wire.json, {
          maxItems: 10,
          maxTotalChargeUsd: Number(wire.query?.['maxTotalChargeUsd']),
          timeout: 240,
        }),
    )
    const asked = new URL(theirs.path, recorder.url)
    // The vendor documents both names of the same path.
    assert.equal(asked.pathname.replace('/actors/', '/acts/'), `/v2/acts/${actor}/runs`)
    assert.deepEqual(theirs.body, JSON.parse(JSON.stringify(wire.json)))
    for (const [key, value] of asked.searchParams)
      assert.equal(String(wire.query?.[key]), value, key)
  })
})

function without(body: unknown, extra: Readonly<Record<string, string>> = {}): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => extra[name] === undefined))
}

/** The URL that the client requests. It supports only its own host, so the test intercepts the request. */
async function serpapiRequest(parameters: Record<string, string>): Promise<URL> {
  serpapiConfig.api_key = KEY
  const https = (await import('node:https')).default
  const original = https.get
  let asked: URL | undefined
  https.get = ((options: { hostname?: string; path?: string } | string) => {
    asked =
      typeof options === 'string'
        ? new URL(options)
        : new URL(options.path ?? '', `https://${options.hostname ?? ''}`)
    throw new TypeError('nothing leaves the test')
  }) as typeof https.get
  try {
    await getJson(parameters).catch(() => undefined)
  } finally {
    https.get = original
  }
  assert.ok(asked !== undefined, 'a request was made')
  return asked
}
