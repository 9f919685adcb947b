/** Working parameters for each path with a public source. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'

const pair = { pair: 'BTC-USDT' }
const token = {
  token_id: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
}
const market = {
  condition_id: '0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1',
}
const wallet = '0x0000000000000000000000000000000000000001'

export const examples: Readonly<Record<string, Data>> = {
  '/api/v1/surf/exchange/price': pair,
  '/api/v1/surf/exchange/markets': {},
  '/api/v1/surf/exchange/depth': { ...pair, limit: 5 },
  '/api/v1/surf/exchange/klines': { ...pair, interval: '1d', limit: 2 },
  '/api/v1/surf/exchange/perp': pair,
  '/api/v1/surf/exchange/funding-history': { ...pair, limit: 2 },
  '/api/v1/surf/exchange/long-short-ratio': { ...pair, interval: '1h', limit: 2 },
  '/api/v1/surf/market/price': { symbol: 'BTC', time_range: '7d' },
  '/api/v1/surf/market/ranking': { limit: 2 },
  '/api/v1/surf/market/fear-greed': { limit: 2 },
  '/api/v1/surf/onchain/yield/ranking': { asset: 'USDC', limit: 2 },
  '/api/v1/surf/project/defi/ranking': { metric: 'tvl', limit: 2 },
  '/api/v1/surf/search/polymarket': { q: 'election', limit: 2 },
  '/api/v1/surf/prediction-market/polymarket/markets': { market_slug: 'simulated-market' },
  '/api/v1/surf/prediction-market/polymarket/events': { event_slug: 'simulated-event' },
  '/api/v1/surf/prediction-market/polymarket/positions': { address: wallet },
  '/api/v1/surf/prediction-market/polymarket/activity': { address: wallet },
  '/api/v1/surf/prediction-market/kalshi/markets': { market_ticker: 'SIM-26' },
  '/api/v1/surf/prediction-market/kalshi/trades': { ticker: 'SIM-26' },
  '/api/v1/pm/polymarket/markets': { limit: 2 },
  '/api/v1/pm/polymarket/events': { limit: 2 },
  '/api/v1/pm/polymarket/orderbooks': token,
  '/api/v1/pm/polymarket/market-price/{token_id}': token,
  '/api/v1/pm/polymarket/candlesticks/token/{token_id}': { ...token, interval: '1d' },
  '/api/v1/pm/polymarket/trades': { ...market, limit: 2 },
  '/api/v1/pm/polymarket/activity': { user: wallet },
  '/api/v1/pm/polymarket/positions': { user: wallet },
  '/api/v1/pm/polymarket/market/{condition_id}/top-holders': { ...market, limit: 2 },
  '/api/v1/pm/markets/search': { q: 'election', limit: 2 },
  '/api/v1/pm/kalshi/markets': { status: 'open', limit: 2 },
  '/api/v1/pm/kalshi/trades': { ticker: 'SIM-26', limit: 2 },
  '/api/v1/pm/kalshi/orderbooks': { ticker: 'SIM-26' },
  '/api/v1/pm/binance/candles/{symbol}': { symbol: 'BTCUSDT', interval: '1d', limit: 2 },
}
