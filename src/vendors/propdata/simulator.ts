/**
 * RealEstateAPI: POST /v2/PropertySearch, /v2/PropertyDetail and others with the header x-api-key.
 */
import { isMiss, json, keyedData, SIMULATED } from '../../simulators/open-data.ts'
import { countOf } from '../../simulators/routed.ts'
import { home } from '../../simulators/sample-home.ts'
import type { SimulatedReply, SimulatedRequest } from '../../simulators/vendor.ts'

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
  // One record less than requested, as at the end of a list.
  const rows = Array.from({ length: Math.max(1, countOf(body['size'], 50) - 1) }, (_, index) => ({
    id: String(1001 + index),
    address: { address: home(`${index}`).formattedAddress },
    note: SIMULATED,
  }))
  return answer(request, { data: rows, resultCount: 321, resultIndex: rows.length })
}

const propdata = keyedData(
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

export const simulators = { propdata }
