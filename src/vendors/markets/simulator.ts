/**
 * AskSurf (bearer key) and Predexon (header x-api-key) on any path. Also the public sources of
 * market data.
 */
import { isMiss, json, keyedData, openData, SIMULATED } from '../../simulators/open-data.ts'
import { routed, type RoutedVendor } from '../../simulators/routed.ts'
import { bearerCredential, type SimulatedRequest } from '../../simulators/vendor.ts'

/** Returns the same sample answer on every path of one to six parts. */
function everywhere(
  methods: readonly string[],
  answer: (request: SimulatedRequest) => unknown,
): RoutedVendor['routes'] {
  const paths = [
    '/:a',
    '/:a/:b',
    '/:a/:b/:c',
    '/:a/:b/:c/:d',
    '/:a/:b/:c/:d/:e',
    '/:a/:b/:c/:d/:e/:f',
  ]
  return Object.fromEntries(
    methods.flatMap((method) =>
      paths.map((path) => [
        `${method} ${path}`,
        (request: SimulatedRequest) => json(answer(request)),
      ]),
    ),
  )
}

const markets = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status, reason) =>
    json(
      {
        error: {
          code: reason === 'quota' ? 'PAID_BALANCE_ZERO' : 'SIMULATED',
          message: `Simulated failure with status ${status}.`,
        },
      },
      status,
    ),
  routes: everywhere(['GET', 'POST'], (request) => ({
    data: isMiss(request, 'markets')
      ? []
      : [{ path: request.path, value: 65_000, note: SIMULATED }],
    meta: { credits: 1 },
  })),
})

const predexon = keyedData(
  { header: 'x-api-key' },
  everywhere(['GET', 'POST'], (request) => ({
    data: isMiss(request, 'predexon') ? [] : [{ path: request.path, note: SIMULATED }],
    pagination: { has_more: false },
  })),
)

const candle = [1_795_000_000_000, '64000', '66000', '63000', '65000', '12.5', 1_795_003_599_999]

const binance = openData(
  {
    'GET /ticker/price': ({ query }) =>
      query.get('symbol') === 'NOSUCH'
        ? json({ code: -1121, msg: 'Invalid symbol. (simulated)' }, 400)
        : json(
            query.has('symbol')
              ? { symbol: query.get('symbol'), price: '65000.00' }
              : [
                  { symbol: 'BTCUSDT', price: '65000.00' },
                  { symbol: 'ETHUSDT', price: '3000.00' },
                ],
          ),
    'GET /depth': () =>
      json({ lastUpdateId: 1, bids: [['64999.0', '1']], asks: [['65001.0', '1']] }),
    'GET /klines': () => json([candle]),
    'GET /futures/fapi/v1/premiumIndex': ({ query }) => {
      const row = {
        symbol: query.get('symbol') ?? 'BTCUSDT',
        markPrice: '65000',
        lastFundingRate: '0.0001',
        nextFundingTime: 1_795_003_600_000,
      }
      return json(query.has('symbol') ? row : [row])
    },
    'GET /futures/fapi/v1/openInterest': ({ query }) =>
      json({ symbol: query.get('symbol'), openInterest: '1000', time: 1 }),
    'GET /futures/fapi/v1/fundingRate': ({ query }) =>
      json([{ symbol: query.get('symbol'), fundingRate: '0.0001', fundingTime: 1 }]),
    'GET /futures/futures/data/globalLongShortAccountRatio': ({ query }) =>
      json([{ symbol: query.get('symbol'), longShortRatio: '1.5', timestamp: 1 }]),
  },
  (status) => json({ code: -1, msg: `Simulated failure with status ${status}.` }, status),
)

const prediction = {
  id: '1',
  slug: 'simulated-market',
  question: 'Will this simulation end?',
  description: SIMULATED,
  outcomePrices: '["0.4","0.6"]',
}

const rows = (row: object) => (request: SimulatedRequest) =>
  json(isMiss(request, 'polymarket') ? [] : [row])

/** Settled rows are listed only on request. The slug of the settled row is "settled". */
const keyset = (name: string, row: object) => (request: SimulatedRequest) => {
  const isSettled = request.query.get('slug') === 'settled'
  const isListed = isSettled === (request.query.get('closed') === 'true')
  return json({
    [name]: isMiss(request, 'polymarket') || !isListed ? [] : [{ ...row, closed: isSettled }],
    next_cursor: 'simulated',
  })
}

const polymarket = openData({
  'GET /markets/keyset': keyset('markets', prediction),
  'GET /events/keyset': keyset('events', {
    id: '1',
    slug: 'simulated-event',
    title: SIMULATED,
    markets: [prediction],
  }),
  'GET /public-search': (request) =>
    json({
      events: isMiss(request, 'polymarket')
        ? []
        : [{ id: '1', title: SIMULATED, markets: [prediction] }],
    }),
  'GET /clob/book': ({ query }) =>
    json({
      market: 'simulated',
      asset_id: query.get('token_id'),
      bids: [{ price: '0.4', size: '10' }],
      asks: [{ price: '0.42', size: '10' }],
    }),
  'GET /clob/midpoint': () => json({ mid: '0.41' }),
  'GET /clob/prices-history': () => json({ history: [{ t: 1_795_000_000, p: 0.41 }] }),
  'GET /data/trades': rows({ side: 'BUY', size: 10, price: 0.41, title: SIMULATED }),
  'GET /data/activity': rows({ type: 'TRADE', usdcSize: 4.1, title: SIMULATED }),
  'GET /data/positions': rows({ size: 10, avgPrice: 0.4, title: SIMULATED }),
  'GET /data/holders': rows({ token: '1', holders: [{ proxyWallet: '0x1', amount: 10 }] }),
})

const bet = { ticker: 'SIM-26', title: SIMULATED, yes_bid: 40, yes_ask: 42, status: 'active' }

const kalshi = openData({
  'GET /markets': (request) =>
    json({ markets: isMiss(request, 'kalshi') ? [] : [bet], cursor: '' }),
  'GET /markets/trades': ({ query }) =>
    json({
      trades: [
        {
          ticker: query.get('ticker'),
          count: 5,
          yes_price: 41,
          created_time: '2026-11-20T10:00:00Z',
        },
      ],
      cursor: '',
    }),
  'GET /markets/:ticker': (_, { ticker }) =>
    ticker === 'nobody'
      ? json({ error: { code: 'not_found', message: 'not found (simulated)' } }, 404)
      : json({ market: { ...bet, ticker } }),
  'GET /markets/:ticker/orderbook': () =>
    json({
      orderbook_fp: { yes_dollars: [['0.4000', '10.00']], no_dollars: [['0.5800', '10.00']] },
    }),
})

const alternativeme = openData({
  'GET /fng/': () =>
    json({
      name: 'Fear and Greed Index',
      data: [{ value: '55', value_classification: 'Greed', timestamp: '1795000000' }],
      metadata: { error: null },
    }),
})

export const simulators = { markets, predexon, binance, polymarket, kalshi, alternativeme }
