import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import {
  anyObject,
  found,
  foundInOpenSource,
  merchant,
  merchantPrice,
  recordFound,
  rowsOf,
} from '../shared/records.ts'
import { get } from '../../catalog/vocabulary/wire.ts'
import { FDA_NO_MATCH, fdaPhrase, openFda } from './source.ts'
import { returns } from './returns.ts'

const rxAtlas = merchant('https://api.rxatlas.dev/v1', 'https://api.rxatlas.dev/openapi.json')

/** The source returns 404 for an empty list. */
const fdaReply = Type.Object({ results: Type.Optional(Type.Array(Type.Unknown())) })

const paid = { at: tempoMerchant(rxAtlas.baseUrl) }

const shared = { priceSource: 'Cap: the merchant’s listed price, 2026-08.', timeoutMs: 30_000 }

export const service = defineService({
  id: 'drugs',
  title: 'Drugs of the United States',
  category: 'public records',
  vendor: rxAtlas,
  returns,
  actions: {
    search: call({
      ...shared,
      title: 'Search US drugs',
      summary: 'Find drugs by brand, generic name or national drug code.',
      keywords: ['medicine', 'pharmacy', 'ndc', 'fda', 'active ingredient'],
      input: params(
        {
          q: optional(text('Brand or generic name.', 200)),
          ndc: optional(
            text('National drug code of the product, such as "0002-1433".', 13, {
              pattern: '^[0-9-]+$',
            }),
          ),
          limit: whole('Maximum number of drugs.', 1, 100, { default: 10 }),
        },
        { anyOf: [{ required: ['q'] }, { required: ['ndc'] }] },
      ),
      example: { q: 'ibuprofen', limit: 2 },
      price: merchantPrice(cents('10')),
      merchant: paid,
      request: (input) => get('/drugs', input),
      reply: anyObject,
      outcome: ({ body }) => found(body, rowsOf(body)),
      openSource: {
        vendor: openFda,
        // Adjacent terms mean "or".
        request: ({ q = '', ndc, limit }) => ({
          ...get('/drug/ndc.json', {
            search:
              ndc === undefined
                ? `brand_name:${fdaPhrase(q)} generic_name:${fdaPhrase(q)}`
                : `product_ndc:${fdaPhrase(ndc)}`,
            limit,
          }),
          acceptedStatuses: FDA_NO_MATCH,
        }),
        reply: fdaReply,
        outcome: ({ body }) =>
          foundInOpenSource({ ...body, results: body.results ?? [] }, body.results ?? []),
      },
    }),
    get: call({
      ...shared,
      title: 'Drug by national drug code',
      summary: 'Read one drug product by its national drug code.',
      keywords: ['ndc lookup', 'dosage form', 'package'],
      input: params({
        id: text('Id from drugs/search: the product\'s NDC, such as "0002-1433".', 100, {
          pattern: '^[A-Za-z0-9_:.-]+$',
        }),
      }),
      example: { id: '0002-1433' },
      price: merchantPrice(cents('2.5')),
      merchant: paid,
      request: ({ id }) => get(`/drugs/${encodeURIComponent(id)}`),
      reply: anyObject,
      outcome: recordFound,
      openSource: {
        vendor: openFda,
        request: ({ id }) => ({
          ...get('/drug/ndc.json', { search: `product_ndc:${fdaPhrase(id)}`, limit: 1 }),
          acceptedStatuses: FDA_NO_MATCH,
        }),
        reply: fdaReply,
        outcome: ({ body }, { id }) => {
          const [drug] = body.results ?? []
          return drug === undefined
            ? failed('upstream_not_found', `No drug has the code "${id}".`)
            : foundInOpenSource({ id, drug }, [drug])
        },
      },
    }),
  },
})
