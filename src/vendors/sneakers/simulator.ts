/** KicksDB: GET /v3/{marketplace}/products, …/{id} and …/{id}/sales with a bearer key. */
import { isMiss, json, SIMULATED } from '../../simulators/open-data.ts'
import { routed } from '../../simulators/routed.ts'
import { bearerCredential } from '../../simulators/vendor.ts'

const product = (id: string) => ({
  id,
  slug: id,
  title: `Simulated sneaker ${id}`,
  brand: 'Simulated',
  min_price: 120,
  description: SIMULATED,
})

const sneakers = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status) =>
    json(
      { title: 'Simulated', status, detail: `Simulated failure with status ${status}.` },
      status,
    ),
  routes: {
    'GET /v3/:marketplace/products': (request) =>
      json({
        data: isMiss(request, 'sneakers') ? [] : [product('nike-dunk-low')],
        meta: { total: 1 },
      }),
    'GET /v3/:marketplace/products/:id': (request, { id = '' }) =>
      isMiss(request, 'sneakers')
        ? json({ title: 'Not Found', status: 404, detail: 'No such product (simulated).' }, 404)
        : json({ data: product(id) }),
    'GET /v3/:marketplace/products/:id/sales': (request, { id }) =>
      json({
        data: isMiss(request, 'sneakers')
          ? []
          : [
              {
                amount: 125,
                created_at: '2026-11-19T12:00:00Z',
                product_id: id,
                variant_id: 'simulated',
              },
            ],
        meta: {},
      }),
  },
})

export const simulators = { sneakers }
