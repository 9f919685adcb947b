/** AviationStack and KicksDB. */
import { isMiss, json, keyedData, SIMULATED } from '../open-data.ts'
import { countOf, routed } from '../routed.ts'
import { bearerCredential, type SimulatedRequest, type SimulatedVendor } from '../vendor.ts'

const AIRPORTS = {
  departure: {
    airport: 'Simulated Airport A',
    iata: 'FRA',
    scheduled: '2026-11-20T10:00:00+00:00',
  },
  arrival: { airport: 'Simulated Airport B', iata: 'JFK', scheduled: '2026-11-20T18:00:00+00:00' },
}

function page(request: SimulatedRequest, row: object) {
  const data = isMiss(request, 'flights') ? [] : [row]
  return json({
    pagination: {
      limit: countOf(request.query.get('limit'), 100),
      offset: 0,
      count: data.length,
      total: data.length,
    },
    data,
  })
}

const aviationStack = keyedData(
  { query: 'access_key' },
  {
    'GET /flights': (request) =>
      page(request, {
        flight_date: '2026-11-20',
        flight_status: 'scheduled',
        ...AIRPORTS,
        airline: { name: SIMULATED, iata: 'LH' },
        flight: { number: '400', iata: request.query.get('flight_iata') ?? 'LH400' },
      }),
    'GET /timetable': (request) =>
      page(request, {
        ...AIRPORTS,
        airline: { name: SIMULATED },
        flight: { iataNumber: 'LH400' },
        type: request.query.get('type'),
        status: 'scheduled',
      }),
  },
  (status, reason) =>
    json(
      {
        error: {
          code:
            reason === 'quota'
              ? 'usage_limit_reached'
              : reason === 'credentials'
                ? 'invalid_access_key'
                : 'simulated',
          message: `Simulated failure with status ${status}.`,
        },
      },
      status,
    ),
)
export const flights: SimulatedVendor = { ...aviationStack, quotaStatus: 429 }

const product = (id: string) => ({
  id,
  slug: id,
  title: `Simulated sneaker ${id}`,
  brand: 'Simulated',
  min_price: 120,
  description: SIMULATED,
})

export const sneakers = routed({
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
