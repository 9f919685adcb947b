/** Prices, rates and other figures, from the references of the public sources. */
import {
  address,
  answer,
  anything,
  count,
  flag,
  maybe,
  number,
  open,
  openAnswer,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { label, list } from './row-list.ts'

const coin = {
  id: label('The id of the coin at CoinGecko.'),
  symbol: label('The symbol.'),
  name: label('The name.'),
  image: maybe(address('The logo.')),
  current_price: maybe(number('The price, in the requested currency.')),
  market_cap: maybe(number('The value of all coins, in the requested currency.')),
  market_cap_rank: maybe(count('The place by value, from 1.')),
  total_volume: maybe(number('The trade of the last day, in the requested currency.')),
  high_24h: maybe(number('The highest price of the last day, in the requested currency.')),
  low_24h: maybe(number('The lowest price of the last day, in the requested currency.')),
  price_change_percentage_24h: maybe(number('The change of the last day.', 'percent')),
  circulating_supply: maybe(number('The number of coins in circulation.', 'coins')),
  max_supply: maybe(number('The most coins that can exist.', 'coins')),
  ath: maybe(number('The highest price ever, in the requested currency.')),
  last_updated: maybe(time('When the price was read.')),
}
const protocol = {
  name: label('The name of the protocol.'),
  slug: label('The id of the protocol.'),
  symbol: label('The symbol of its token.'),
  category: label('The kind of protocol, such as "Lending".'),
  chains: maybe(words('The blockchains.')),
  url: maybe(text('The website.')),
  mcap: maybe(number('The value of its token.', 'USD')),
}
const rates = {
  amount: maybe(number('The amount that is converted.')),
  base: label('The currency that is converted, as an ISO 4217 code.'),
}

export const moneyReturns: Returns = {
  'fetch /defi/protocols': list('The protocols, largest first.', {
    ...protocol,
    tvl: maybe(number('The value of all deposits.', 'USD')),
    change_1d: maybe(number('The change of the last day.', 'percent')),
    change_7d: maybe(number('The change of the last week.', 'percent')),
  }),
  'fetch /defi/protocol': answer({
    ...protocol,
    description: label('What the protocol does.'),
    currentChainTvls: maybe(open('The value of deposits by blockchain, in USD.')),
    twitter: label('The account at X.'),
    audits: maybe(anything('The number of audits.')),
  }),
  'fetch /defi/yields': list('The pools, largest first.', {
    pool: label('The id of the pool.'),
    chain: label('The blockchain.'),
    project: label('The protocol.'),
    symbol: label('The tokens.'),
    tvlUsd: maybe(number('The value of all deposits.', 'USD')),
    apy: maybe(number('The yearly yield.', 'percent')),
    apyBase: maybe(number('The part of the yield from fees.', 'percent')),
    apyReward: maybe(number('The part of the yield from rewards.', 'percent')),
    stablecoin: maybe(flag('Whether all tokens are stablecoins.')),
    ilRisk: label('Whether prices that drift apart cause losses: "yes" or "no".'),
    exposure: label('"single" or "multi": the number of tokens.'),
  }),
  'fetch /crypto/price': openAnswer('The price by coin and currency, such as bitcoin.usd.'),
  'fetch /crypto/markets': list('The coins, by value.', coin),
  'fetch /fx/latest': answer({
    ...rates,
    date: maybe(time('The day of the rates.')),
    rates: open('The amount by currency.'),
  }),
  'fetch /fx/history': answer({
    ...rates,
    start_date: maybe(time('The first day.')),
    end_date: maybe(time('The last day.')),
    rates: open('The amount by day and currency.'),
  }),
  'fetch /macro/worldbank': list('The values, latest first.', {
    indicator: maybe(open('The indicator with its id and name.')),
    country: maybe(open('The country with its code and name.')),
    countryiso3code: label('The country as a three-letter code.'),
    date: label('The year.'),
    value: maybe(number('The value, in the unit that the name of the indicator states.')),
    unit: label('The unit; empty if the name of the indicator states it.'),
  }),
}
