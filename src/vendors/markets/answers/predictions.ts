/** Prediction markets, from the references of Polymarket and Kalshi. */
import {
  address,
  anything,
  count,
  flag,
  items,
  maybe,
  number,
  oneOf,
  records,
  text,
  time,
  type Returns,
} from '../../../catalog/vocabulary/returns.ts'
import { rowsOrOne } from './common.ts'

const usd = (description: string) => maybe(number(description, 'USD'))
const cents = (description: string) => maybe(number(description, 'cents'))

const polymarketMarket = {
  id: maybe(text('The id of the market.')),
  question: maybe(text('The question.')),
  conditionId: maybe(text('The id for `condition_id`.')),
  slug: maybe(text('The name in the URL.')),
  description: maybe(text('The rules.')),
  outcomes: maybe(anything('The answers, as JSON in a text.')),
  outcomePrices: maybe(anything('Their prices from 0 to 1, as JSON in a text.')),
  clobTokenIds: maybe(anything('Their ids for `token_id`, as JSON in a text.')),
  startDate: maybe(time('When trading began.')),
  endDate: maybe(time('When the question is decided.')),
  active: maybe(flag('Whether the market is shown.')),
  closed: maybe(flag('Whether trading has ended.')),
  volume: maybe(anything('The trade in USD.')),
  volume24hr: usd('The trade of the last 24 hours.'),
  liquidity: maybe(anything('The offers in USD.')),
  bestBid: maybe(number('The best offer to buy, from 0 to 1.')),
  bestAsk: maybe(number('The best offer to sell, from 0 to 1.')),
  lastTradePrice: maybe(number('The last price, from 0 to 1.')),
  spread: maybe(number('The difference of the best offers.')),
  image: maybe(text('The image.')),
}
const polymarketEvent = {
  id: maybe(text('The id of the event.')),
  title: maybe(text('The title.')),
  slug: maybe(text('The name in the URL.')),
  description: maybe(text('The description.')),
  startDate: maybe(time('When trading began.')),
  endDate: maybe(time('When the event ends.')),
  active: maybe(flag('Whether the event is shown.')),
  closed: maybe(flag('Whether trading has ended.')),
  volume: maybe(anything('The trade in USD.')),
  liquidity: maybe(anything('The offers in USD.')),
  tags: maybe(items('The subjects.', anything('A subject.'))),
  markets: maybe(records('Its markets.', polymarketMarket)),
}
const polymarketTrade = {
  proxyWallet: maybe(text('The wallet.')),
  type: maybe(text('The kind of activity, such as "TRADE" or "REDEEM".')),
  side: maybe(oneOf('The direction.', ['BUY', 'SELL'])),
  asset: maybe(text('The id of the answer.')),
  conditionId: maybe(text('The id of the market.')),
  size: maybe(number('The number of shares.')),
  usdcSize: usd('The amount.'),
  price: maybe(number('The price of a share, from 0 to 1.')),
  timestamp: maybe(count('The time.', 'Unix seconds')),
  title: maybe(text('The question.')),
  slug: maybe(text('The name of the market in the URL.')),
  eventSlug: maybe(text('The name of the event in the URL.')),
  outcome: maybe(text('The answer.')),
  outcomeIndex: maybe(count('The place of the answer, from 0.')),
  name: maybe(text('The name of the trader.')),
  transactionHash: maybe(text('The transaction.')),
}
const polymarketPosition = {
  proxyWallet: maybe(text('The wallet.')),
  asset: maybe(text('The id of the answer.')),
  conditionId: maybe(text('The id of the market.')),
  title: maybe(text('The question.')),
  slug: maybe(text('The name of the market in the URL.')),
  outcome: maybe(text('The answer.')),
  size: maybe(number('The number of shares.')),
  avgPrice: maybe(number('The mean price of a share, from 0 to 1.')),
  curPrice: maybe(number('The current price of a share, from 0 to 1.')),
  initialValue: usd('The value at the purchase.'),
  currentValue: usd('The current value.'),
  cashPnl: usd('The profit, without sold shares.'),
  realizedPnl: usd('The profit of sold shares.'),
  percentPnl: maybe(number('The profit.', 'percent')),
  redeemable: maybe(flag('Whether the shares can be paid out.')),
  endDate: maybe(time('When the question is decided.')),
}
const kalshiMarket = {
  ticker: maybe(text('The id of the market.')),
  event_ticker: maybe(text('The id of its event.')),
  title: maybe(text('The question.')),
  subtitle: maybe(text('The answer that "yes" means.')),
  status: maybe(text('The state, such as "active" or "settled".')),
  result: maybe(oneOf('The decision.', ['yes', 'no', ''])),
  open_time: maybe(time('When trading began.')),
  close_time: maybe(time('When trading ends.')),
  expiration_time: maybe(time('When the question is decided at the latest.')),
  yes_bid: cents('The best offer to buy "yes".'),
  yes_ask: cents('The best offer to sell "yes".'),
  no_bid: cents('The best offer to buy "no".'),
  no_ask: cents('The best offer to sell "no".'),
  last_price: cents('The last price of "yes".'),
  volume: maybe(number('The number of traded contracts.')),
  volume_24h: maybe(number('The number of the last 24 hours.')),
  open_interest: maybe(number('The number of open contracts.')),
  liquidity: cents('The offers.'),
  rules_primary: maybe(text('The rules.')),
}
const kalshiTrade = {
  trade_id: maybe(text('The id of the trade.')),
  ticker: maybe(text('The id of the market.')),
  count: maybe(number('The number of contracts.')),
  yes_price: cents('The price of "yes".'),
  no_price: cents('The price of "no".'),
  taker_side: maybe(oneOf('The side that accepted the offer.', ['yes', 'no'])),
  created_time: maybe(time('The time.')),
}

