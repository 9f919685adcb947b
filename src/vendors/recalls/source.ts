/** The CPSC and its recall search, shared with the records of other vendors. */
import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import { text, whole } from '../../catalog/vocabulary/fields.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import {
  anyObject,
  found,
  foundInOpenSource,
  merchant,
  merchantPrice,
  rowsOf,
} from '../shared/records.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'

export const recallRadar = merchant(
  'https://api.recallradar.dev/v1',
  'https://api.recallradar.dev/openapi.json',
)

export const cpsc: Vendor = {
  label: 'cpsc',
  baseUrl: 'https://www.saferproducts.gov/RestWebServices',
  auth: noAuth,
  limits: { perSecond: 2 },
  docsUrl:
    'https://www.cpsc.gov/Recalls/CPSC-Recalls-Application-Program-Interface-API-Information',
}

export const paid = { at: tempoMerchant(recallRadar.baseUrl) }

export const shared = {
  priceSource: 'Cap: the merchant’s listed price, 2026-08.',
  timeoutMs: 30_000,
}

export const search = call({
  ...shared,
  title: 'Search product recalls',
  summary:
    'Find recalls of consumer products. For food, drugs, devices and vehicles use datahub/fetch.',
  keywords: ['product safety', 'hazard', 'cpsc', 'recalled product'],
  input: params({
    q: text('Words in the product or the recall.', 200),
    limit: whole('Maximum number of recalls.', 1, 100, { default: 25 }),
  }),
  example: { q: 'stroller', limit: 2 },
  price: merchantPrice(cents('10')),
  merchant: paid,
  request: ({ q, limit }) => get('/recalls', { q, limit }),
  reply: anyObject,
  outcome: ({ body }) => found(body, rowsOf(body)),
  openSource: {
    vendor: cpsc,
    request: ({ q }) => get('/Recall', { format: 'json', RecallTitle: q }),
    reply: Type.Array(Type.Unknown()),
    // The source does not support paging.
    outcome: ({ body }, { limit }) =>
      foundInOpenSource({ total: body.length, results: body.slice(0, limit) }, body),
  },
})
