/** RentCast: GET /properties, /listings/…, /markets and /avm/… with the header x-api-key. */
import { isMiss, json, keyedData, SIMULATED } from '../../simulators/open-data.ts'
import { countOf } from '../../simulators/routed.ts'
import { home } from '../../simulators/sample-home.ts'
import type { SimulatedReply, SimulatedRequest } from '../../simulators/vendor.ts'

const failRentCast = (status: number) =>
  json(
    {
      status,
      error: status === 401 ? 'auth/api-key-invalid' : 'simulated',
      message: `Simulated failure with status ${status}.`,
    },
    status,
  )

function homes(request: SimulatedRequest, more: object = {}): SimulatedReply {
  if (isMiss(request, 'proprecords'))
    return json(
      { status: 404, error: 'resource/not-found', message: 'Nothing found (simulated).' },
      404,
    )
  return json(
    Array.from({ length: Math.min(3, countOf(request.query.get('limit'), 50)) }, (_, index) => ({
      ...home(`${index}`),
      ...more,
    })),
  )
}

function estimate(
  request: SimulatedRequest,
  name: 'price' | 'rent',
  amount: number,
): SimulatedReply {
  if (isMiss(request, 'proprecords'))
    return json(
      { status: 404, error: 'resource/not-found', message: 'Nothing found (simulated).' },
      404,
    )
  return json({
    [name]: amount,
    [`${name}RangeLow`]: amount * 0.9,
    [`${name}RangeHigh`]: amount * 1.1,
    subjectProperty: home('subject'),
    comparables: [{ ...home('near'), distance: 0.2, correlation: 0.98 }],
  })
}

const proprecords = keyedData(
  { header: 'x-api-key' },
  {
    'GET /properties': (request) => homes(request),
    'GET /listings/sale': (request) => homes(request, { status: 'Active', price: 250_000 }),
    'GET /listings/rental/long-term': (request) =>
      homes(request, { status: 'Active', price: 1_750 }),
    'GET /markets': ({ query }) =>
      json({
        id: query.get('zipCode'),
        zipCode: query.get('zipCode'),
        saleData: { averagePrice: 251_000, medianPrice: 249_000 },
        rentalData: { averageRent: 1_700 },
        note: SIMULATED,
      }),
    'GET /avm/value': (request) => estimate(request, 'price', 250_000),
    'GET /avm/rent/long-term': (request) => estimate(request, 'rent', 1_700),
  },
  failRentCast,
)

export const simulators = { proprecords }
