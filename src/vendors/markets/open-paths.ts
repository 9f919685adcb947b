/**
 * The public sources of prices, order books and prediction markets, by the path that each serves
 * without a key.
 */
import { AppError } from '../../errors/app-error.ts'
import { parseTime } from '../../lib/clock.ts'
import type { OpenSource } from '../../catalog/vocabulary/define.ts'
import { dropUndefined } from '../shared/fields.ts'
import {
  publicSource,
  withCheck,
  withParams,
  pageRows,
  pickQuery,
  renameParams,
  unreadableReply,
} from '../shared/open-sources.ts'
import { empty, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { asText, field, messageFrom, isErrorAlone } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, type Vendor, type Reply } from '../../catalog/vocabulary/wire.ts'
import { coinGecko, coinMarkets, fees, protocols, revenues, yields } from '../datahub/source.ts'
import { alternativeMe, binance } from './source.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { found } from '../shared/records.ts'

/** The source's rows in the vendor's envelope, with the source's name. */
function rowsOf(source: string, at = ''): (reply: Reply) => Outcome {
  return (reply) => {
    const { body } = reply
    if (typeof body !== 'object' || body === null || isErrorAlone(reply)) return unreadableReply()
    const data = at === '' ? body : at.split('.').reduce<unknown>(field, body)
    return found({ data: isFilled(data) ? data : [], meta: { source } }, [data])
  }
}

const futures = (path: string, query: (input: Data) => Data) =>
  publicSource(
    binance,
    (input) => ({ ...get(path, query(input) as Record<string, string>), origin: 'futures' }),
    rowsOf('binance'),
  )

const polymarket: Vendor = {
  label: 'polymarket',
  baseUrl: 'https://gamma-api.polymarket.com',
  origins: { clob: 'https://clob.polymarket.com', data: 'https://data-api.polymarket.com' },
  auth: noAuth,
  limits: { perSecond: 10 },
  docsUrl: 'https://docs.polymarket.com/',
  readFailure: messageFrom('error', 'message'),
}

const kalshi: Vendor = {
  label: 'kalshi',
  baseUrl: 'https://api.elections.kalshi.com/trade-api/v2',
  auth: noAuth,
  limits: { perSecond: 10 },
  docsUrl: 'https://docs.kalshi.com/',
  readFailure: messageFrom('error.message', 'message'),
}

/** "BTC-USDT", "BTC/USDT" and "btcusdt" are the same pair. */
const symbolOf = (pair: unknown) =>
  String(pair)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()

/** A day, or seconds since 1970, in milliseconds. Throws AppError for anything else. */
function toMillis(moment: unknown, param: string): number | undefined {
  if (moment === undefined) return undefined
  const text = asText(moment)
  const ms = /^\d{9,10}$/.test(text) ? Number(text) * 1000 : parseTime(text)
  if (ms === null)
    throw new AppError('invalid_params', `"${param}" is not a valid time.`, {
      param,
      fix: 'Send a day such as "2026-11-20", or seconds since 1970.',
    })
  return ms
}

function checkMoments({ from, to }: Data): void {
  toMillis(from, 'from')
  toMillis(to, 'to')
}

const seconds = (moment: unknown) => (typeof moment === 'number' ? moment * 1000 : undefined)

const spot = (path: string, query: (input: Data) => Data) =>
  publicSource(
    binance,
    (input) => get(path, query(input) as Record<string, string>),
    rowsOf('binance'),
  )

const DAYS: Readonly<Record<string, number>> = {
  '24h': 1,
  '1d': 1,
  '7d': 7,
  '14d': 14,
  '30d': 30,
  '90d': 90,
  '180d': 180,
  '365d': 365,
  '1y': 365,
}

const priceHistory = publicSource(
  coinGecko,
  ({ symbol }) => get('/search', { query: String(symbol) }),
  rowsOf('coingecko', 'prices'),
  [
    ({ body }, { symbol, time_range: range }) => {
      const coins = field(body, 'coins')
      const coin: unknown = Array.isArray(coins)
        ? coins.find(
            (listed) =>
              asText(field(listed, 'symbol')).toUpperCase() === String(symbol).toUpperCase(),
          )
        : undefined
      const id = field(coin, 'id')
      if (typeof id !== 'string')
        throw new AppError('upstream_not_found', 'No coin has this symbol.', {
          param: 'symbol',
        })
      return get(`/coins/${encodeURIComponent(id)}/market_chart`, {
        vs_currency: 'usd',
        days: DAYS[String(range)] ?? 30,
      })
    },
  ],
)