const events = rowsOrOne('The events.', polymarketEvent)
const markets = rowsOrOne('The markets.', polymarketMarket)
const activity = rowsOrOne('The trades and payouts, newest first.', polymarketTrade)
const positions = rowsOrOne('The shares that the wallet owns.', polymarketPosition)
const trades = rowsOrOne('The trades, newest first.', kalshiTrade)
const kalshiMarkets = rowsOrOne('The markets.', kalshiMarket)
const levels = (description: string) =>
  maybe(items(description, anything('A price and an amount.')))

export const predictions: Returns = {
  'fetch /api/v1/surf/prediction-market/polymarket/markets': markets,
  'fetch /api/v1/surf/prediction-market/polymarket/events': events,
  'fetch /api/v1/surf/prediction-market/polymarket/positions': positions,
  'fetch /api/v1/surf/prediction-market/polymarket/activity': activity,
  'fetch /api/v1/surf/prediction-market/kalshi/markets': kalshiMarkets,
  'fetch /api/v1/surf/prediction-market/kalshi/trades': trades,
  'fetch /api/v1/surf/search/polymarket': events,
  'fetch /api/v1/pm/markets/search': events,
  'fetch /api/v1/pm/polymarket/markets': markets,
  'fetch /api/v1/pm/polymarket/events': events,
  'fetch /api/v1/pm/polymarket/trades': rowsOrOne('The trades, newest first.', polymarketTrade),
  'fetch /api/v1/pm/polymarket/activity': activity,
  'fetch /api/v1/pm/polymarket/positions': positions,
  'fetch /api/v1/pm/polymarket/orderbooks': rowsOrOne('The order book.', {
    market: maybe(text('The id of the market.')),
    asset_id: maybe(text('The id of the answer.')),
    timestamp: maybe(text('The time, in Unix milliseconds.')),
    bids: levels('Offers to buy.'),
    asks: levels('Offers to sell.'),
    min_order_size: maybe(text('The smallest order, in shares.')),
    tick_size: maybe(text('The smallest step of the price.')),
  }),
  'fetch /api/v1/pm/polymarket/market-price/{token_id}': rowsOrOne('The price.', {
    mid: maybe(text('The price between the best offers, from 0 to 1.')),
    price: maybe(number('The price, from 0 to 1.')),
  }),
  'fetch /api/v1/pm/polymarket/candlesticks/token/{token_id}': rowsOrOne('The prices.', {
    history: maybe(
      records('The prices, oldest first.', {
        t: maybe(count('The time.', 'Unix seconds')),
        p: maybe(number('The price, from 0 to 1.')),
      }),
    ),
  }),
  'fetch /api/v1/pm/polymarket/market/{condition_id}/top-holders': rowsOrOne(
    'The largest owners, for each answer.',
    {
      token: maybe(text('The id of the answer.')),
      holders: maybe(
        records('The owners, largest first.', {
          proxyWallet: maybe(text('The wallet.')),
          name: maybe(text('The name.')),
          pseudonym: maybe(text('The pseudonym.')),
          amount: maybe(number('The number of shares.')),
          outcomeIndex: maybe(count('The place of the answer, from 0.')),
          profileImage: maybe(address('The profile image.')),
        }),
      ),
    },
  ),
  'fetch /api/v1/pm/kalshi/markets': kalshiMarkets,
  'fetch /api/v1/pm/kalshi/trades': trades,
  'fetch /api/v1/pm/kalshi/orderbooks': rowsOrOne('The order book.', {
    yes_dollars: levels('Offers to buy "yes": price in USD and number of contracts, as texts.'),
    no_dollars: levels('Offers to buy "no": price in USD and number of contracts, as texts.'),
  }),
}
