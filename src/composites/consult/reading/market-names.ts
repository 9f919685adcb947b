/** Reads coins, trading pairs, exchanges, chains and models from an intent. */
import type { Entities } from './entities.ts'
import { COINS } from './entity-rules.ts'

/** Names of coins in lower case, the ids of price services. */
export function coinsIn({ values }: Entities): string {
  return Object.entries(COINS)
    .filter(([, ticker]) => values.ticker?.includes(ticker) === true)
    .map(([name]) => name)
    .join(',')
}

export const CHAIN =
  /\b(?:ethereum|base|polygon|arbitrum|optimism|solana|bsc|avalanche|bitcoin|tron|ton|sui|aptos|gnosis|linea|zksync|blast|scroll)\b/i
export const EXCHANGE =
  /\b(?:binance|coinbase|kraken|okx|bybit|bitget|kucoin|bitfinex|gate\.?io|htx|mexc|hyperliquid|deribit|upbit|bitstamp)\b/i
export const MODEL_NAME =
  /\b(?:[a-z][\w-]{1,30}\/[a-z][\w.:-]{2,60}|(?:gpt|claude|gemini|llama|mistral|deepseek|qwen|grok|o\d)-[\w.-]{1,40})(?![\w/])/
const PAIR = /\b([A-Z\d]{2,10})[/-](USDT|USDC|USD|EUR|BTC|ETH|BUSD|FDUSD|DAI)\b/

/** "BTC/USDT", or the pair of a coin with USDT. */
export function pairIn(intent: string, { values }: Entities): string {
  const [pair] = PAIR.exec(intent) ?? []
  const coin = values.ticker?.[0]
  return pair?.replace('-', '/') ?? (coin === undefined ? '' : `${coin}/USDT`)
}
