/** AviationStack: GET /flights and /timetable with the query field access_key. */
import { isMiss, json, keyedData, SIMULATED } from '../../simulators/open-data.ts'
import { countOf } from '../../simulators/routed.ts'
import type { SimulatedRequest, SimulatedVendor } from '../../simulators/vendor.ts'

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

const flights: SimulatedVendor = { ...aviationStack, quotaStatus: 429 }

export const simulators = { flights }
