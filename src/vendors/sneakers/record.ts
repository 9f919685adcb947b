import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { choice, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { bearer, get, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const kicksDb: Vendor = {
  baseUrl: 'https://api.kicks.dev',
  auth: bearer(),
  docsUrl: 'https://docs.kicks.dev/',
  readFailure: messageFrom('detail', 'title', 'message'),
}

const MARKETPLACES = ['stockx', 'goat', 'shopify', 'snkrs', 'kream', 'novelship'] as const
const marketplace = (allowed: readonly (typeof MARKETPLACES)[number][]) =>
  choice('The marketplace.', [...allowed], { default: 'stockx' })
const id = text('Id or slug of the product, from sneakers/product-search.', 200, {
  pattern: '^[A-Za-z0-9_.-]+$',
})
const listReply = Type.Object({ data: Type.Array(Type.Unknown()) })
const shared = {
  merchant: { at: tempoMerchant('https://kicksdb.mpp.tempo.xyz') },
  price: flat(cents('0.05')),
  priceSource: 'Merchant’s list price $0.0005 per request, 2026-08.',
  timeoutMs: 20_000,
}
const listed = {
  reply: listReply,
  outcome: ({ body }: Reply<Static<typeof listReply>>) => found(body, body.data),
}
const paging = {
  limit: whole('Maximum number of rows.', 1, 100, { default: 20 }),
  page: whole('Page number, from 1.', 1, 1_000, { default: 1 }),
}

export const service = defineService({
  id: 'sneakers',
  title: 'Sneakers and their prices',
  category: 'commerce',
  vendor: kicksDb,
  returns,
  actions: {
    'product-search': call({
      ...shared,
      ...listed,
      title: 'Search sneakers',
      summary: 'Find sneakers and streetwear on a marketplace.',
      keywords: ['stockx', 'goat', 'shoes', 'resale', 'jordan', 'streetwear'],
      input: params({
        marketplace: marketplace(MARKETPLACES),
        query: text('Words to search for.', 200),
        ...paging,
      }),
      example: { marketplace: 'stockx', query: 'dunk low', limit: 2 },
      request: ({ marketplace: market, ...query }) => get(`/v3/${market}/products`, query),
    }),
    'product-detail': call({
      ...shared,
      title: 'Sneaker details',
      summary: 'Read one product: variants, prices and traits.',
      keywords: ['stockx', 'goat', 'size prices', 'release date'],
      input: params({ marketplace: marketplace(['stockx', 'goat', 'shopify', 'kream']), id }),
      example: { marketplace: 'stockx', id: 'nike-dunk-low' },
      request: ({ marketplace: market, id: product }) => get(`/v3/${market}/products/${product}`),
      reply: Type.Object({ data: Type.Object({}) }),
      outcome: ({ body }) => found(body, [body.data]),
    }),
    'sales-history': call({
      ...shared,
      ...listed,
      title: 'Past sales of a sneaker',
      summary: 'List past sales of a product.',
      keywords: ['stockx', 'goat', 'last sale', 'price history'],
      input: params({
        marketplace: marketplace(['stockx', 'goat']),
        id,
        variant_id: optional(text('One variant (size) of the product. Only for stockx.', 100)),
        ...paging,
      }),
      example: { marketplace: 'stockx', id: 'nike-dunk-low', limit: 2 },
      check: ({ marketplace: market, id: product, variant_id: variant }) => {
        if (market !== 'goat') return
        if (!/^[0-9]+$/.test(product))
          throw new AppError(
            'invalid_params',
            'On goat, the id must be the number of the product.',
            {
              param: 'id',
            },
          )
        if (variant !== undefined)
          throw new AppError('invalid_params', '"variant_id" is only for stockx.', {
            param: 'variant_id',
          })
      },
      request: ({ marketplace: market, id: product, ...query }) =>
        get(`/v3/${market}/products/${product}/sales`, market === 'goat' ? {} : query),
      // For goat the vendor has no paging: it returns all sales in one answer.
      outcome: ({ body }, { marketplace: market, limit, page }) => {
        const sales =
          market === 'goat' ? body.data.slice((page - 1) * limit, page * limit) : body.data
        return found({ ...body, data: sales }, sales)
      },
    }),
  },
})
