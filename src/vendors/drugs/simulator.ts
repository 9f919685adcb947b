/** RxAtlas: GET /drugs and /drugs/{id} with a bearer key. openFDA needs no key. */
import { isMiss, json, openData, SIMULATED } from '../../simulators/open-data.ts'
import { records } from '../../simulators/record-merchant.ts'

const drugs = records('drugs', '/drugs', { name: 'Simulated ibuprofen', ndc: '0002-1433' })

const openfda = openData(
  {
    'GET /drug/:set': (request, { set = '' }) =>
      fda(
        request,
        set === 'ndc.json'
          ? { product_ndc: '0002-1433', brand_name: 'Simulated', generic_name: 'Ibuprofen' }
          : { safetyreportid: '1', note: SIMULATED, recall_number: 'D-0001-2026' },
      ),
    'GET /food/enforcement.json': (request) =>
      fda(request, { recall_number: 'F-0001-2026', product_description: SIMULATED }),
    'GET /device/enforcement.json': (request) =>
      fda(request, { recall_number: 'Z-0001-2026', product_description: SIMULATED }),
  },
  (status) =>
    json(
      { error: { code: 'SIMULATED', message: `Simulated failure with status ${status}.` } },
      status,
    ),
)

function fda(request: Parameters<typeof isMiss>[0], row: object) {
  if (isMiss(request, 'openfda'))
    return json({ error: { code: 'NOT_FOUND', message: 'No matches found!' } }, 404)
  return json({ meta: { results: { skip: 0, limit: 1, total: 1 } }, results: [row] })
}

export const simulators = { drugs, openfda }
