import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import {
  defineService,
  endpoint,
  pathRequest,
  type EndpointEntry,
} from '../../catalog/vocabulary/define.ts'
import rows from './endpoints.json' with { type: 'json' }
import { readEndpoints, type CompactEndpoint } from '../../catalog/endpoints/read-endpoints.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { x402Merchant } from '../../catalog/vocabulary/merchant.ts'
import { done, empty, failed, type Data } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import {
  mapStatusToCode,
  field,
  isErrorAlone,
  vendorFailure,
  messageFrom,
} from '../../catalog/answers/vendor-failure.ts'
import { bearer, keyHeader, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { examples } from './examples.ts'
import { openPaths } from './open-paths.ts'
import { returns } from './returns.ts'

const askSurf: Vendor = {
  baseUrl: 'https://api.asksurf.ai/gateway/v1',
  auth: bearer(),
  limits: { perSecond: 100 / 60 },
  docsUrl: 'https://api.asksurf.ai/gateway/openapi.json',
  readFailure: (reply) => {
    const vendorCode = field(field(reply.body, 'error'), 'code')
    const spent = vendorCode === 'PAID_BALANCE_ZERO' || vendorCode === 'INSUFFICIENT_CREDIT'
    return vendorFailure(reply, {
      code: spent ? 'upstream_payment' : undefined,
      vendorCode,
      message: field(field(reply.body, 'error'), 'message'),
    })
  },
}
/** The vendor of prediction markets, with the setting UPSTREAM_PREDEXON_KEY. */
const predexon: Vendor = {
  label: 'predexon',
  baseUrl: 'https://api.predexon.com/v2',
  auth: keyHeader('x-api-key'),
  docsUrl: 'https://docs.predexon.com/',
  readFailure: messageFrom('error.message', 'error', 'message'),
}

const SURF = '/api/v1/surf'
const PM = '/api/v1/pm'

function withSources(entry: EndpointEntry): EndpointEntry {
  const open = openPaths[entry.endpoint]
  return {
    ...entry,
    ...(entry.endpoint.startsWith(PM) ? { vendor: predexon } : {}),
    ...(open === undefined ? {} : { openSource: open }),
    ...(examples[entry.endpoint] === undefined ? {} : { example: examples[entry.endpoint] }),
  }
}

/** Whether an answer is empty: empty lists, or no data. */
function isBare(body: Data): boolean {
  const parts = Object.entries(body).filter(([name]) => name !== 'meta' && name !== 'pagination')
  return !isFilled(Object.fromEntries(parts))
}

export const service = defineService({
  id: 'markets',
  title: 'Crypto and prediction markets',
  category: 'market data',
  vendor: askSurf,
  returns,
  actions: {
    fetch: endpoint({
      groups: [
        [/polymarket/, 'Polymarket'],
        [/kalshi/, 'Kalshi'],
        [/\/pm\/|prediction-market/, 'Other prediction markets'],
        [/surf\/(?:exchange|market)/, 'Coins and exchanges'],
        [/surf\/(?:onchain|token)/, 'On-chain data and tokens'],
        [/surf\/wallet/, 'Wallets'],
        [/surf\/(?:project|fund)/, 'Projects and funds'],
        [/surf\/(?:social|search\/social)/, 'Crypto on social networks'],
        [/surf\/(?:news|search|web)/, 'Crypto news and search'],
      ],
      title: 'Crypto and prediction markets',
      summary:
        'Read crypto and prediction markets by path: prices, order books, on-chain data, social metrics, Polymarket, Kalshi.',
      description:
        '"endpoint" names the path below /api/v1/surf or /api/v1/pm; its parameters are the other fields. While no vendor key is set, public sources serve many of the paths in their own row format; meta.source names the source.',
      keywords: [
        'bitcoin',
        'ethereum',
        'binance',
        'polymarket',
        'kalshi',
        'order book',
        'candles',
        'token',
        'wallet',
        'defi',
      ],
      endpoints: readEndpoints(rows as readonly CompactEndpoint[]).map(withSources),
      example: { endpoint: `${SURF}/exchange/price`, pair: 'BTC-USDT' },
      price: flat(cents('2')),
      priceSource: 'Own prices based on one to four vendor credits per call, 2026-11.',
      timeoutMs: 45_000,
      untrustedContent: true,
      request: (entry, parameters) => {
        const wire = pathRequest(entry, parameters)
        return { ...wire, path: wire.path.replace(entry.vendor === undefined ? SURF : PM, '') }
      },
      // The merchant sells only the paths of prediction markets.
      merchant: {
        at: x402Merchant('https://blockrun.ai'),
        sells: ({ endpoint: path }) => String(path).startsWith(PM),
      },
      reply: Type.Record(Type.String(), Type.Unknown()),
      outcome: (reply) => {
        const { body } = reply
        const error = field(body, 'error')
        if ((error !== undefined && error !== null) || isErrorAlone(reply))
          return failed(mapStatusToCode(502), 'The vendor could not answer. Nothing was charged.')
        return isBare(body) ? empty(body) : done(body)
      },
    }),
  },
})
