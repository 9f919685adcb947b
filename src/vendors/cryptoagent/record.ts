import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import {
  defineService,
  endpoint,
  type EndpointEntry,
  type OpenSource,
} from '../../catalog/vocabulary/define.ts'
import rows from './endpoints.json' with { type: 'json' }
import { readEndpoints, type CompactEndpoint } from '../../catalog/endpoints/read-endpoints.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { x402Merchant } from '../../catalog/vocabulary/merchant.ts'
import {
  publicSource,
  withParams,
  rowsAt,
  sourceLike,
  selectRows,
  renameParams,
} from '../shared/open-sources.ts'
import { done, failed, type Data, type Failed } from '../../catalog/vocabulary/outcome.ts'
import { found, recordFound } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { asText, field, messageFrom } from '../../catalog/answers/vendor-failure.ts'
import {
  bearer,
  get,
  noAuth,
  post,
  type Reply,
  type Vendor,
} from '../../catalog/vocabulary/wire.ts'
import { chains, protocol, trendingCoins, yields } from '../datahub/source.ts'
import { binance } from '../markets/source.ts'
import { edgar, entities } from '../secfilings/source.ts'
import { goPlus } from './source.ts'
import { returns } from './returns.ts'

const heurist: Vendor = {
  baseUrl: 'https://mesh.heurist.xyz',
  auth: bearer(),
  docsUrl: 'https://docs.heurist.ai/dev-guide/heurist-mesh',
  readFailure: messageFrom('detail', 'error', 'message'),
}

const dexScreener: Vendor = {
  label: 'dexscreener',
  baseUrl: 'https://api.dexscreener.com',
  auth: noAuth,
  limits: { perSecond: 5 },
  docsUrl: 'https://docs.dexscreener.com/api/reference',
}

/** "BTC" and "BTCUSDT" mean the same future. */
const perpetual = (symbol: unknown) => {
  const name = String(symbol)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
  return /USD[TC]$/.test(name) ? name : `${name}USDT`
}

const symbolFunding = publicSource(
  binance,
  ({ symbol }) => ({
    ...get('/fapi/v1/premiumIndex', { symbol: perpetual(symbol) }),
    origin: 'futures',
  }),
  ({ body }) => found({ data: body }, field(body, 'symbol') === undefined ? [] : [body]),
)

/** Pools of any of these chains, projects and symbols, separated by commas. */
const pools = withParams(
  'chains projects symbols stablecoin limit',
  renameParams(yields, 'chains>chain projects>project symbols>symbol'),
)

/** Pairs of one chain, or of all chains. */
const tokenPairs = publicSource(
  dexScreener,
  ({ query }) => get('/latest/dex/search', { q: String(query) }),
  ({ body }, { chain }) => {
    const listed = field(body, 'pairs')
    const pairs = Array.isArray(listed)
      ? listed.filter(
          (pair) =>
            chain === undefined || asText(field(pair, 'chainId')) === asText(chain).toLowerCase(),
        )
      : []
    return found({ pairs }, pairs)
  },
)

const tool = (path: string) => `/x402/agents/${path}`

const openTools: Readonly<Record<string, { readonly source: OpenSource; readonly example: Data }>> =
  {
    [tool('DefiLlamaAgent/get_protocol_metrics')]: {
      source: renameParams(protocol, 'protocol>slug'),
      example: { protocol: 'aave' },
    },
    [tool('DefiLlamaAgent/get_chain_metrics')]: {
      source: renameParams(chains, 'chain>q'),
      example: { chain: 'Ethereum' },
    },
    [tool('DefiLlamaAgent/search_yield_pools')]: {
      source: pools,
      example: { chains: 'Ethereum', limit: 2 },
    },
    [tool('FundingRateAgent/get_all_funding_rates')]: {
      source: publicSource(
        binance,
        () => ({ ...get('/fapi/v1/premiumIndex'), origin: 'futures' }),
        (reply, input) => selectRows()(reply, { limit: 1_000, ...input }),
      ),
      example: {},
    },
    [tool('FundingRateAgent/get_symbol_funding_rates')]: {
      source: symbolFunding,
      example: { symbol: 'BTC' },
    },
    [tool('GoplusAnalysisAgent/fetch_security_details')]: {
      source: publicSource(
        goPlus,
        ({ contract_address: address, chain_id: chain = '1' }) =>
          get(`/token_security/${encodeURIComponent(String(chain))}`, {
            contract_addresses: String(address),
          }),
        rowsAt('result'),
      ),
      example: { contract_address: '0x0000000000000000000000000000000000000001', chain_id: '1' },
    },
    [tool('SecEdgarAgent/resolve_company')]: {
      source: withParams('query', renameParams(sourceLike(entities, edgar), 'query>q')),
      example: { query: 'AAPL' },
    },
    [tool('TokenResolverAgent/token_search')]: {
      source: withParams('query chain', tokenPairs),
      example: { query: 'SIM' },
    },
    [tool('TrendingTokenAgent/get_trending_tokens')]: {
      source: withParams('', trendingCoins),
      example: {},
    },
  }

