/** RentCast and RealEstateAPI. */
import { shortHash } from '../content.ts'
import { isMiss, json, keyedData, SIMULATED } from '../open-data.ts'
import { countOf } from '../routed.ts'
import type { SimulatedReply, SimulatedRequest } from '../vendor.ts'

const failRentCast = (status: number) =>
  json(
    {
      status,
      error: status === 401 ? 'auth/api-key-invalid' : 'simulated',
      message: `Simulated failure with status ${status}.`,
    },
    status,
  )

function home(seed: string) {
  const number = 100 + (Number.parseInt(shortHash(seed).slice(0, 4), 16) % 900)
  return {
    id: `${number}-Example-St,-San-Antonio,-TX-78244`,
    formattedAddress: `${number} Example St, San Antonio, TX 78244`,
    city: 'San Antonio',
    state: 'TX',
    zipCode: '78244',
    propertyType: 'Single Family',
    bedrooms: 3,
    bathrooms: 2,
    squareFootage: 1800,
    note: SIMULATED,
  }
}

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

export const proprecords = keyedData(
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

const LABEL = 'propdata'

function answer(
  request: SimulatedRequest,
  fields: object,
  missFields: object = { data: [] },
): SimulatedReply {
  const isMissed = isMiss(request, LABEL)
  return json({
    live: true,
    requestExecutionTimeMS: '12ms',
    statusCode: isMissed ? 404 : 200,
    statusMessage: isMissed ? 'Not found (simulated)' : 'Success',
    ...(isMissed ? missFields : fields),
  })
}

function found(request: SimulatedRequest): SimulatedReply {
  const body = (request.body ?? {}) as Record<string, unknown>
  if (isMiss(request, LABEL))
    return json({ statusCode: 200, statusMessage: 'Success', data: [], resultCount: 0 })
  if (body['count'] === true) return answer(request, { data: [], resultCount: 321 })
  if (body['summary'] === true)
    return answer(request, { data: [], summary: { absenteeOwner: 40 }, resultCount: 321 })
  if (body['ids_only'] === true)
    return answer(request, { data: ['1001', '1002'], resultCount: 321 })
  // One record less than asked for, as at the end of a list.
  const rows = Array.from({ length: Math.max(1, countOf(body['size'], 50) - 1) }, (_, index) => ({
    id: String(1001 + index),
    address: { address: home(`${index}`).formattedAddress },
    note: SIMULATED,
  }))
  return answer(request, { data: rows, resultCount: 321, resultIndex: rows.length })
}

export const propdata = keyedData(
  { header: 'x-api-key' },
  {
    'POST /v2/AutoComplete': (request) =>
      answer(request, {
        data: [{ id: '1001', title: home('x').formattedAddress, searchType: 'A' }],
      }),
    'POST /v2/PropertySearch': found,
    'POST /v2/PropertyDetail': (request) =>
      answer(
        request,
        {
          data: {
            id: '1001',
            ownerInfo: { owner1FullName: 'Simulated Owner' },
            propertyInfo: { bedrooms: 3 },
            note: SIMULATED,
          },
        },
        { data: {} },
      ),
    'POST /v1/PropertyParcel': (request) =>
      answer(
        request,
        {
          data: {
            type: 'Feature',
            geometry: {
              type: 'Polygon',
              coordinates: [
                [
                  [-77.1, 38.9],
                  [-77.1, 38.91],
                  [-77.11, 38.9],
                  [-77.1, 38.9],
                ],
              ],
            },
            properties: { note: SIMULATED },
          },
        },
        { data: {} },
      ),
    'POST /v3/PropertyComps': (request) =>
      answer(
        request,
        {
          subject: { id: '1001' },
          comps: [
            { id: '1002', note: SIMULATED },
            { id: '1003', note: SIMULATED },
          ],
          recordCount: 2,
        },
        { comps: [] },
      ),
    'POST /v2/PropertyAvm': (request) =>
      answer(
        request,
        {
          data: {
            id: '1001',
            avm: '512000',
            avmMin: '480000',
            avmMax: '545000',
            confidence: '87',
            label: SIMULATED,
          },
        },
        { data: {} },
      ),
    'POST /v1/SkipTrace': (request) =>
      isMiss(request, LABEL)
        ? json({ match: false, output: null, statusCode: 200 })
        : json({
            match: true,
            statusCode: 200,
            output: {
              identity: {
                names: [{ firstName: 'Simulated', lastName: 'Owner' }],
                phones: [{ phone: '+15550100100' }],
                emails: [{ email: 'owner@example.com' }],
              },
              stats: { note: SIMULATED },
            },
          }),
    'POST /v2/AddressVerification': (request) => {
      const { addresses = [] } = (request.body ?? {}) as { addresses?: unknown[] }
      return answer(request, {
        data: addresses.map((_, index) => ({
          id: String(1001 + index),
          match: index === 0,
          confidence: index === 0 ? 0.97 : 0.41,
          address: { address: home(`${index}`).formattedAddress },
        })),
      })
    },
  },
  (status) =>
    json({ statusCode: status, statusMessage: `Simulated failure with status ${status}.` }, status),
)
