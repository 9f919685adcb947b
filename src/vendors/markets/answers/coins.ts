/** Prices of coins, order books and yields, from the references of Binance, CoinGecko and DefiLlama. */
import {
  address,
  anything,
  count,
  flag,
  items,
  maybe,
  number,
  oneOf,
  text,
  time,
  words,
  type Returns,
} from '../../../catalog/vocabulary/returns.ts'
import { anyRows, rowsOrOne } from './common.ts'

const symbol = maybe(text('The trading pair, such as "BTCUSDT".'))
const usd = (description: string) => maybe(number(description, 'USD'))
const percent = (description: string) => maybe(number(description, 'percent'))
const moment = (description: string) => maybe(count(description, 'Unix milliseconds'))

const price = {
  symbol,
  price: maybe(text('The last price in the second currency of the pair.')),
}
const fearGreed = {
  value: maybe(anything('The index, from 0 (fear) to 100 (greed).')),
  value_classification: maybe(
    oneOf('The same in words.', ['Extreme Fear', 'Fear', 'Neutral', 'Greed', 'Extreme Greed']),
  ),
  timestamp: maybe(anything('The day, in Unix seconds.')),
  time_until_update: maybe(text('The seconds until the next value.')),
}
const candles = anyRows(
  'The candles, oldest first. Binance returns lists: open time in Unix milliseconds, open, high, low, close, volume, close time and more.',
)

export const coins: Returns = {
  'fetch /api/v1/surf/exchange/markets': rowsOrOne('The trading pairs.', price),
  'fetch /api/v1/surf/exchange/price': rowsOrOne('The price.', price),
  'fetch /api/v1/surf/exchange/perp': rowsOrOne('The perpetual future.', {
    symbol,
    markPrice: maybe(text('The price that profit and loss are computed from.')),
    indexPrice: maybe(text('The price on spot markets.')),
    estimatedSettlePrice: maybe(text('The estimated price at settlement.')),
    lastFundingRate: maybe(text('The last payment between buyers and sellers, as a share.')),
    interestRate: maybe(text('The interest, as a share.')),
    nextFundingTime: moment('The time of the next payment.'),
    time: moment('The time of the data.'),
  }),
  'fetch /api/v1/surf/exchange/depth': rowsOrOne('The order book.', {
    lastUpdateId: maybe(count('The number of the last change.')),
    bids: maybe(items('Offers to buy, best first.', anything('Price and amount, as texts.'))),
    asks: maybe(items('Offers to sell, best first.', anything('Price and amount, as texts.'))),
  }),
  'fetch /api/v1/surf/exchange/klines': candles,
  'fetch /api/v1/pm/binance/candles/{symbol}': candles,
  'fetch /api/v1/surf/exchange/funding-history': rowsOrOne('The payments, oldest first.', {
    symbol,
    fundingRate: maybe(text('The payment between buyers and sellers, as a share.')),
    fundingTime: moment('The time of the payment.'),
    markPrice: maybe(text('The price at that time.')),
  }),
  'fetch /api/v1/surf/exchange/long-short-ratio': rowsOrOne('The ratios, oldest first.', {
    symbol,
    longShortRatio: maybe(text('Accounts that bet on a rise for each that bets on a fall.')),
    longAccount: maybe(text('The share that bets on a rise.')),
    shortAccount: maybe(text('The share that bets on a fall.')),
    timestamp: moment('The time of the ratio.'),
  }),
  'fetch /api/v1/surf/market/ranking': rowsOrOne('The coins, largest first.', {
    id: maybe(text("The source's id of the coin.")),
    symbol: maybe(text('The symbol, such as "btc".')),
    name: maybe(text('The name.')),
    image: maybe(address('The logo.')),
    current_price: usd('The price.'),
    market_cap: usd('The value of all coins in circulation.'),
    market_cap_rank: maybe(count('The rank by that value.')),
    fully_diluted_valuation: usd('The value of all coins that can exist.'),
    total_volume: usd('The trade of the last 24 hours.'),
    high_24h: usd('The highest price of the last 24 hours.'),
    low_24h: usd('The lowest price of the last 24 hours.'),
    price_change_24h: usd('The change of the last 24 hours.'),
    price_change_percentage_24h: percent('The change of the last 24 hours.'),
    circulating_supply: maybe(number('The number of coins in circulation.')),
    total_supply: maybe(number('The number of coins that exist.')),
    max_supply: maybe(number('The most coins that can exist.')),
    ath: usd('The highest price ever.'),
    ath_date: maybe(time('The day of the highest price.')),
    atl: usd('The lowest price ever.'),
    atl_date: maybe(time('The day of the lowest price.')),
    last_updated: maybe(time('The time of the data.')),
  }),
  'fetch /api/v1/surf/market/fear-greed': rowsOrOne('The values, newest first.', fearGreed),
  'fetch /api/v1/surf/market/price': anyRows(
    'The prices, oldest first. CoinGecko returns lists: time in Unix milliseconds and price in USD.',
  ),
  'fetch /api/v1/surf/onchain/yield/ranking': rowsOrOne('The pools, best first.', {
    pool: maybe(text("The source's id of the pool.")),
    chain: maybe(text('The blockchain.')),
    project: maybe(text('The protocol.')),
    symbol: maybe(text('The tokens.')),
    tvlUsd: usd('The value of the deposits.'),
    apy: percent('The yield of a year.'),
    apyBase: percent('The part from fees or interest.'),
    apyReward: percent('The part from rewards.'),
    rewardTokens: maybe(words('The tokens of the rewards.')),
    stablecoin: maybe(flag('Whether all tokens follow a currency.')),
    ilRisk: maybe(oneOf('Whether prices may diverge at a loss.', ['no', 'yes'])),
    exposure: maybe(oneOf('The number of tokens.', ['single', 'multi'])),
    predictions: maybe(anything("The source's forecast.")),
  }),
  'fetch /api/v1/surf/project/defi/ranking': rowsOrOne('The protocols, largest first.', {
    name: maybe(text('The name.')),
    slug: maybe(text("The source's id.")),
    symbol: maybe(text('The symbol of its token.')),
    category: maybe(text('The kind of protocol.')),
    chains: maybe(words('The blockchains.')),
    tvl: usd('The value of the deposits.'),
    change_1h: percent('The change of the last hour.'),
    change_1d: percent('The change of the last day.'),
    change_7d: percent('The change of the last week.'),
    mcap: usd('The value of its tokens.'),
    url: maybe(address('The website.')),
    total24h: usd('The fees or revenue of the last day.'),
    total7d: usd('The fees or revenue of the last week.'),
    total30d: usd('The fees or revenue of the last month.'),
  }),
}