/**
 * The vendor announced the end of the lists without `/keyset` for 1 May 2026 (docs.polymarket.com). A
 * list contains either open or settled rows. A named row that is not open may be settled.
 */
const gamma = (rows: 'markets' | 'events', names: string) => {
  const page = (input: Data, closed: boolean) =>
    get(`/${rows}/keyset`, { ...dropUndefined(pickQuery(input, names)), closed })
  return publicSource(polymarket, (input) => page(input, false), rowsOf('polymarket', rows), [
    ({ body }, input) =>
      input['market_slug'] === undefined && input['event_slug'] === undefined
        ? null
        : isFilled(field(body, rows))
          ? null
          : page(input, true),
  ])
}

const searchPolymarket = publicSource(
  polymarket,
  ({ q, search, limit = 20 }) =>
    get('/public-search', { q: asText(q ?? search), limit_per_type: Number(limit) }),
  rowsOf('polymarket', 'events'),
)

const clob = (path: string, query: (input: Data) => Data) =>
  publicSource(
    polymarket,
    (input) => ({ ...get(path, query(input) as Record<string, string>), origin: 'clob' }),
    rowsOf('polymarket'),
  )

const dataApi = (path: string, names: string) =>
  publicSource(
    polymarket,
    (input) => ({ ...get(path, dropUndefined(pickQuery(input, names))), origin: 'data' }),
    rowsOf('polymarket'),
  )

const tokenCandles = clob('/prices-history', ({ token_id: market, interval = '1d' }) => ({
  market,
  interval,
  fidelity: 60,
}))

const onKalshi = (path: (input: Data) => string, names: string, at: string) =>
  publicSource(
    kalshi,
    (input) => get(path(input), dropUndefined(pickQuery(input, names))),
    rowsOf('kalshi', at),
  )

/** The protocol rankings that the public source supports. */
const RANKINGS: Readonly<Record<string, OpenSource>> = { tvl: protocols, fees, revenue: revenues }

const rankingOf = ({ metric }: Data): OpenSource => RANKINGS[asText(metric)] ?? protocols

const defiRanking = withParams('metric(tvl|fees|revenue) limit offset', {
  ...protocols,
  request: (input) => rankingOf(input).request(input),
  outcome: (reply, input) => addEnvelope(rankingOf(input).outcome(reply, input)),
})

function addEnvelope(outcome: Outcome): Outcome {
  if (outcome.kind === 'failed') return outcome
  const data = { data: outcome.data['results'], meta: { source: 'defillama' } }
  return outcome.kind === 'empty' ? empty(data) : { ...outcome, data }
}

const SURF = '/api/v1/surf/'

const PM = '/api/v1/pm/'

