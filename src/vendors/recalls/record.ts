import { Type } from 'typebox'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { text, whole } from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import {
  anyObject,
  found,
  foundOpenly,
  merchant,
  merchantsPrice,
  recordFound,
  rowsOf,
} from '../shared/records.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'

const recallRadar = merchant(
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

const paid = { at: tempoMerchant(recallRadar.baseUrl) }
const shared = { priceSource: 'Cap: the merchant’s listed price, 2026-08.', timeoutMs: 30_000 }

export const recalls = defineService({
  id: 'recalls',
  title: 'Recalls of consumer products',
  category: 'public records',
  vendor: recallRadar,
  actions: {
    search: call({
      ...shared,
      summary:
        'Find recalls of consumer products; food, drugs, devices and vehicles are in datahub/fetch.',
      keywords: ['product safety', 'hazard', 'cpsc', 'recalled product'],
      input: params({
        q: text('Words of the product or the recall.', 200),
        limit: whole('Maximum number of recalls.', 1, 100, { default: 25 }),
      }),
      example: { q: 'stroller', limit: 2 },
      price: merchantsPrice(cents('10')),
      merchant: paid,
      request: ({ q, limit }) => get('/recalls', { q, limit }),
      reply: anyObject,
      outcome: ({ body }) => found(body, rowsOf(body)),
      openSource: {
        vendor: cpsc,
        request: ({ q }) => get('/Recall', { format: 'json', RecallTitle: q }),
        reply: Type.Array(Type.Unknown()),
        // The source knows no pages.
        outcome: ({ body }, { limit }) =>
          foundOpenly({ total: body.length, results: body.slice(0, limit) }, body),
      },
    }),
    get: call({
      ...shared,
      summary: 'Read one recall by its id.',
      keywords: ['recall notice', 'remedy', 'product hazard'],
      input: params({
        id: text('Id that recalls/search gave (RecallID).', 100, { pattern: '^[A-Za-z0-9_:.-]+$' }),
      }),
      example: { id: '10234' },
      price: merchantsPrice(cents('2.5')),
      merchant: paid,
      request: ({ id }) => get(`/recalls/${encodeURIComponent(id)}`),
      reply: anyObject,
      outcome: recordFound,
      openSource: {
        vendor: cpsc,
        request: ({ id }) => get('/Recall', { format: 'json', RecallID: id }),
        reply: Type.Array(Type.Unknown()),
        outcome: ({ body }, { id }) =>
          !isFilled(body)
            ? failed('upstream_not_found', `There is no recall with the id "${id}".`)
            : foundOpenly({ id, recall: body[0] }, body),
      },
    }),
  },
})
