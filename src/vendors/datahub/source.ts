/** Public sources of prices and decentralized finance, shared with the records of other vendors. */
import { dropUndefined } from '../shared/fields.ts'
import {
  publicSource,
  fieldContains,
  fieldContainsAny,
  pickQuery,
  rowsAt,
  selectRows,
  unreadableReply,
} from '../shared/open-sources.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import { asText, field, textField, messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'

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
  readFailure: messageFrom('message'),
}

export const coinGecko: Vendor = {
  label: 'coingecko',
  baseUrl: 'https://api.coingecko.com/api/v3',
  auth: { in: 'header', name: 'x-cg-demo-api-key', credential: 'KEY', optional: true },
  // A coin price takes two requests in a row.
  limits: { perMinute: 10 },
  limitsWithKey: { perMinute: 30 },
  docsUrl: 'https://docs.coingecko.com/reference/introduction',
  readFailure: messageFrom('status.error_message', 'error'),
}

export const frankfurter: Vendor = {
  label: 'frankfurter',
  baseUrl: 'https://api.frankfurter.dev/v1',
  auth: noAuth,
  limits: { perSecond: 5 },
  docsUrl: 'https://frankfurter.dev/',
  readFailure: messageFrom('message'),
}

export const slug = (value: unknown) => encodeURIComponent(String(value))

export const fieldsOf = (row: unknown, names: string): Data =>
  Object.fromEntries(names.split(' ').map((name) => [name, field(row, name) ?? null]))

/** The list of all protocols is several megabytes. */
export const protocols = publicSource(
  defiLlama,
  () => get('/protocols'),
  selectRows({
    by: 'tvl',
    keep: (row, { q, chain, category }) =>
      fieldContains(row, 'name', q) &&
      fieldContains(row, 'chains', chain) &&
      fieldContains(row, 'category', category),
    shape: (row) =>
      fieldsOf(row, 'name slug symbol category chains tvl change_1d change_7d mcap url'),
  }),
)

/** Omits the history of each chain and token, which is most of the data. */
export const protocol = publicSource(
  defiLlama,
  (input) => get(`/protocol/${slug(input['slug'])}`),
  ({ body }) =>
    textField(body, 'name') === ''
      ? unreadableReply()
      : done(
          fieldsOf(
            body,
            'name slug symbol category description url chains currentChainTvls mcap twitter audits',
          ),
        ),
)

export const chains = publicSource(
  defiLlama,
  () => get('/v2/chains'),
  selectRows({ keep: (row, { q }) => fieldContains(row, 'name', q) }),
)

export const yields = publicSource(
  defiLlama,
  () => ({ ...get('/pools'), origin: 'yields' }),
  selectRows({
    at: 'data',
    keep: (row, { chain, project, symbol, stablecoin, min_tvl: least }) =>
      fieldContainsAny(row, 'chain', chain) &&
      fieldContainsAny(row, 'project', project) &&
      fieldContainsAny(row, 'symbol', symbol) &&
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
  publicSource(
    defiLlama,
    ({ chain }) =>
      get(`/overview/fees${chain === undefined ? '' : `/${slug(chain)}`}`, {
        excludeTotalDataChart: true,
        excludeTotalDataChartBreakdown: true,
        dataType,
      }),
    selectRows({
      at: 'protocols',
      by: 'total24h',
      keep: (row, { q }) => fieldContains(row, 'name', q),
      shape: (row) =>
        fieldsOf(row, 'name slug category chains total24h total7d total30d totalAllTime change_1d'),
    }),
  )

/** The fees that users pay, and the part that a protocol keeps. */
export const fees = earnings()

export const revenues = earnings('dailyRevenue')

export const coinMarkets = publicSource(
  coinGecko,
  (input) =>
    get('/coins/markets', {
      vs_currency: 'usd',
      ...dropUndefined(
        pickQuery(input, 'currency>vs_currency ids category order limit>per_page page'),
      ),
    }),
  selectRows(),
)

export const trendingCoins = publicSource(coinGecko, () => get('/search/trending'), rowsAt('coins'))

export const osv: Vendor = {
  label: 'osv',
  baseUrl: 'https://api.osv.dev/v1',
  auth: noAuth,
  limits: { perSecond: 10 },
  docsUrl: 'https://google.github.io/osv.dev/api/',
  readFailure: messageFrom('message'),
}
