/** Decentralised finance, coins, exchange rates, economies and earthquakes. */
import type { EndpointEntry } from '../../catalog/vocabulary/define.ts'
import {
  asked,
  defined,
  holds,
  holdsAny,
  openPath,
  picked,
  rowsAt,
  selected,
  unreadable,
  wholeBody,
} from '../shared/open-answers.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { asText, field, textField, wordsIn } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'

export const defiLlama: Vendor = {
  label: 'defillama',
  baseUrl: 'https://api.llama.fi',
  origins: {
    yields: 'https://yields.llama.fi',
    coins: 'https://coins.llama.fi',
    stablecoins: 'https://stablecoins.llama.fi',
  },
  auth: noAuth,
  limits: { perSecond: 5 },
  docsUrl: 'https://api-docs.defillama.com/',
  readFailure: wordsIn('message'),
}
export const coinGecko: Vendor = {
  label: 'coingecko',
  baseUrl: 'https://api.coingecko.com/api/v3',
  auth: { in: 'header', name: 'x-cg-demo-api-key', credential: 'KEY', optional: true },
  // The price of a coin takes two requests, one after the other.
  limits: { perMinute: 10 },
  limitsWithKey: { perMinute: 30 },
  docsUrl: 'https://docs.coingecko.com/reference/introduction',
  readFailure: wordsIn('status.error_message', 'error'),
}
export const frankfurter: Vendor = {
  label: 'frankfurter',
  baseUrl: 'https://api.frankfurter.dev/v1',
  auth: noAuth,
  limits: { perSecond: 5 },
  docsUrl: 'https://frankfurter.dev/',
  readFailure: wordsIn('message'),
}
const worldBank: Vendor = {
  label: 'worldbank',
  baseUrl: 'https://api.worldbank.org/v2',
  auth: noAuth,
  limits: { perSecond: 5 },
  docsUrl: 'https://datahelpdesk.worldbank.org/knowledgebase/articles/889392',
}
const usgs: Vendor = {
  label: 'usgs',
  baseUrl: 'https://earthquake.usgs.gov',
  auth: noAuth,
  limits: { perSecond: 2 },
  docsUrl: 'https://earthquake.usgs.gov/fdsnws/event/1/',
}

const slug = (value: unknown) => encodeURIComponent(String(value))
const fieldsOf = (row: unknown, names: string): Data =>
  Object.fromEntries(names.split(' ').map((name) => [name, field(row, name) ?? null]))

/** The list of all protocols runs to megabytes. */
export const protocols = asked(
  defiLlama,
  () => get('/protocols'),
  selected({
    by: 'tvl',
    keep: (row, { q, chain, category }) =>
      holds(row, 'name', q) && holds(row, 'chains', chain) && holds(row, 'category', category),
    shape: (row) =>
      fieldsOf(row, 'name slug symbol category chains tvl change_1d change_7d mcap url'),
  }),
)
/** Without the history of each chain and token, which is the bulk of it. */
export const protocol = asked(
  defiLlama,
  (input) => get(`/protocol/${slug(input['slug'])}`),
  ({ body }) =>
    textField(body, 'name') === ''
      ? unreadable()
      : done(
          fieldsOf(
            body,
            'name slug symbol category description url chains currentChainTvls mcap twitter audits',
          ),
        ),
)
export const chains = asked(
  defiLlama,
  () => get('/v2/chains'),
  selected({ keep: (row, { q }) => holds(row, 'name', q) }),
)
export const yields = asked(
  defiLlama,
  () => ({ ...get('/pools'), origin: 'yields' }),
  selected({
    at: 'data',
    keep: (row, { chain, project, symbol, stablecoin, min_tvl: least }) =>
      holdsAny(row, 'chain', chain) &&
      holdsAny(row, 'project', project) &&
      holdsAny(row, 'symbol', symbol) &&
      (stablecoin === undefined || field(row, 'stablecoin') === stablecoin) &&
      (least === undefined || Number(asText(field(row, 'tvlUsd'))) >= Number(least)),
    shape: (row) =>
      fieldsOf(
        row,
        'pool chain project symbol tvlUsd apy apyBase apyReward stablecoin ilRisk exposure',
      ),
  }),
)
const earnings = (dataType?: string) =>
  asked(
    defiLlama,
    ({ chain }) =>
      get(`/overview/fees${chain === undefined ? '' : `/${slug(chain)}`}`, {
        excludeTotalDataChart: true,
        excludeTotalDataChartBreakdown: true,
        dataType,
      }),
    selected({
      at: 'protocols',
      by: 'total24h',
      keep: (row, { q }) => holds(row, 'name', q),
      shape: (row) =>
        fieldsOf(row, 'name slug category chains total24h total7d total30d totalAllTime change_1d'),
    }),
  )
