/**
 * Methods of vendors' SDKs whose requests our connectors send, too. test/sdk compares the requests.
 */

export type MirroredMethods = {
  /** The type declarations below node_modules, or the source of a package without them. */
  readonly file: string
  /** The class, interface or type with the methods; null for functions of the module. */
  readonly owner: string | null
  /** The actions, by method. */
  readonly methods: Readonly<Record<string, readonly string[]>>
}

export const MIRRORED_METHODS: readonly MirroredMethods[] = [
  {
    file: 'exa-js/dist/index.d.ts',
    owner: 'Exa',
    methods: { search: ['semantic/search'], getContents: ['semantic/contents'] },
  },
  {
    file: '@mendable/firecrawl-js/dist/index.d.ts',
    owner: 'FirecrawlClient',
    methods: {
      scrape: ['render/scrape'],
      map: ['render/map'],
      search: ['render/search'],
      startCrawl: ['render/crawl'],
      getCrawlStatus: ['render/crawl_status'],
      startBatchScrape: ['render/extract'],
      getBatchScrapeStatus: ['render/extract_status'],
      startAgent: ['render/extract'],
      getAgentStatus: ['render/extract_status'],
    },
  },
  {
    file: '@tavily/core/dist/index.d.ts',
    owner: 'TavilyClient',
    methods: { search: ['rag/search'], extract: ['rag/extract'] },
  },
  {
    file: 'linkup-sdk/dist/src/linkup-client.d.ts',
    owner: 'LinkupClient',
    methods: { search: ['cited/search', 'cited/deep-search'] },
  },
  {
    file: 'parallel-web/client.d.ts',
    owner: 'Parallel',
    methods: { search: ['agentic/search'], extract: ['agentic/extract'] },
  },
  {
    file: 'parallel-web/resources/task-run.d.ts',
    owner: 'TaskRun',
    methods: { create: ['agentic/task'], result: ['agentic/task-status'] },
  },
  {
    file: '@anthropic-ai/sdk/resources/messages/messages.d.ts',
    owner: 'Messages',
    methods: { create: ['llmnative-a/messages'] },
  },
  {
    file: 'openai/resources/chat/completions/completions.d.ts',
    owner: 'Completions',
    methods: { create: ['llmnative-b/chat', 'router2/chat'] },
  },
  {
    file: 'openai/resources/embeddings.d.ts',
    owner: 'Embeddings',
    methods: { create: ['llmnative-b/embeddings'] },
  },
  {
    file: 'openai/resources/images.d.ts',
    owner: 'Images',
    methods: { generate: ['llmnative-b/image-generate'] },
  },
  {
    file: 'apify-client/dist/resource_clients/actor.d.ts',
    owner: 'ActorClient',
    methods: { start: ['platform/reddit'] },
  },
  {
    file: 'serpapi/esm/src/serpapi.d.ts',
    owner: null,
    methods: { getJson: ['trends/fetch'] },
  },
  {
    file: '@brightdata/sdk/dist/types/client.d.ts',
    owner: 'bdclient',
    methods: { scrape: ['unblock/unblock'] },
  },
  {
    file: '@scrapingant/scrapingant-client/src/index.js',
    owner: null,
    methods: { scrape: ['proxy/scrape', 'proxy/scrape_residential'] },
  },
  {
    file: '@2captcha/captcha-solver/dist/structs/2captcha.d.ts',
    owner: 'Solver',
    methods: {
      recaptcha: ['captcha/solve'],
      cloudflareTurnstile: ['captcha/solve'],
      hcaptcha: ['captcha/solve'],
      geetest: ['captcha/solve'],
      amazonWaf: ['captcha/solve'],
      dataDome: ['captcha/solve'],
      imageCaptcha: ['captcha/solve'],
    },
  },
  {
    file: '@kicksdb/sdk/dist/index.d.ts',
    owner: null,
    methods: {
      getStockxProducts: ['sneakers/product-search'],
      getGoatProducts: ['sneakers/product-search'],
      getShopifyProducts: ['sneakers/product-search'],
      getSnkrsProducts: ['sneakers/product-search'],
      getKreamProducts: ['sneakers/product-search'],
      getNovelshipProducts: ['sneakers/product-search'],
      getStockxProduct: ['sneakers/product-detail'],
      getGoatProduct: ['sneakers/product-detail'],
      getShopifyProduct: ['sneakers/product-detail'],
      getKreamProduct: ['sneakers/product-detail'],
      getStockxProductSales: ['sneakers/sales-history'],
      getGoatProductSales: ['sneakers/sales-history'],
    },
  },
]
