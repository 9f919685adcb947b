/** Public sources that stand in for merchants: eCFR, fueleconomy.gov, openFDA, ClinicalTrials.gov and the CPSC. */
import { isMiss, json, openData, SIMULATED, text } from '../open-data.ts'

export const ecfr = openData({
  'GET /api/search/v1/results': (request) => {
    const row = {
      starts_on: '2020-01-01',
      ends_on: null,
      type: 'Section',
      hierarchy: { title: '12', chapter: 'X', part: '1026', section: '1026.43' },
      headings: {
        part: 'Truth in Lending',
        section: 'Minimum standards for <strong>simulated</strong> loans',
      },
      full_text_excerpt: `<span>${SIMULATED}</span>`,
      score: 9.5,
    }
    const results = isMiss(request, 'ecfr') ? [] : [row, { ...row, ends_on: '2021-01-01' }]
    return json({ results, meta: { current_page: 1, total_count: results.length } })
  },
  'GET /api/versioner/v1/titles.json': () =>
    json({
      titles: [
        { number: 12, name: 'Banks and Banking', up_to_date_as_of: '2026-11-18', reserved: false },
      ],
    }),
  'GET /api/versioner/v1/full/:date/:file': ({ query }) => {
    const section = query.get('section') ?? `${query.get('part')}.1`
    if (section === '9999.1') return json({ error: 'Not found (simulated)' }, 404)
    return text(
      `<?xml version="1.0"?>\n<DIV8 N="${section}" TYPE="SECTION">\n<HEAD>§ ${section} Minimum standards.</HEAD>\n<P>(a) ${SIMULATED}</P>\n<P>(b) Loans &amp; terms.</P>\n</DIV8>`,
      'application/xml',
    )
  },
})

export const fueleconomy = openData({
  'GET /ws/rest/vehicle/menu/:menu': (request, { menu }) => {
    if (isMiss(request, 'fueleconomy')) return json(null)
    const make = request.query.get('model') ?? request.query.get('make') ?? 'Toyota'
    // A single version is an object, several are a list.
    return json({
      menuItem:
        menu === 'options'
          ? { text: `Simulated ${make}, 4 cyl, 2.5 L`, value: '41393' }
          : [{ text: make, value: make }],
    })
  },
  'GET /ws/rest/vehicle/:id': (_, { id = '' }) =>
    id === '404'
      ? text('', 'text/plain', 404)
      : json({ id, make: 'Toyota', model: 'Camry', year: '2020', comb08: '34', note: SIMULATED }),
  'GET /nhtsa/api/vehicles/DecodeVinValues/:vin': (_, { vin = '' }) =>
    json({
      Count: 1,
      Message: SIMULATED,
      Results: [
        { VIN: vin, Make: vin.startsWith('0') ? '' : 'HONDA', Model: 'Accord', ModelYear: '2003' },
      ],
    }),
})

export const openfda = openData(
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

const study = (nctId: string) => ({
  protocolSection: {
    identificationModule: { nctId, briefTitle: 'A simulated trial' },
    statusModule: { overallStatus: 'RECRUITING' },
    designModule: { phases: ['PHASE3'] },
  },
})

export const clinicaltrials = openData(
  {
    'GET /studies': (request) => {
      const studies = isMiss(request, 'clinicaltrials') ? [] : [study('NCT00000001')]
      return json({ totalCount: studies.length, studies })
    },
    'GET /studies/:id': (_, { id = '' }) =>
      id === 'NCT00000404'
        ? text('NCT number NCT00000404 not found', 'text/plain', 404)
        : json(study(id)),
  },
  (status) => text(`Simulated failure with status ${status}.`, 'text/plain', status),
)

export const cpsc = openData({
  'GET /Recall': (request) =>
    json(
      isMiss(request, 'cpsc') || request.query.get('RecallID') === '404'
        ? []
        : [
            {
              RecallID: 10234,
              RecallNumber: '26001',
              RecallDate: '2026-01-08T00:00:00',
              Title: 'Simulated strollers recalled',
              Description: SIMULATED,
            },
            { RecallID: 10233, RecallNumber: '26000', Title: 'Simulated cribs recalled' },
          ],
    ),
})