function withSource(entry: EndpointEntry): EndpointEntry {
  const open = openTools[entry.endpoint]
  return open === undefined ? entry : { ...entry, openSource: open.source, example: open.example }
}

/** The agent and the tool of a path. */
function toolOf({ endpoint: path }: EndpointEntry): {
  readonly agent: string
  readonly name: string
} {
  const [agent = '', name = ''] = path.split('/').slice(3)
  return { agent, name }
}

/** A failed tool is reported with status 200. */
function toolFailure(body: unknown): Failed | undefined {
  const error = field(body, 'error') ?? field(field(body, 'data'), 'error') ?? undefined
  const status = field(field(body, 'data'), 'status') ?? field(body, 'status')
  if ((error === undefined || error === false) && status !== 'error' && status !== 'failed')
    return undefined
  return failed('no_results', 'The tool returned no result. Nothing was charged.', {
    upstream: {
      service: 'cryptoagent',
      status: 200,
      code: null,
      message: typeof error === 'string' ? error.slice(0, 500) : null,
    },
  })
}

export const service = defineService({
  id: 'cryptoagent',
  title: 'Agents for crypto, markets and economies',
  category: 'market data',
  vendor: heurist,
  returns,
  actions: {
    agent: endpoint({
      groups: [
        [/SecEdgar/, 'SEC filings'],
        [/YahooFinance/, 'Stocks and funds'],
        [/FredMacro/, 'Economic series'],
        [/FundingRate/, 'Funding rates'],
        [/Twitter/, 'X (Twitter)'],
        [/Wallet|AddressLabel|Forensics/, 'Wallets'],
        [/Token|PumpFun|Goplus/, 'Tokens'],
        [/Etherscan|DefiLlama/, 'Blockchains and protocols'],
        [/Project|News/, 'Crypto projects and news'],
      ],
      title: 'Agents for crypto and market data',
      summary:
        'Call an agent for crypto and market data: tokens, wallets, funding rates, filings, quotes, economic series.',
      description:
        '"endpoint" names the agent and its tool; the tool\'s arguments are the other parameters. While no vendor key is set, public sources answer some of the tools, in their own row format.',
      keywords: [
        'token',
        'wallet',
        'etherscan',
        'pump.fun',
        'yahoo finance',
        'stock quote',
        'fred',
        'options',
        'twitter',
        'heurist',
      ],
      endpoints: readEndpoints(rows as readonly CompactEndpoint[]).map(withSource),
      example: { endpoint: tool('TokenResolverAgent/token_search'), query: 'SIM' },
      price: flat(cents('5')),
      priceSource: 'List prices of the vendor $0.001 to $0.01 per call, 2026-08.',
      timeoutMs: 60_000,
      untrustedContent: true,
      request: (entry, parameters) => {
        const { agent, name } = toolOf(entry)
        return post('/mesh_request', {
          agent_id: agent,
          input: { tool: name, tool_arguments: parameters, raw_data_only: true },
        })
      },
      merchant: {
        at: x402Merchant(heurist.baseUrl),
        reply: Type.Object({}),
        outcome: (reply) => toolFailure(reply.body) ?? recordFound(reply as Reply<Data>),
      },
      reply: Type.Object({
        data: Type.Optional(Type.Unknown()),
        error: Type.Optional(Type.Unknown()),
      }),
      outcome: ({ body }) =>
        toolFailure(body) ??
        (isFilled([body.data])
          ? done(body)
          : failed('no_results', 'The tool returned no result. Nothing was charged.')),
    }),
  },
})
