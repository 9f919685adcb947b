/** From Heurist Mesh's answers, and the references of the public sources. */
import type { TProperties } from '../../lib/schema.ts'
import {
  address,
  anything,
  count,
  flag,
  items,
  maybe,
  number,
  oneOf,
  open,
  openAnswer,
  record,
  records,
  text,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const usd = (description: string) => maybe(number(description, 'USD'))
const percent = (description: string) => maybe(number(description, 'percent'))

/** `source` has the fields of the public source. */
function tool(description: string, source: TProperties = {}) {
  return openAnswer(description, {
    response: maybe(text("The agent's answer in words. Empty for data.")),
    data: maybe(
      record("The tool's result, if the vendor answers.", {
        status: maybe(oneOf('Whether the tool succeeded.', ['success'])),
        data: maybe(anything('The fields of the tool.')),
      }),
    ),
    status: maybe(oneOf('Whether the tool succeeded.', ['success'])),
    ...source,
  })
}

const AGENT = 'agent /x402/agents/'
const total = maybe(count('The number of all rows in the public source.'))
const funding = {
  symbol: maybe(text('The future, such as "BTCUSDT".')),
  markPrice: maybe(text('The price that profit and loss are computed from.')),
  indexPrice: maybe(text('The price on spot markets.')),
  lastFundingRate: maybe(text('The last payment between buyers and sellers, as a share.')),
  nextFundingTime: maybe(count('The time of the next payment.', 'Unix milliseconds')),
  time: maybe(count('The time of the data.', 'Unix milliseconds')),
}
const token = {
  address: maybe(text('The contract.')),
  name: maybe(text('The name.')),
  symbol: maybe(text('The symbol.')),
}

export const returns: Returns = {
  agent: tool('The vendor returns `data`; a public source returns its own fields.'),
  [`${AGENT}DefiLlamaAgent/get_protocol_metrics`]: tool('A protocol of decentralized finance.', {
    name: maybe(text('The name.')),
    slug: maybe(text("DefiLlama's id.")),
    symbol: maybe(text('The symbol of its token.')),
    category: maybe(text('The kind of protocol.')),
    description: maybe(text('The description.')),
    url: maybe(address('The website.')),
    chains: maybe(words('The blockchains.')),
    currentChainTvls: maybe(open('The value of the deposits in USD, by blockchain.')),
    mcap: usd('The value of its tokens.'),
    twitter: maybe(text('The profile on X.')),
    audits: maybe(anything('The number of audits.')),
  }),
  [`${AGENT}DefiLlamaAgent/get_chain_metrics`]: tool('Blockchains.', {
    total,
    results: maybe(
      records('The blockchains.', {
        name: maybe(text('The name.')),
        tvl: usd('The value of the deposits.'),
        tokenSymbol: maybe(text('The symbol of its token.')),
        chainId: maybe(anything('The number of the blockchain.')),
        gecko_id: maybe(text("CoinGecko's id of its token.")),
        cmcId: maybe(text("CoinMarketCap's id of its token.")),
      }),
    ),
  }),
  [`${AGENT}DefiLlamaAgent/search_yield_pools`]: tool('Pools that earn interest.', {
    total,
    results: maybe(
      records('The pools.', {
        pool: maybe(text("DefiLlama's id of the pool.")),
        chain: maybe(text('The blockchain.')),
        project: maybe(text('The protocol.')),
        symbol: maybe(text('The tokens.')),
        tvlUsd: usd('The value of the deposits.'),
        apy: percent('The yield of a year.'),
        apyBase: percent('The part from fees or interest.'),
        apyReward: percent('The part from rewards.'),
        stablecoin: maybe(flag('Whether all tokens follow a currency.')),
        ilRisk: maybe(oneOf('Whether prices may diverge at a loss.', ['no', 'yes'])),
        exposure: maybe(oneOf('The number of tokens.', ['single', 'multi'])),
      }),
    ),
  }),
  [`${AGENT}FundingRateAgent/get_all_funding_rates`]: tool('Funding rates of futures.', {
    total,
    results: maybe(records('The futures.', funding)),
  }),
  [`${AGENT}FundingRateAgent/get_symbol_funding_rates`]: tool('The funding rate of a future.', {
    data: maybe(
      record('The future, or the result of the tool if the vendor answers.', {
        ...funding,
        status: maybe(oneOf('Whether the tool succeeded.', ['success'])),
        data: maybe(anything('The fields of the tool.')),
      }),
    ),
  }),
  [`${AGENT}GoplusAnalysisAgent/fetch_security_details`]: tool('The risks of a token.', {
    code: maybe(count("GoPlus' status: 1 for success.")),
    message: maybe(text('The same in words.')),
    result: maybe(
      open(
        'The risks by contract: "1" is yes and "0" is no, as in `is_honeypot` and `is_mintable`.',
      ),
    ),
  }),
  [`${AGENT}SecEdgarAgent/resolve_company`]: tool('Companies that file with the SEC.', {
    entities: maybe(
      records('The companies, best match first.', {
        cik: maybe(text('The Central Index Key.')),
        ticker: maybe(text('The stock symbol.')),
        name: maybe(text('The name.')),
      }),
    ),
  }),
  [`${AGENT}TokenResolverAgent/token_search`]: tool('Trading pairs of a token.', {
    pairs: maybe(
      records('The pairs.', {
        chainId: maybe(text('The blockchain.')),
        dexId: maybe(text('The exchange.')),
        url: maybe(address('The page of the pair.')),
        pairAddress: maybe(text('The contract of the pair.')),
        labels: maybe(words('The kind of pool.')),
        baseToken: maybe(record('The token.', token)),
        quoteToken: maybe(record('The token that it is traded for.', token)),
        priceNative: maybe(text('The price in the other token.')),
        priceUsd: maybe(text('The price in USD.')),
        txns: maybe(open('The number of trades by period.')),
        volume: maybe(open('The trade in USD by period.')),
        priceChange: maybe(open('The change in percent by period.')),
        liquidity: maybe(
          record('The deposits.', {
            usd: usd('The value.'),
            base: maybe(number('The amount of the token.')),
            quote: maybe(number('The amount of the other token.')),
          }),
        ),
        fdv: usd('The value of all tokens that can exist.'),
        marketCap: usd('The value of all tokens in circulation.'),
        pairCreatedAt: maybe(count('When the pair was created.', 'Unix milliseconds')),
        info: maybe(open('Image, websites and profiles.')),
      }),
    ),
  }),
  [`${AGENT}TrendingTokenAgent/get_trending_tokens`]: tool('What people search for.', {
    coins: maybe(
      records('The coins, most wanted first.', {
        item: maybe(
          record('The coin.', {
            id: maybe(text("CoinGecko's id.")),
            name: maybe(text('The name.')),
            symbol: maybe(text('The symbol.')),
            market_cap_rank: maybe(count('The rank by value.')),
            thumb: maybe(text('The logo.')),
            slug: maybe(text('The name in the URL.')),
            price_btc: maybe(number('The price in bitcoins.')),
            score: maybe(number('The place in the list, from 0.')),
            data: maybe(open('The price, its change and the trade.')),
          }),
        ),
      }),
    ),
    nfts: maybe(items('The collections.', anything('A collection.'))),
    categories: maybe(items('The categories.', anything('A category.'))),
  }),
}