export const openPaths: Readonly<Record<string, OpenSource>> = {
  [`${SURF}exchange/price`]: withParams(
    'pair exchange(binance) type(spot)',
    spot('/ticker/price', ({ pair }) => ({ symbol: symbolOf(pair) })),
  ),
  [`${SURF}exchange/markets`]: withParams(
    'exchange(binance) type(spot) limit offset',
    publicSource(
      binance,
      () => get('/ticker/price'),
      (reply, input) =>
        rowsOf('binance')({
          ...reply,
          body: Array.isArray(reply.body) ? pageRows(reply.body, input) : reply.body,
        }),
    ),
  ),
  [`${SURF}exchange/depth`]: withParams(
    'pair exchange(binance) type(spot) limit',
    spot('/depth', ({ pair, limit = 100 }) => ({ symbol: symbolOf(pair), limit })),
  ),
  [`${SURF}exchange/klines`]: withParams(
    'pair exchange(binance) type(spot) interval limit from to',
    withCheck(
      checkMoments,
      spot('/klines', ({ pair, interval = '1h', limit, from, to }) => ({
        symbol: symbolOf(pair),
        interval,
        limit,
        startTime: toMillis(from, 'from'),
        endTime: toMillis(to, 'to'),
      })),
    ),
  ),
  [`${SURF}exchange/perp`]: withParams(
    'pair exchange(binance)',
    futures('/fapi/v1/premiumIndex', ({ pair }) => ({ symbol: symbolOf(pair) })),
  ),
  [`${SURF}exchange/funding-history`]: withParams(
    'pair exchange(binance) limit from to',
    withCheck(
      checkMoments,
      futures('/fapi/v1/fundingRate', ({ pair, limit, from, to }) => ({
        symbol: symbolOf(pair),
        limit,
        startTime: toMillis(from, 'from'),
        endTime: toMillis(to, 'to'),
      })),
    ),
  ),
  [`${SURF}exchange/long-short-ratio`]: withParams(
    'pair exchange(binance) interval limit',
    futures('/futures/data/globalLongShortAccountRatio', ({ pair, interval = '1h', limit }) => ({
      symbol: symbolOf(pair),
      period: interval,
      limit,
    })),
  ),
  [`${SURF}market/price`]: withParams(
    `symbol time_range(${Object.keys(DAYS).join('|')})`,
    priceHistory,
  ),
  [`${SURF}market/ranking`]: withParams('limit', { ...coinMarkets, outcome: rowsOf('coingecko') }),
  [`${SURF}market/fear-greed`]: withParams(
    'limit',
    publicSource(
      alternativeMe,
      ({ limit = 30 }) => get('/fng/', { limit: Number(limit), format: 'json' }),
      rowsOf('alternative.me', 'data'),
    ),
  ),
  [`${SURF}onchain/yield/ranking`]: withEnvelope(
    renameParams(yields, 'asset>symbol protocol>project'),
  ),
  [`${SURF}project/defi/ranking`]: defiRanking,
  [`${SURF}search/polymarket`]: withParams('q limit', searchPolymarket),
  [`${SURF}prediction-market/polymarket/markets`]: gamma('markets', 'market_slug>slug'),
  [`${SURF}prediction-market/polymarket/events`]: gamma('events', 'event_slug>slug'),
  [`${SURF}prediction-market/polymarket/positions`]: dataApi(
    '/positions',
    'address>user limit offset',
  ),
  [`${SURF}prediction-market/polymarket/activity`]: dataApi(
    '/activity',
    'address>user limit offset',
  ),
  [`${SURF}prediction-market/kalshi/markets`]: onKalshi(
    ({ market_ticker: ticker }) => `/markets/${encodeURIComponent(String(ticker))}`,
    'with_nested_markets',
    'market',
  ),
  [`${SURF}prediction-market/kalshi/trades`]: withParams(
    'ticker limit',
    onKalshi(() => '/markets/trades', 'ticker limit', 'trades'),
  ),
  [`${PM}polymarket/markets`]: withParams(
    'market_slug limit',
    gamma('markets', 'market_slug>slug limit'),
  ),
  [`${PM}polymarket/events`]: withParams(
    'event_slug limit',
    gamma('events', 'event_slug>slug limit'),
  ),
  [`${PM}polymarket/orderbooks`]: withParams(
    'token_id',
    clob('/book', ({ token_id: token }) => ({ token_id: token })),
  ),
  [`${PM}polymarket/market-price/{token_id}`]: withParams(
    'token_id',
    clob('/midpoint', ({ token_id: token }) => ({ token_id: token })),
  ),
  [`${PM}polymarket/candlesticks/token/{token_id}`]: withParams('token_id interval', tokenCandles),
  [`${PM}polymarket/trades`]: withParams(
    'condition_id wallet side limit',
    dataApi('/trades', 'condition_id>market wallet>user side limit'),
  ),
  [`${PM}polymarket/activity`]: withParams(
    'user type limit',
    dataApi('/activity', 'user type limit'),
  ),
  [`${PM}polymarket/positions`]: withParams(
    'user condition_id limit',
    dataApi('/positions', 'user condition_id>market limit'),
  ),
  [`${PM}polymarket/market/{condition_id}/top-holders`]: dataApi(
    '/holders',
    'condition_id>market limit',
  ),
  [`${PM}markets/search`]: withParams('q limit', searchPolymarket),
  [`${PM}kalshi/markets`]: withParams(
    'status event_ticker series_ticker limit pagination_key',
    onKalshi(
      () => '/markets',
      'status event_ticker series_ticker limit pagination_key>cursor',
      'markets',
    ),
  ),
  [`${PM}kalshi/trades`]: withParams(
    'ticker limit pagination_key',
    onKalshi(() => '/markets/trades', 'ticker limit pagination_key>cursor', 'trades'),
  ),
  [`${PM}kalshi/orderbooks`]: withParams(
    'ticker limit',
    onKalshi(
      ({ ticker }) => `/markets/${encodeURIComponent(String(ticker))}/orderbook`,
      'limit>depth',
      'orderbook_fp',
    ),
  ),
  [`${PM}binance/candles/{symbol}`]: spot(
    '/klines',
    ({ symbol, interval = '1h', limit, start_time: from, end_time: to }) => ({
      symbol: symbolOf(symbol),
      interval,
      limit,
      startTime: seconds(from),
      endTime: seconds(to),
    }),
  ),
}

function withEnvelope(source: OpenSource): OpenSource {
  return { ...source, outcome: (reply, input) => addEnvelope(source.outcome(reply, input)) }
}
