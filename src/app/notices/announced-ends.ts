/**
 * Routes and models that vendors have announced to end, from their public documentation of November
 * 2026. A test fails when nothing in the catalog depends on a row: delete such a row.
 */

/** `route`: a path below a vendor's base address. `model`: a name that an input, a tier or a price list contains. */
export type Ending =
  | { readonly kind: 'route'; readonly baseUrl: string; readonly path: RegExp }
  | { readonly kind: 'model'; readonly name: string }

export type AnnouncedEnd = {
  readonly vendor: string
  /** In the vendor's words. */
  readonly ends: string
  /** In milliseconds since 1970, UTC. A date without a time means its first minute. */
  readonly atMs: number
  readonly successor: string
  readonly source: string
  readonly ending: Ending
  /** Methods of the vendor's SDK that end with it. tools/vendor-sdks.ts allows them meanwhile. */
  readonly sdkMethods?: readonly string[]
}

const OPENAI = 'https://developers.openai.com/api/docs/deprecations'

const openaiImages = (name: string, atMs: number): AnnouncedEnd => ({
  vendor: 'OpenAI',
  ends: name,
  atMs,
  successor: 'gpt-image-2.6-sunburst or gpt-image-2.6-flare',
  source: OPENAI,
  ending: { kind: 'model', name },
})

export const ANNOUNCED_ENDS: readonly AnnouncedEnd[] = [
  openaiImages('gpt-image-1', Date.UTC(2026, 9, 23)),
  openaiImages('gpt-image-1.5', Date.UTC(2026, 11, 1)),
  openaiImages('gpt-image-1-mini', Date.UTC(2026, 11, 1)),
  {
    vendor: 'Firecrawl',
    ends: 'POST /v2/extract and GET /v2/extract/{id}',
    atMs: Date.UTC(2026, 11, 10, 15),
    successor: 'POST /v2/scrape with a JSON format, or POST /v2/agent',
    source: 'https://docs.firecrawl.dev/migrating-from-extract',
    ending: { kind: 'route', baseUrl: 'https://api.firecrawl.dev/v2', path: /^\/extract(\/|$)/ },
    sdkMethods: ['FirecrawlClient.startExtract', 'FirecrawlClient.getExtractStatus'],
  },
  {
    vendor: 'Polymarket',
    ends: 'GET /markets and GET /events without keyset',
    atMs: Date.UTC(2026, 4, 1),
    successor: 'GET /markets/keyset and GET /events/keyset',
    source: 'https://github.com/forecastingresearch/forecastbench/issues/194',
    ending: {
      kind: 'route',
      baseUrl: 'https://gamma-api.polymarket.com',
      path: /^\/(markets|events)$/,
    },
  },
]
