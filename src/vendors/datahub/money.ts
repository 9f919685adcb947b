/** Decentralized finance, coins, exchange rates, economies and earthquakes. */
import type { EndpointEntry } from '../../catalog/vocabulary/define.ts'
import { dropUndefined } from '../shared/fields.ts'
import {
  publicSource,
  openPath,
  pickQuery,
  rowsAt,
  wholeBody,
  fieldContains,
  selectRows,
} from '../shared/open-sources.ts'
import { found } from '../shared/records.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import {
  chains,
  coinGecko,
  coinMarkets,
  defiLlama,
  fees,
  frankfurter,
  protocol,
  protocols,
  slug,
  trendingCoins,
  yields,
  fieldsOf,
} from './source.ts'

const stablecoins = publicSource(
  defiLlama,
  () => ({ ...get('/stablecoins', { includePrices: true }), origin: 'stablecoins' }),
  selectRows({
    at: 'peggedAssets',
    keep: (row, { q }) => fieldContains(row, 'name', q) || fieldContains(row, 'symbol', q),
    shape: (row) => fieldsOf(row, 'id name symbol pegType pegMechanism price circulating chains'),
  }),
)

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

const coinPrices = publicSource(
  defiLlama,
  ({ coins }) => ({
    ...get(`/prices/current/${String(coins).split(',').map(encodeURIComponent).join(',')}`),
    origin: 'coins',
  }),
  rowsAt('coins'),
)

/**
 * The World Bank returns two elements: metadata and rows. The rows are null if there are no results.
 * An error has only the metadata.
 */
function worldBankRows({ body }: Reply) {
  const [meta, rows] = (Array.isArray(body) ? body : []) as readonly unknown[]
  const results = Array.isArray(rows) ? (rows as unknown[]) : []
  return found({ total: field(meta, 'total') ?? results.length, results }, results)
}

export const money: readonly EndpointEntry[] = [
  openPath(
    '/defi/protocols',
    '2',
    'List protocols of decentralized finance by total value locked, largest first.',
    'q chain category limit:integer=50',
    { category: 'Lending', limit: 2 },
    protocols,
  ),
  openPath(
    '/defi/protocol',
    '1',
    'Read one protocol of decentralized finance.',
    'slug*',
    { slug: 'aave' },
    protocol,
  ),
  openPath(
    '/defi/chains',
    '1',
    'List blockchains by total value locked.',
    'q limit:integer=50',
    { limit: 2 },
    chains,
  ),
  openPath(
    '/defi/yields',
    '2',
    'List yield pools.',
    'chain project symbol stablecoin:boolean min_tvl:number limit:integer=50',
    { chain: 'Ethereum', stablecoin: true, limit: 2 },
    yields,
  ),
  openPath(
    '/defi/prices',
    '1',
    'Read token prices by chain and address.',
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
    'List the fees that users of protocols pay, highest first.',
    'chain q limit:integer=50',
    { limit: 2 },
    fees,
  ),
  openPath(
    '/crypto/price',
    '1',
    'Read coin prices.',
    'ids* currency=usd',
    { ids: 'bitcoin' },
    publicSource(
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
  openPath('/crypto/trending', '1', 'List the most searched coins.', '', {}, trendingCoins),
  openPath(
    '/fx/latest',
    '1',
    'Read the exchange rates of the European Central Bank, such as euro to dollar.',
    'base=EUR symbols',
    { base: 'USD', symbols: 'EUR,GBP' },
    publicSource(
      frankfurter,
      (input) => get('/latest', pickQuery(input, 'base symbols')),
      rowsAt('rates'),
    ),
  ),
  openPath(
    '/fx/history',
    '1',
    'Read exchange rates of past days.',
    'from* to base=EUR symbols',
    { from: '2026-11-02', to: '2026-11-03', base: 'USD', symbols: 'EUR' },
    publicSource(
      frankfurter,
      ({ from, to = '', ...input }) =>
        get(`/${slug(from)}..${slug(to)}`, pickQuery(input, 'base symbols')),
      rowsAt('rates'),
    ),
  ),
  openPath(
    '/macro/worldbank',
    '1',
    'Read a World Bank indicator, such as GDP (NY.GDP.MKTP.CD), for one country or all.',
    'country* indicator* date per_page:integer page:integer',
    { country: 'NO', indicator: 'NY.GDP.MKTP.CD', date: '2020:2024' },
    publicSource(
      worldBank,
      (input) =>
        get(`/country/${slug(input['country'])}/indicator/${slug(input['indicator'])}`, {
          format: 'json',
          ...pickQuery(input, 'date per_page page'),
        }),
      worldBankRows,
    ),
  ),
  openPath(
    '/quakes',
    '1',
    'Find earthquakes by time, place and magnitude.',
    'starttime endtime minmagnitude:number latitude:number longitude:number maxradiuskm:number limit:integer',
    { starttime: '2026-11-01', minmagnitude: 5, limit: 2 },
    publicSource(
      usgs,
      (input) =>
        get('/fdsnws/event/1/query', {
          format: 'geojson',
          limit: 50,
          ...dropUndefined(
            pickQuery(input, 'starttime endtime minmagnitude latitude longitude maxradiuskm limit'),
          ),
        }),
      rowsAt('features'),
    ),
  ),
]