/** What users pay, and what of it a protocol keeps. */
export const fees = earnings()
export const revenues = earnings('dailyRevenue')
const coinPrices = asked(
  defiLlama,
  ({ coins }) => ({
    ...get(`/prices/current/${String(coins).split(',').map(encodeURIComponent).join(',')}`),
    origin: 'coins',
  }),
  rowsAt('coins'),
)
const stablecoins = asked(
  defiLlama,
  () => ({ ...get('/stablecoins', { includePrices: true }), origin: 'stablecoins' }),
  selected({
    at: 'peggedAssets',
    keep: (row, { q }) => holds(row, 'name', q) || holds(row, 'symbol', q),
    shape: (row) => fieldsOf(row, 'id name symbol pegType pegMechanism price circulating chains'),
  }),
)
export const coinMarkets = asked(
  coinGecko,
  (input) =>
    get('/coins/markets', {
      vs_currency: 'usd',
      ...defined(picked(input, 'currency>vs_currency ids category order limit>per_page page')),
    }),
  selected(),
)
export const trendingCoins = asked(coinGecko, () => get('/search/trending'), rowsAt('coins'))

/** Its first element tells of the second, which is null when there is nothing; a mistake comes as the first alone. */
function worldBankRows({ body }: Reply) {
  const [meta, rows] = (Array.isArray(body) ? body : []) as readonly unknown[]
  const results = Array.isArray(rows) ? (rows as unknown[]) : []
  return found({ total: field(meta, 'total') ?? results.length, results }, results)
}

export const money: readonly EndpointEntry[] = [
  openPath(
    '/defi/protocols',
    '2',
    'List protocols of decentralised finance with what is locked in them, the most first.',
    'q chain category limit:integer=50',
    { category: 'Lending', limit: 2 },
    protocols,
  ),
  openPath(
    '/defi/protocol',
    '1',
    'Read one protocol of decentralised finance.',
    'slug*',
    { slug: 'aave' },
    protocol,
  ),
  openPath(
    '/defi/chains',
    '1',
    'List blockchains with what is locked on them.',
    'q limit:integer=50',
    { limit: 2 },
    chains,
  ),
  openPath(
    '/defi/yields',
    '2',
    'List pools with their yields.',
    'chain project symbol stablecoin:boolean min_tvl:number limit:integer=50',
    { chain: 'Ethereum', stablecoin: true, limit: 2 },
    yields,
  ),
  openPath(
    '/defi/prices',
    '1',
    'Read prices of tokens by chain and address.',
    'coins*',
    { coins: 'coingecko:bitcoin' },
    coinPrices,
  ),
  openPath(
    '/defi/stablecoins',
    '1',
    'List stablecoins with their circulation, which is their market cap.',
    'q limit:integer=50',
    { q: 'USD', limit: 2 },
    stablecoins,
  ),
  openPath(
    '/defi/fees',
    '2',
    'List what the users of protocols pay in fees, the most first.',
    'chain q limit:integer=50',
    { limit: 2 },
    fees,
  ),
  openPath(
    '/crypto/price',
    '1',
    'Read prices of coins.',
    'ids* currency=usd',
    { ids: 'bitcoin' },
    asked(
      coinGecko,
      ({ ids, currency = 'usd' }) =>
        get('/simple/price', { ids: String(ids), vs_currencies: String(currency) }),
      wholeBody,
    ),
  ),
  openPath(
    '/crypto/markets',
    '1',
    'Rank coins by market value, with prices and volumes.',
    'currency=usd ids category order limit:integer page:integer',
    { limit: 2 },
    coinMarkets,
  ),
  openPath(
    '/crypto/trending',
    '1',
    'List the coins that people look for most.',
    '',
    {},
    trendingCoins,
  ),
  openPath(
    '/fx/latest',
    '1',
    'Read the exchange rates of the European Central Bank, such as euro to dollar.',
    'base=EUR symbols',
    { base: 'USD', symbols: 'EUR,GBP' },
    asked(frankfurter, (input) => get('/latest', picked(input, 'base symbols')), rowsAt('rates')),
  ),
  openPath(
    '/fx/history',
    '1',
    'Read exchange rates of past days.',
    'from* to base=EUR symbols',
    { from: '2026-11-02', to: '2026-11-03', base: 'USD', symbols: 'EUR' },
    asked(
      frankfurter,
      ({ from, to = '', ...input }) =>
        get(`/${slug(from)}..${slug(to)}`, picked(input, 'base symbols')),
      rowsAt('rates'),
    ),
  ),
  openPath(
    '/macro/worldbank',
    '1',
    'Read an indicator of the World Bank, such as the GDP (NY.GDP.MKTP.CD), for a country or all.',
    'country* indicator* date per_page:integer page:integer',
    { country: 'NO', indicator: 'NY.GDP.MKTP.CD', date: '2020:2024' },
    asked(
      worldBank,
      (input) =>
        get(`/country/${slug(input['country'])}/indicator/${slug(input['indicator'])}`, {
          format: 'json',
          ...picked(input, 'date per_page page'),
        }),
      worldBankRows,
    ),
  ),
  openPath(
    '/quakes',
    '1',
    'Find earthquakes by time, place and strength.',
    'starttime endtime minmagnitude:number latitude:number longitude:number maxradiuskm:number limit:integer',
    { starttime: '2026-11-01', minmagnitude: 5, limit: 2 },
    asked(
      usgs,
      (input) =>
        get('/fdsnws/event/1/query', {
          format: 'geojson',
          limit: 50,
          ...defined(
            picked(input, 'starttime endtime minmagnitude latitude longitude maxradiuskm limit'),
          ),
        }),
      rowsAt('features'),
    ),
  ),
]
