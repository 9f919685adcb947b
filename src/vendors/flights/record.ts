import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { choice, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { get, keyQuery, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const aviationStack: Vendor = {
  baseUrl: 'https://api.aviationstack.com/v1',
  auth: keyQuery('access_key'),
  limits: { perSecond: 5 },
  docsUrl: 'https://aviationstack.com/documentation',
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    const vendorCode = field(error, 'code')
    // A used-up month has the same status as too many requests. 403 means that the plan lacks this
    // function.
    const code =
      vendorCode === 'usage_limit_reached'
        ? 'upstream_payment'
        : vendorCode === 'validation_error'
          ? 'upstream_rejected'
          : undefined
    return vendorFailure(reply, { code, vendorCode, message: field(error, 'message') })
  },
}

const airport = (description: string) => text(description, 3, { pattern: '^[A-Za-z]{3}$' })
const airline = optional(
  text('IATA code of the airline, such as "LH".', 2, { pattern: '^[A-Za-z0-9]{2}$' }),
)
const reply = Type.Object({ data: Type.Array(Type.Unknown()) })

const shared = {
  merchant: { at: tempoMerchant('https://aviationstack.mpp.tempo.xyz/v1') },
  price: flat(cents('0.5')),
  priceSource: 'Merchant’s list price $0.005 per request, 2026-08.',
  timeoutMs: 20_000,
  reply,
  outcome: ({ body }: Reply<Static<typeof reply>>) => found(body, body.data),
}

export const service = defineService({
  id: 'flights',
  title: 'Flights and timetables',
  category: 'public records',
  vendor: aviationStack,
  returns,
  actions: {
    flights: call({
      ...shared,
      title: 'Flights with status',
      summary: 'Find flights with status, times, gates and delays.',
      keywords: ['flight status', 'flight tracker', 'departure', 'arrival', 'delay', 'airline'],
      input: params({
        flight_iata: optional(
          text('IATA code of the flight, such as "LH400".', 8, {
            pattern: '^[A-Za-z0-9]{2}[0-9]{1,4}[A-Za-z]?$',
          }),
        ),
        dep_iata: optional(airport('IATA code of the departure airport, such as "FRA".')),
        arr_iata: optional(airport('IATA code of the arrival airport, such as "JFK".')),
        airline_iata: airline,
        flight_status: optional(
          choice('Status of the flight.', [
            'scheduled',
            'active',
            'landed',
            'cancelled',
            'incident',
            'diverted',
          ]),
        ),
        limit: whole('Maximum number of flights.', 1, 100, { default: 100 }),
        offset: whole('Flights to skip.', 0, 100_000, { default: 0 }),
      }),
      example: { flight_iata: 'LH400', limit: 2 },
      request: (input) => get('/flights', input),
    }),
    timetable: call({
      ...shared,
      title: 'Airport departures and arrivals',
      summary: "Read today's departures or arrivals of an airport.",
      keywords: ['airport board', 'departures', 'arrivals', 'schedule'],
      input: params({
        iataCode: airport('IATA code of the airport, such as "FRA".'),
        type: choice('Departures or arrivals.', ['departure', 'arrival']),
        airline_iata: airline,
      }),
      example: { iataCode: 'FRA', type: 'departure' },
      request: (input) => get('/timetable', input),
    }),
  },
})
