/** Public sources of decentralized finance, coins, exchange rates, economies and earthquakes. */
import { isMiss, json, openData, SIMULATED } from '../../simulators/open-data.ts'

const PROTOCOL = {
  id: '1',
  name: 'Aave (simulated)',
  slug: 'aave',
  symbol: 'AAVE',
  category: 'Lending',
  chains: ['Ethereum', 'Base'],
  tvl: 123456,
  change_1d: 0.1,
  change_7d: -1.2,
  mcap: 1000,
  url: 'https://example.com',
  description: SIMULATED,
}
const pool = (chain: string) => ({
  pool: `simulated-${chain}`,
  chain,
  project: 'aave-v3',
  symbol: 'USDC',
  tvlUsd: 1_000_000,
  apy: 4.2,
  apyBase: 4.2,
  apyReward: null,
  stablecoin: true,
  ilRisk: 'no',
  exposure: 'single',
})

export const defillama = openData(
  {
    'GET /protocols': () =>
      json([
        PROTOCOL,
        { ...PROTOCOL, name: 'Simulated Exchange', slug: 'simulated-exchange', category: 'Dexs' },
      ]),
    'GET /protocol/:slug': (_, { slug = '' }) =>
      slug === 'nobody'
        ? json({ message: 'Protocol is not found (simulated)' }, 400)
        : json({
            ...PROTOCOL,
            slug,
            currentChainTvls: { Ethereum: 100 },
            tvl: [{ date: 1, totalLiquidityUSD: 1 }],
          }),
    'GET /tvl/:slug': (_, { slug }) =>
      slug === 'nobody'
        ? json({ message: 'Protocol is not found (simulated)' }, 400)
        : { status: 200, text: '123456.78', contentType: 'application/json' },
    'GET /v2/chains': () =>
      json([
        { name: 'Ethereum', tvl: 5e10, tokenSymbol: 'ETH' },
        { name: 'Base', tvl: 4e9, tokenSymbol: null },
      ]),
    'GET /overview/:kind': ({ query }) => {
      const part = query.get('dataType') === 'dailyRevenue' ? 0.1 : 1
      const earning = (name: string, day: number) => ({
        name: `${name} (simulated)`,
        slug: name.toLowerCase(),
        category: 'Lending',
        chains: ['Ethereum'],
        total24h: day * part,
        total7d: 7 * day * part,
      })
      return json({ total24h: 30 * part, protocols: [earning('Aave', 10), earning('Lido', 20)] })
    },
    'GET /overview/:kind/:chain': () =>
      json({ total24h: 10, protocols: [{ name: 'Aave (simulated)', slug: 'aave', total24h: 10 }] }),
    'GET /yields/pools': () => json({ status: 'success', data: [pool('Ethereum'), pool('Base')] }),
    'GET /coins/prices/current/:coins': (_, { coins = '' }) =>
      json({
        coins:
          coins === 'nobody'
            ? {}
            : Object.fromEntries(
                coins
                  .split(',')
                  .map((coin) => [
                    coin,
                    { price: 65_000, symbol: 'BTC', timestamp: 1_795_000_000, confidence: 0.99 },
                  ]),
              ),
      }),
    'GET /stablecoins/stablecoins': () =>
      json({
        peggedAssets: [
          {
            id: '1',
            name: 'Simulated USD',
            symbol: 'USDX',
            pegType: 'peggedUSD',
            pegMechanism: 'fiat-backed',
            price: 1,
            circulating: { peggedUSD: 1000 },
            chains: ['Ethereum'],
          },
        ],
      }),
  },
  (status) => json({ message: `Simulated failure with status ${status}.` }, status),
)

const coin = {
  id: 'bitcoin',
  symbol: 'btc',
  name: 'Bitcoin',
  current_price: 65_000,
  market_cap: 1.2e12,
  market_cap_rank: 1,
  total_volume: 2e10,
  price_change_percentage_24h: 1.5,
  note: SIMULATED,
}

export const coingecko = openData(
  {
    'GET /simple/price': ({ query }) =>
      json(
        Object.fromEntries(
          (query.get('ids') ?? '')
            .split(',')
            .filter((id) => id !== 'nobody')
            .map((id) => [id, { [query.get('vs_currencies') ?? 'usd']: 65_000 }]),
        ),
      ),
    'GET /coins/markets': (request) =>
      json(
        isMiss(request, 'coingecko')
          ? []
          : [coin, { ...coin, id: 'ethereum', symbol: 'eth', name: 'Ethereum' }],
      ),
    'GET /search/trending': () => json({ coins: [{ item: coin }], nfts: [], categories: [] }),
    'GET /search': (request) =>
      json({
        coins: isMiss(request, 'coingecko')
          ? []
          : [{ id: 'bitcoin', symbol: 'BTC', name: 'Bitcoin', market_cap_rank: 1 }],
      }),
    'GET /coins/:id/market_chart': () =>
      json({
        prices: [[1_795_000_000_000, 65_000]],
        market_caps: [[1_795_000_000_000, 1.2e12]],
        total_volumes: [[1_795_000_000_000, 2e10]],
      }),
  },
  (status) =>
    json(
      { status: { error_code: status, error_message: `Simulated failure with status ${status}.` } },
      status,
    ),
)

export const frankfurter = openData(
  {
    'GET /latest': ({ query }) =>
      json({
        amount: 1,
        base: query.get('base') ?? 'EUR',
        date: '2026-11-19',
        rates: { EUR: 0.92, GBP: 0.79 },
      }),
    'GET /:days': ({ query }) =>
      json({
        amount: 1,
        base: query.get('base') ?? 'EUR',
        start_date: '2026-11-02',
        end_date: '2026-11-03',
        rates: { '2026-11-02': { EUR: 0.92 } },
      }),
  },
  (status) => json({ message: `Simulated failure with status ${status}.` }, status),
)

export const worldbank = openData({
  'GET /country/:country/indicator/:indicator': (request, { country = '', indicator = '' }) =>
    json(
      isMiss(request, 'worldbank')
        ? [
            {
              message: [
                {
                  id: '120',
                  key: 'Invalid value',
                  value: 'The provided parameter value is not valid (simulated)',
                },
              ],
            },
          ]
        : [
            { page: 1, pages: 1, per_page: 50, total: 1 },
            [
              {
                indicator: { id: indicator, value: SIMULATED },
                country: { id: country },
                date: '2024',
                value: 4.8e11,
              },
            ],
          ],
    ),
})

export const usgs = openData({
  'GET /fdsnws/event/1/query': (request) =>
    json({
      type: 'FeatureCollection',
      metadata: { title: SIMULATED },
      features: isMiss(request, 'usgs')
        ? []
        : [
            {
              type: 'Feature',
              id: 'simulated',
              properties: { mag: 5.4, place: 'Exampleland' },
              geometry: { type: 'Point', coordinates: [0, 0, 10] },
            },
          ],
    }),
})
